// The patterns of tokenizer.json, from Oniguruma's regular expressions to JavaScript's.

import { ReplaceNormalizer } from '@huggingface/tokenizers'
import { failure } from '../engine/protocol/failure'
import { t } from './messages.en'
import { text, type Settings } from './settings'

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
