import { flushSync } from 'svelte'
import { afterEach, expect, it, vi } from 'vitest'
import { inRoot } from '../testing/inRoot.svelte'
import { sliced, atOnce, inSlices } from './slices.svelte'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A clock by which a step takes so many milliseconds. */
function clock(step: number): void {
  vi.useFakeTimers()
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += step))
}

const slow = 20
const fast = 0

/** An answer whose request and value a test sets, and the sum of its numbers. */
function summed(first: number[]) {
  let present: { request: string; numbers: number[] } | undefined = $state.raw({ request: 'first', numbers: first })
  const answer = {
    get latest() {
      return present && { request: present.request, value: present.numbers }
    },
    stale: false,
    failure: undefined,
  }
  let starts = 0
  function* sum({ value }: { value: number[] }) {
    starts++
    let all = 0
    for (const one of value) {
      all += one
      yield
    }
    return all
  }
  const { result, end } = inRoot(undefined).make(() => sliced(answer, sum))
  return {
    set(request: string | undefined, numbers: number[] = []) {
      present = request === undefined ? undefined : { request, numbers }
    },
    state: () => [result.latest?.request, result.latest?.value, result.stale],
    starts: () => starts,
    end,
  }
}

it('a result stays until the work on a newer answer ends, and is stale meanwhile', () => {
  clock(slow)
  const { set, state, end } = summed([1, 2])
  flushSync()
  expect(state()).toEqual([undefined, undefined, false])
  vi.runAllTimers()
  expect(state()).toEqual(['first', 3, false])
  set('second', [3, 4])
  expect(state()).toEqual(['first', 3, true])
  flushSync()
  expect(state()).toEqual(['first', 3, true])
  vi.runAllTimers()
  expect(state()).toEqual(['second', 7, false])
  end()
})

it('work on an answer ends where a newer one comes', () => {
  clock(slow)
  const { set, state, end } = summed([1, 2])
  flushSync()
  set('second', [3, 4])
  flushSync()
  vi.runAllTimers()
  expect(state()).toEqual(['second', 7, false])
  end()
})

it('the same value under a newer request is no work', () => {
  clock(fast)
  const numbers = [1, 2]
  const { set, state, starts, end } = summed(numbers)
  flushSync()
  set('second', numbers)
  flushSync()
  expect([...state(), starts()]).toEqual(['second', 3, false, 1])
  end()
})

it('nothing stays where no answer is left', () => {
  clock(fast)
  const { set, state, end } = summed([1, 2])
  flushSync()
  set(undefined)
  expect(state()[1]).toBeUndefined()
  flushSync()
  set('second', [3])
  expect(state()[1]).toBeUndefined()
  flushSync()
  expect(state()).toEqual(['second', 3, false])
  end()
})

function* counting(steps: number): Generator<number, string> {
  for (let step = 1; step <= steps; step++) yield step
  return `${steps} steps`
}

it('does what is short at once', () => {
  clock(5)
  const done = vi.fn()
  inSlices(counting(2), done)
  expect(done).toHaveBeenCalledExactlyOnceWith('2 steps')
  expect(vi.getTimerCount()).toBe(0)
})

it('does what is long in tasks of their own, and tells how far it is', () => {
  clock(5)
  const [done, onPart] = [vi.fn(), vi.fn()]
  inSlices(counting(8), done, onPart)
  expect(done).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(onPart.mock.calls.flat()).toEqual([3, 6])
  expect(done).toHaveBeenCalledExactlyOnceWith('8 steps')
})

it('ends where nothing of it is wanted any more', () => {
  clock(5)
  const done = vi.fn()
  inSlices(counting(8), done)()
  expect(vi.getTimerCount()).toBe(0)
  expect(done).not.toHaveBeenCalled()
})

it('gives the same at once', () => {
  expect(atOnce(counting(8))).toBe('8 steps')
})
