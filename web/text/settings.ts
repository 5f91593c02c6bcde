// Reading tokenizer.json, whose parts are only known to be objects.
import { said } from '../i18n/text'

/** One object of tokenizer.json. */
export type Settings = Readonly<Record<string, unknown>>

export function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object at this key; null where there is none. */
export function part(settings: Settings, key: string): Settings | null {
  const value = settings[key]
  return isSettings(value) ? value : null
}

/** The objects of the list at this key. */
export function parts(settings: Settings, key: string): Settings[] {
  const value = settings[key]
  return Array.isArray(value) ? value.filter(isSettings) : []
}

export function text(settings: Settings, key: string, otherwise = ''): string {
  const value = settings[key]
  return typeof value === 'string' ? value : otherwise
}

export function flag(settings: Settings, key: string, otherwise = false): boolean {
  const value = settings[key]
  return typeof value === 'boolean' ? value : otherwise
}

export function count(settings: Settings, key: string, otherwise = 0): number {
  const value = settings[key]
  return typeof value === 'number' ? value : otherwise
}

/** What is thrown for a part that this page cannot follow exactly. */
export function unknownPart(kind: keyof typeof said.tokenizers.part, settings: Settings): Error {
  return new Error(said.tokenizers.unknown(said.tokenizers.part[kind], text(settings, 'type')))
}
