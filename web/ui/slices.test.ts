import { expect, it, vi } from 'vitest'
import { atOnce, inSlices, type Clock } from './slices'

function* counting(steps: number): Generator<number, string> {
  for (let step = 1; step <= steps; step++) yield step
  return `${steps} steps`
}

/** A clock on which each look takes 5 ms, and tasks are done when the test wants. */
function clock(): Clock & { tasks: (() => void)[] } {
  let now = 0
  const tasks: (() => void)[] = []
  return {
    tasks,
    now: () => (now += 5),
    later(work) {
      tasks.push(work)
      return () => tasks.splice(tasks.indexOf(work), 1)
    },
  }
}

it('does what is short at once', () => {
  const [done, time] = [vi.fn(), clock()]
  inSlices(counting(2), done, undefined, time)
  expect(done).toHaveBeenCalledExactlyOnceWith('2 steps')
  expect(time.tasks).toEqual([])
})

it('does what is long in tasks of their own, and tells how far it is', () => {
  const [done, onPart, time] = [vi.fn(), vi.fn(), clock()]
  inSlices(counting(8), done, onPart, time)
  expect(done).not.toHaveBeenCalled()
  for (let task = time.tasks.shift(); task; task = time.tasks.shift()) task()
  expect(onPart.mock.calls.flat()).toEqual([3, 6])
  expect(done).toHaveBeenCalledExactlyOnceWith('8 steps')
})

it('ends where nothing of it is wanted any more', () => {
  const [done, time] = [vi.fn(), clock()]
  inSlices(counting(8), done, undefined, time)()
  expect(time.tasks).toEqual([])
  expect(done).not.toHaveBeenCalled()
})

it('gives the same at once', () => {
  expect(atOnce(counting(8))).toBe('8 steps')
})
