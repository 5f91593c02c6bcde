import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { engineFailure } from '../protocol/failure'
import { t } from './failures.en'
import { withMessage } from './failures'
import hungarian from './failures.hu'
import korean from './failures.ko'

const failures = t()

/** The variants of an enum of errors: their codes and the names of their fields. */
function errorsOf(file: string): [code: string, fields: string[]][] {
  const [, body = ''] = /pub enum Error \{([^]*?)\n\}/.exec(readFileSync(file, 'utf8')) ?? []
  return Array.from(body.matchAll(/(?:serialize = "(.*?)"[^]*?)?\n {4}([A-Z]\w+)(?: \{(.*?)\})?,/g), (found) => {
    const [, code, name = '', fields = ''] = found
    const kebab = name.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase()
    return [code ?? kebab, Array.from(fields.matchAll(/(\w+):/g), ([, field = '']) => field)]
  })
}

describe('a failure', () => {
  const errors = [...errorsOf('src/error.rs'), ...errorsOf('weights/src/error.rs')]

  it('of Rust is found in its file', () => {
    expect(errors.length).toBeGreaterThan(55)
    expect(errors).toContainEqual(['text-too-long', ['length', 'longest', 'stretches']])
    expect(errors).toContainEqual(['other-weights', ['file', 'what']])
  })

  it.each(errors)('of Rust is worded with all that it is about: %s', (code, fields) => {
    expect(Object.keys(failures)).toContain(code)
    const read = new Set<string>()
    // Any value that is asked for is there: a list, which also counts as text and as a number.
    const parameters = new Proxy({}, { get: (_, name) => (read.add(String(name)), []) })
    expect(withMessage({ code, message: '', retryable: false, parameters } as never).message).not.toBe('')
    expect([...read].filter((name) => !fields.includes(name) && name !== 'file' && name !== 'what')).toEqual([])
  })

  const source = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.rs') && !/tests/.test(file))
      .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
      .join('\n')
  const rust = source('src') + source('weights/src')
  const phrasesOf = (...patterns: RegExp[]) =>
    new Set(patterns.flatMap((pattern) => Array.from(rust.matchAll(pattern), ([, ...texts]) => texts)).flat())

  it.each([
    ['memory-refused', 'what', phrasesOf(/what: "(.*?)"/g, /catch_errors\("(.*?)"/g, /zeros\(.*, "(.*?)"\)/g)],
    ['self-check', 'what', phrasesOf(/\[\("(.*?)", fills\), \("(.*?)", .*?\), \("(.*?)", .*?\), \("(.*?)"/g)],
    ['other-weights', 'what', phrasesOf(/let what = "(.*?)"/g, /PickleError::Unsupported\("(.*?)"/g)],
    ['tensor', 'what', phrasesOf(/\("([^"]*)"\.into\(\), "[^"]*"\)/g)],
    ['tensor', 'remedy', phrasesOf(/\("[^"]*"\.into\(\), "([^"]*)"\)/g, /remedy = "(.*?)"/g)],
    ['sampling-setting', 'expected', phrasesOf(/(?:written\(\w+\)|top_k\.to_string\(\)),\s*"([^"]*)"(?!\.into)/g)],
  ] as const)('has each fixed phrase of the engine in every language: %s, %s', (code, name, phrases) => {
    expect(phrases.size).toBeGreaterThan(1)
    for (const text of phrases) {
      for (const language of [korean, hungarian]) {
        const message = language[code]({ file: 'f', tensor: 't', needed: 1, [name]: text } as never)
        expect(message).not.toContain(text)
      }
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
