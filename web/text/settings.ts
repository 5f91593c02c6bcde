// Reads tokenizer.json and the files beside it, whose parts are only known to be objects.
import { failure } from '../engine/protocol/failure'
import type { Failure } from '../engine/protocol/protocol'
import { t, type Messages } from './messages.en'

/** One object of tokenizer.json. */
export type Settings = Readonly<Record<string, unknown>>

export function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object of a JSON file; empty where the file is missing or unreadable, since the model may do without it. */
export function settingsOf(json: string | undefined): Settings {
  try {
    const settings: unknown = JSON.parse(json ?? '')
    return isSettings(settings) ? settings : {}
  } catch {
    return {}
  }
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

export function text(settings: Settings, key: string, fallback = ''): string {
  const value = settings[key]
  return typeof value === 'string' ? value : fallback
}

export function flag(settings: Settings, key: string, fallback = false): boolean {
  const value = settings[key]
  return typeof value === 'boolean' ? value : fallback
}

export function count(settings: Settings, key: string, fallback = 0): number {
  const value = settings[key]
  return typeof value === 'number' ? value : fallback
}

/** What is thrown for a part that this page cannot follow exactly. */
export function unknownPart(kind: keyof Messages['part'], settings: Settings): Failure {
  return failure('tokenizer', () => t().unknown(t().part[kind], text(settings, 'type')))
}

/**
 * The token that stands for a word to predict: what tokenizer_config.json or special_tokens_map.json names, else the added token [MASK]
 * or <mask>; undefined where there is none. The first two are JSON, or undefined where the file is missing.
 */
export function declaredMask(
  config: string | undefined,
  specialTokens: string | undefined,
  added: readonly string[],
): string | undefined {
  return maskIn(config) ?? maskIn(specialTokens) ?? ['[MASK]', '<mask>'].find((token) => added.includes(token))
}

function maskIn(json: string | undefined): string | undefined {
  const mask = settingsOf(json)['mask_token']
  if (typeof mask === 'string') return mask
  return isSettings(mask) && typeof mask['content'] === 'string' ? mask['content'] : undefined
}
