import { expect, it } from 'vitest'
import { failure } from '../engine/protocol/failure'
import type { Trouble } from '../engine/client/words'
import { hearUncaught } from './uncaught'

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
