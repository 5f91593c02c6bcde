import { expect, it, vi } from 'vitest'
import { patience, Watchdog } from './watchdog'

function setUp() {
  const said: string[] = []
  let tick: (() => void) | undefined
  let waits = true
  const dog = new Watchdog(
    {
      waits: () => waits,
      ping: () => said.push('ping'),
      silent: (seconds) => said.push(`silent ${seconds}`),
      answers: () => said.push('answers'),
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
  return { said, dog, pass, ticks: () => tick !== undefined, answer: () => ((waits = false), dog.hear()) }
}

it('asks for a sign of life first, and says once that there is none', () => {
  const { said, dog, pass } = setUp()
  dog.watch()
  pass(patience - 1)
  expect(said).toEqual([])
  pass(1)
  expect(said).toEqual(['ping'])
  pass(patience - 1)
  expect(said).toEqual(Array(patience).fill('ping'))
  pass(60)
  expect(said.filter((what) => what !== 'ping')).toEqual([`silent ${2 * patience}`])
})

it('is content with any message, and takes back what it said', () => {
  const { said, dog, pass } = setUp()
  dog.watch()
  for (let message = 0; message < 5; message++) {
    pass(patience + 5)
    dog.hear()
  }
  expect(new Set(said)).toEqual(new Set(['ping']))
  pass(2 * patience)
  dog.hear()
  expect(said.filter((what) => what !== 'ping')).toEqual([`silent ${2 * patience}`, 'answers'])
})

it('counts ticks: a machine that slept, or a page in the background, has hardly waited', () => {
  const { said, dog, pass } = setUp()
  dog.watch()
  // An hour asleep is one tick that comes late.
  vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date', 'performance'] })
  pass(1)
  vi.useRealTimers()
  expect(said).toEqual([])
})

it('rests while nothing is asked, and begins anew', () => {
  const { said, dog, pass, ticks, answer } = setUp()
  dog.watch()
  pass(patience - 1)
  answer()
  expect(ticks()).toBe(false)
  dog.watch()
  expect(ticks()).toBe(true)
  expect(said).toEqual([])
})
