// Reads settings of unknown shape: tokenizer.json and its neighbours, with their patterns in Oniguruma's regular expressions.
import { failure } from '../engine/protocol/failure'
import { isObject, objectOf, type JsonObject } from '../engine/protocol/json'
import type { Failure } from '../engine/protocol/protocol'
import { t, type Messages } from './messages.en'
import { ReplaceNormalizer } from '@huggingface/tokenizers'

/** One object of tokenizer.json. */
export type Settings = JsonObject

/** The object at this key; null where there is none. */
export function part(settings: Settings, key: string): Settings | null {
  const value = settings[key]
  return isObject(value) ? value : null
}

/** The objects of the list at this key. */
export function parts(settings: Settings, key: string): Settings[] {
  const value = settings[key]
  return Array.isArray(value) ? value.filter(isObject) : []
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

/** Of an unsupported part. */
export function unknownPart(kind: keyof Messages['part'], settings: Settings): Failure {
  return failure('tokenizer', () => t().unknown(t().part[kind], text(settings, 'type')))
}

/**
 * The mask token: of tokenizer_config.json, of special_tokens_map.json, or else the added token [MASK] or <mask>. The first two parameters are
 * JSON, or undefined where the file is missing.
 */
export function declaredMask(
  config: string | undefined,
  specialTokens: string | undefined,
  added: readonly string[],
): string | undefined {
  return maskIn(config) ?? maskIn(specialTokens) ?? ['[MASK]', '<mask>'].find((token) => added.includes(token))
}

function maskIn(json: string | undefined): string | undefined {
  const mask = objectOf(json)['mask_token']
  if (typeof mask === 'string') return mask
  return isObject(mask) && typeof mask['content'] === 'string' ? mask['content'] : undefined
}

/**
 * A global pattern of `{ "String": … }` or `{ "Regex": … }`. The library translates \p{…}, (?i:…), \s and \w of Oniguruma.
 * @throws {Failure} for a pattern that cannot be translated
 */
export function compilePattern(settings: Settings | null): RegExp {
  const literal = settings && text(settings, 'String')
  const expression = settings && text(settings, 'Regex')
  if (!literal && !expression) throw failure('tokenizer', () => t().emptyPattern)
  return expression ? translate(expression) : libraryPattern({ String: literal ?? '' })
}

export function translate(expression: string): RegExp {
  return libraryPattern({ Regex: withFolds(expression) })
}

function libraryPattern(source: { String: string } | { Regex: string }): RegExp {
  const { pattern } = new ReplaceNormalizer({ type: 'Replace', pattern: source, content: '' })
  if (!pattern) throw failure('tokenizer', () => t().pattern(Object.values(source).join('')))
  return pattern
}

/** Oniguruma's (?i:…) matches ſ as s and the Kelvin sign as k; the library matches only ASCII letters. */
function withFolds(expression: string): string {
  return expression.replace(
    /\(\?i:([^()[\]\\]*)\)/g,
    (_, body: string) => `(?i:${body.replace(/s/gi, '[sS\u017f]').replace(/k/gi, '[kK\u212a]')})`,
  )
}
