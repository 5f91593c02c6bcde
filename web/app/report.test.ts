import { expect, it } from 'vitest'
import { byteCount } from '../i18n/numbers'
import { duration, writeReport, hearUncaught } from './report'
import { failure } from '../engine/protocol/failure'
import type { Trouble } from '../engine/client/words'

const screen = { width: 1280, height: 800, ratio: 2 }

it('the report says what ran, and nothing of the text', () => {
  const report = writeReport({
    info: { backend: 'cpu', reason: 'device-refused', vendor: 'acme', detail: 'out of memory' },
    threads: '2 threads',
    model: undefined,
    report: {
      backend: 'cpu',
      milliseconds: 6.125,
      computed: 14,
      dispatches: 34,
      paintDispatches: 1,
      created: 0,
      bytesAllocated: 9_300_000,
      bytesReadBack: 12_345,
    },
    length: 22,
    troubles: ['The GPU was lost'],
    browser: 'Test/1.0',
    screen,
  })
  expect(report.split('\n')).toEqual([
    'ropescope report',
    'backend: CPU (the GPU refused; device-refused)',
    'adapter: acme',
    'threads: 2 threads',
    'the browser said: out of memory',
    'last run: 22 tokens in 6.13 ms on the CPU',
    'dispatches: 34, for painting 1; created: 0',
    'held: 9.3 MB; read back: 12 kB',
    'trouble: The GPU was lost',
    'browser: Test/1.0',
    'page: 1280 × 800 at 2',
  ])
})

it('the report of a page without an engine still says so', () => {
  const facts = {
    info: undefined,
    threads: '',
    model: undefined,
    report: undefined,
    length: 0,
    troubles: [],
    browser: 'Test',
    screen,
  }
  expect(writeReport(facts)).toContain('backend: none')
})

it('quantities have their units', () => {
  expect([0, 999, 1000, 12_345, 9_300_000, 1.3e9].map(byteCount)).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '12 kB',
    '9.3 MB',
    '1.3 GB',
  ])
  expect([0.24, 6.13, 61.3, 12_345].map(duration)).toEqual(['0.2 ms', '6.1 ms', '61 ms', '12.3 s'])
})

function setUp() {
  const page = new EventTarget()
  const troubles: Trouble[] = []
  const end = hearUncaught(page, (trouble) => troubles.push(trouble()))
  const happen = (type: string, of: object) => page.dispatchEvent(Object.assign(new Event(type), of))
  return { troubles, end, happen }
}

it('an error and a rejected promise that nobody caught become a trouble with a report', () => {
  const { troubles, happen, end } = setUp()
  const error = new TypeError('x is undefined')
  happen('error', { error, message: `Uncaught ${error}` })
  happen('unhandledrejection', { reason: failure('hub-gone', 'the file is gone') })
  happen('unhandledrejection', { reason: undefined })
  expect(troubles.map(({ text }) => /“(.*?)”/.exec(text)?.[1])).toEqual([
    'x is undefined',
    'the file is gone',
    'undefined',
  ])
  expect(troubles[0]?.details).toBe(error.stack)
  end()
  happen('error', { error })
  expect(troubles).toHaveLength(3)
})

it('an error of which the browser tells only the message is said, a layout that was put off is not', () => {
  const { troubles, happen } = setUp()
  happen('error', { error: null, message: 'ResizeObserver loop completed with undelivered notifications.' })
  happen('error', {})
  expect(troubles).toEqual([])
  happen('error', { error: null, message: 'Script error.' })
  expect(troubles).toMatchObject([{ text: expect.stringContaining('Script error.'), details: 'Script error.' }])
})
