import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { engineFailure } from '../protocol/failure'
import { t } from './failures.en'
import { withMessage } from './failures'

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
