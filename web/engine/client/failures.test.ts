import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { engineFailure, type FailureCode } from '../protocol/failure'
import { partNames } from '../protocol/parts'
import { t } from './failures.en'
import { withMessage } from './words'
import hungarian from './failures.hu'
import korean from './failures.ko'

const failures = t()

const kebab = (name: string) => name.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase()

type Fields = [name: string, type: string][]

/** The variants of an enum: their names in kebab-case, and their fields. */
function variantsOf(file: string, name: string): [code: string, fields: Fields][] {
  const [, body = ''] = new RegExp(`pub enum ${name} \\{([^]*?)\\n\\}`).exec(readFileSync(file, 'utf8')) ?? []
  // The page has no failures of the command line.
  const shared = body.replace(/#\[cfg\(feature = "cli"\)\][^]*?\n {4}[A-Z].*/g, '')
  return Array.from(shared.matchAll(/\n {4}([A-Z]\w+)(?: \{([^}]*)\})?,/g), ([, variant = '', fields = '']) => [
    kebab(variant),
    Array.from(fields.matchAll(/(\w+): ([^,]+)/g), ([, field = '', type = '']) => [field, type.trim()]),
  ])
}

/** The values of an enum in a parameter; none of another type. */
function valuesOf(type: string): unknown[] {
  for (const file of ['src/error/parameters.rs', 'weights/src/error/parameters.rs']) {
    const variants = variantsOf(file, type)
    if (variants.length === 0) continue
    const isTagged = new RegExp(`tag = "kind"[^}]*pub enum ${type} `).test(readFileSync(file, 'utf8'))
    return variants.map(([kind, fields]) => (isTagged ? { kind, ...sampleOf(fields) } : kind))
  }
  return []
}

/** Values that a field may have, each of which has words of its own. */
function alternativesOf(name: string, type: string): readonly unknown[] {
  const [, inner] = /^Option<(.*)>$/.exec(type) ?? []
  if (inner !== undefined) return [...alternativesOf(name, inner), null]
  if (name === 'part') return partNames
  if (type === 'bool') return [true, false]
  if (type === 'Vec<String>') return [[`(${name})`], []]
  if (type.startsWith('Vec')) return [[7]]
  if (/^[uf]\d|^usize/.test(type)) return [7]
  const values = valuesOf(type)
  return values.length > 0 ? values : [`(${name})`]
}

/** The first value of each field. */
const sampleOf = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(fields.map(([name, type]) => [name, alternativesOf(name, type)[0]]))

const languages = { en: failures, ko: korean, hu: hungarian }

/** Words of English sentences that are words of neither of the other languages. */
const english =
  /(?<![\p{Script=Latin}._*])(?:the|of|and|are|not|with|which|must|for|has|have|this|that|than|from|an|it|to|in|on|by|there|no|number|list|object|text|missing|layer|layers|heads|tokens|encoder|decoder|cross|large|download|bytes|tensor)(?![\p{Script=Latin}._[])/giu

describe('a failure', () => {
  const errors = [...variantsOf('src/error/mod.rs', 'Error'), ...variantsOf('weights/src/error.rs', 'Error')]

  it('of Rust is found in its file', () => {
    expect(errors.length).toBeGreaterThan(85)
    expect(errors).toContainEqual([
      'text-too-long',
      [
        ['length', 'usize'],
        ['longest', 'u64'],
        ['stretches', 'bool'],
      ],
    ])
    expect(errors.map(([code]) => code)).not.toContain('invalid-argument')
    expect(valuesOf('Allocation')).toContain('weights')
    expect(valuesOf('FileDefect')).toContainEqual({ kind: 'twice', name: '(name)' })
    expect(valuesOf('IndexDefect')).toContainEqual({
      kind: 'not-json',
      defect: { kind: 'syntax', line: 7, column: 7 },
    })
    expect(valuesOf('FileForm')).toContainEqual({ kind: 'pickle-protocol', protocol: 7 })
    expect(alternativesOf('under', 'Option<String>')).toEqual(['(under)', null])
  })

  describe.each(errors)('of Rust: %s', (code, fields) => {
    it.each(Object.entries(languages))('is worded with all that it is about, in its language: %s', (language, all) => {
      expect(Object.keys(all)).toContain(code)
      const read = new Set<string>()
      const word = (parameters: Record<string, unknown>) => {
        const reader = new Proxy(parameters, { get: (_, name) => (read.add(String(name)), parameters[String(name)]) })
        const message = (all[code as FailureCode] as (parameters: unknown) => string)(reader)
        expect(message).not.toMatch(/undefined|NaN|null|\[object/)
        // No article and no ending depends on a value.
        if (language === 'hu') expect(message).not.toMatch(/a\(z\)|(?<!\p{L})az? (?:7|\()|(?:7|\))-\p{L}/iu)
        if (language !== 'en')
          expect(message.replace(/\([a-z_]+\)|\[head.*?\]/g, '').match(english), message).toBeNull()
        return message
      }
      const sample = sampleOf(fields)
      expect(word(sample)).not.toBe('')
      for (const [name, type] of fields) {
        const messages = alternativesOf(name, type).map((value) => word({ ...sample, [name]: value }))
        expect(new Set(messages).size).toBe(messages.length)
      }
      const names = fields.map(([name]) => name)
      // The file of weights has a name only where a checkpoint has several.
      if (!names.includes('file')) read.delete('file')
      expect([...read].sort()).toEqual(names.sort())
    })
  })

  it.each(Object.entries(languages))('has one remedy, that of its kind: %s', (_, all) => {
    const remedies = /pytorch_model\.bin|save_pretrained|torch\.save/g
    const found = (message: string) => message.match(remedies)
    expect(found(all['other-weights']({ file: 'a', what: { kind: 'misnamed-pickle' } }))).toEqual(['pytorch_model.bin'])
    expect(found(all['other-weights']({ file: 'a', what: { kind: 'torch-script' } }))).toEqual(['save_pretrained'])
    const again = all['malformed-checkpoint']({ file: 'a', defect: { kind: 'no-header' } })
      .split(') ')
      .at(-1)
    expect(again).not.toBe('')
    const shared = all['malformed-checkpoint']({ file: 'a', defect: { kind: 'shared-numbers', most: 9 } })
    expect(found(shared)).toEqual(['save_pretrained'])
    expect(shared).not.toContain(again)
  })

  it('counts one byte as one', () => {
    expect(failures.truncated({ file: 'a', expected: 1, found: 0 })).toBe(
      'a is cut short: it has 0 of 1 byte. Download it again.',
    )
  })

  it('is worded by its code and parameters', () => {
    expect(withMessage(engineFailure('missing-file', { name: 'a.json' })).message).toBe(
      'a.json is not among the files that were opened.',
    )
    expect(withMessage(engineFailure('fetch-failed', { reason: 'offline' })).message).toContain('The part of this page')
  })

  it('with parameters that its words do not know is named by its code, in every language', () => {
    const strange = { file: 'a', what: { kind: 'of-another-build' } }
    const { message } = withMessage({ code: 'other-weights', message: '', retryable: false, parameters: strange })
    expect(message).toBe(failures.unworded('other-weights'))
    for (const all of Object.values(languages)) expect(all.unworded('other-weights')).toContain('other-weights')
  })

  it('keeps the message that it brings along', () => {
    const own = { code: 'missing-file', message: 'not here', retryable: false }
    expect(withMessage(own)).toBe(own)
    const unheard = { ...own, code: 'toString', parameters: {} }
    expect(withMessage(unheard)).toBe(unheard)
  })
})
