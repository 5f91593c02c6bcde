import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { engineFailure, type FailureCode } from '../protocol/failure'
import { t } from './failures.en'
import { withMessage } from './failures'
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
  return Array.from(shared.matchAll(/(?:serialize = "(.*?)"[^]*?)?\n {4}([A-Z]\w+)(?: \{(.*?)\})?,/g), (found) => {
    const [, code, variant = '', fields = ''] = found
    return [
      code ?? kebab(variant),
      Array.from(fields.matchAll(/(\w+): ([^,]+)/g), ([, field = '', type = '']) => [field, type.trim()]),
    ]
  })
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

/** Parameters of these types. */
const sampleOf = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(
    fields.map(([name, type]) => [
      name,
      valuesOf(type)[0] ?? (/^Vec/.test(type) ? [] : /^[uf]\d|^usize/.test(type) ? 7 : `(${name})`),
    ]),
  )

const languages = { en: failures, ko: korean, hu: hungarian }

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
    expect(valuesOf('FileForm')).toContainEqual({ kind: 'pickle-protocol', protocol: 7 })
  })

  it.each(errors)('of Rust is worded with all that it is about: %s', (code, fields) => {
    expect(Object.keys(failures)).toContain(code)
    const read = new Set<string>()
    const sample = sampleOf(fields)
    const parameters = new Proxy(sample, { get: (_, name) => (read.add(String(name)), sample[String(name)]) })
    expect(withMessage({ code, message: '', retryable: false, parameters } as never).message).not.toBe('')
    const known = fields.map(([name]) => name)
    expect([...read].filter((name) => !known.includes(name) && name !== 'file' && name !== 'what')).toEqual([])
  })

  const enums = errors.flatMap(([code, fields]) =>
    fields.flatMap(([name, type]) => (valuesOf(type).length > 0 ? [[code, name, type, fields] as const] : [])),
  )

  it.each(enums)('words every value of its parameters, in every language: %s, %s, %s', (code, name, type, fields) => {
    expect(enums.length).toBeGreaterThan(9)
    for (const [language, catalogue] of Object.entries(languages)) {
      const word = catalogue[code as FailureCode] as (parameters: unknown) => string
      const messages = valuesOf(type).map((value) => word({ ...sampleOf(fields), [name]: value }))
      expect(new Set(messages).size, language).toBe(messages.length)
      expect(
        messages.filter((message) => /undefined|NaN/.test(message)),
        language,
      ).toEqual([])
    }
  })

  it('is worded by its code and parameters', () => {
    expect(withMessage(engineFailure('missing-file', { name: 'a.json' })).message).toBe(
      'a.json is not among the files that were opened.',
    )
    expect(withMessage(engineFailure('fetch-failed', { reason: 'offline' })).message).toContain('The part of this page')
  })

  it('keeps the message that it brings along', () => {
    const own = { code: 'missing-file', message: 'not here', retryable: false }
    expect(withMessage(own)).toBe(own)
    const unheard = { ...own, code: 'toString', parameters: {} }
    expect(withMessage(unheard)).toBe(unheard)
  })
})
