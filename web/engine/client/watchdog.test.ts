import { expect, it, vi } from 'vitest'
import { pingAfter, Watchdog } from './watchdog'

function setUp() {
  const events: string[] = []
  let tick: (() => void) | undefined
  let waits = true
  const dog = new Watchdog(
    {
      waits: () => waits,
      ping: () => events.push('ping'),
      silent: (seconds) => events.push(`silent ${seconds}`),
      answers: () => events.push('answers'),
    },
    {
      everySecond(call) {
        tick = call
        return () => (tick = undefined)
      },
    },
  )
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second++) tick?.()
  }
  return { events, dog, pass, ticks: () => tick !== undefined, answer: () => ((waits = false), dog.receiveSign()) }
}

it('asks for a sign of life first, and says once that there is none', () => {
  const { events, dog, pass } = setUp()
  dog.watch()
  pass(pingAfter - 1)
  expect(events).toEqual([])
  pass(1)
  expect(events).toEqual(['ping'])
  pass(pingAfter - 1)
  expect(events).toEqual(Array(pingAfter).fill('ping'))
  pass(60)
  expect(events.filter((what) => what !== 'ping')).toEqual([`silent ${2 * pingAfter}`])
})

it('is content with any message, and takes back what it said', () => {
  const { events, dog, pass } = setUp()
  dog.watch()
  for (let message = 0; message < 5; message++) {
    pass(pingAfter + 5)
    dog.receiveSign()
  }
  expect(new Set(events)).toEqual(new Set(['ping']))
  pass(2 * pingAfter)
  dog.receiveSign()
  expect(events.filter((what) => what !== 'ping')).toEqual([`silent ${2 * pingAfter}`, 'answers'])
})

it('counts ticks: a machine that slept, or a page in the background, has hardly waited', () => {
  const { events, dog, pass } = setUp()
  dog.watch()
  // An hour asleep is one tick that comes late.
  vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date', 'performance'] })
  pass(1)
  vi.useRealTimers()
  expect(events).toEqual([])
})

it('rests while nothing is asked, and begins anew', () => {
  const { events, dog, pass, ticks, answer } = setUp()
  dog.watch()
  pass(pingAfter - 1)
  answer()
  expect(ticks()).toBe(false)
  dog.watch()
  expect(ticks()).toBe(true)
  expect(events).toEqual([])
})
