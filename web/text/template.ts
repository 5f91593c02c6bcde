// The post_processor of tokenizer.json: the tokens before and after every text, and whether places leave out spaces.

import { failure } from '../engine/protocol/failure'
import { t } from './messages.en'
import { byteCharacters } from './bytes'
import type { Span } from './reading'
import { isObject } from '../engine/protocol/json'
import { flag, parts, text, unknownPart, type Settings } from './settings'

interface TemplateToken {
  id: number
  token: string
}

export interface Template {
  before: TemplateToken[]
  after: TemplateToken[]
  /** Set where places leave out a token's spaces; `addedSpace`: except the one that the tokenizer puts before the text. */
  trim: { addedSpace: boolean } | null
}

/** @throws {Failure} for an unknown post-processor */
export function compileTemplate(settings: Settings | null): Template {
  if (!settings) return { before: [], after: [], trim: null }
  switch (settings['type']) {
    case 'ByteLevel':
      return { before: [], after: [], trim: trimOf(settings) }
    case 'BertProcessing':
      return { before: pair(settings, 'cls'), after: pair(settings, 'sep'), trim: null }
    case 'RobertaProcessing':
      return { before: pair(settings, 'cls'), after: pair(settings, 'sep'), trim: trimOf(settings) }
    case 'TemplateProcessing':
      return template(settings)
    case 'Sequence':
      return parts(settings, 'processors')
        .map(compileTemplate)
        .reduce((inner, outer) => ({
          before: [...outer.before, ...inner.before],
          after: [...inner.after, ...outer.after],
          trim: inner.trim ?? outer.trim,
        }))
    default:
      throw unknownPart('post-processor', settings)
  }
}

function trimOf(settings: Settings): Template['trim'] {
  return flag(settings, 'trim_offsets', true) ? { addedSpace: flag(settings, 'add_prefix_space', true) } : null
}

function pair(settings: Settings, key: string): TemplateToken[] {
  const value: unknown = settings[key]
  const [token, id] = Array.isArray(value) ? (value as unknown[]) : []
  if (typeof token !== 'string' || typeof id !== 'number') throw failure('tokenizer', () => t().templateToken(key))
  return [{ id, token }]
}

function template(settings: Settings): Template {
  const special = isObject(settings['special_tokens']) ? settings['special_tokens'] : {}
  const before: TemplateToken[] = []
  const after: TemplateToken[] = []
  let isAfterText = false
  for (const item of parts(settings, 'single')) {
    if (isObject(item['SpecialToken'])) {
      ;(isAfterText ? after : before).push(...tokensOf(special, text(item['SpecialToken'], 'id')))
    } else {
      isAfterText = true
    }
  }
  return { before, after, trim: null }
}

function tokensOf(special: Settings, name: string): TemplateToken[] {
  const entry = special[name]
  const ids: unknown = isObject(entry) ? entry['ids'] : undefined
  const tokens: unknown = isObject(entry) ? entry['tokens'] : undefined
  if (!Array.isArray(ids) || !Array.isArray(tokens)) throw failure('tokenizer', () => t().templateUnknown(name))
  return ids.map((id: unknown, at) => ({ id: Number(id), token: String((tokens as unknown[])[at]) }))
}

const space = byteCharacters[0x20] ?? ' '
const leading = new RegExp(`^[${space}\\p{White_Space}]*`, 'u')
const trailing = new RegExp(`[${space}\\p{White_Space}]*$`, 'u')

/**
 * A token's place without its leading and trailing spaces, as in Hugging Face's process_offsets: each removes one character. `first`: the token
 * begins the text.
 */
export function trimSpan(span: Span, token: string, first: boolean, addedSpace: boolean, text: string): Span {
  let ahead = leading.exec(token)?.[0].length ?? 0
  const behind = trailing.exec(token)?.[0].length ?? 0
  if ((first || span.start === 0) && addedSpace && ahead === 1) ahead = 0
  const start = Math.min(forward(text, span.start, ahead), span.end)
  const end = Math.max(backward(text, span.end, behind), start)
  return { start, end }
}

function forward(text: string, from: number, characters: number): number {
  let at = from
  for (let done = 0; done < characters; done++) at += String.fromCodePoint(text.codePointAt(at) ?? 0).length
  return at
}

/** Stays at `from` where fewer characters precede it. */
function backward(text: string, from: number, characters: number): number {
  let at = from
  for (let done = 0; done < characters; done++) {
    if (at === 0) return from
    at -= /[\udc00-\udfff]/.test(text.charAt(at - 1)) && /[\ud800-\udbff]/.test(text.charAt(at - 2)) ? 2 : 1
  }
  return at
}
