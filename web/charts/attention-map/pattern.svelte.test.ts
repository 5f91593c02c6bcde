import { flushSync } from 'svelte'
import { afterEach, expect, it, vi } from 'vitest'
import { PatternSearch } from './pattern.svelte'
import { headMap, type HeadMap } from './model'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A map whose tokens look `back` tokens back. */
function looking(back: number): HeadMap {
  const size = 12
  const values = new Float32Array(size * size)
  for (let query = 0; query < size; query++) values[query * size + Math.max(0, query - back)] = 1
  return headMap({ values, names: Array.from({ length: size }, String), causal: false })
}

const ids = Uint32Array.from({ length: 12 }, (_, token) => token)

it('is there at once where a map is small, and of this map alone', () => {
  // A busy machine takes no longer.
  vi.spyOn(performance, 'now').mockReturnValue(0)
  let map: HeadMap | undefined = $state.raw(looking(1))
  const end = $effect.root(() => {
    const found = new PatternSearch(
      () => map,
      () => ids,
    )
    flushSync()
    expect([found.isRunning, found.finding?.pattern?.pattern]).toEqual([false, 'previous'])
    map = looking(2)
    expect([found.isRunning, found.finding]).toEqual([true, undefined])
    flushSync()
    expect(found.finding?.pattern?.pattern).toBe('twoBack')
    map = undefined
    flushSync()
    expect([found.isRunning, found.finding]).toEqual([false, undefined])
  })
  end()
})

it('is sought in slices where that takes a while, and given up where another map takes its place', () => {
  vi.useFakeTimers()
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 20))
  let map = $state.raw(looking(1))
  const end = $effect.root(() => {
    const found = new PatternSearch(
      () => map,
      () => ids,
    )
    flushSync()
    expect(found.isRunning).toBe(true)
    vi.advanceTimersByTime(5)
    map = looking(2)
    flushSync()
    vi.runAllTimers()
    expect([found.isRunning, found.finding?.pattern?.pattern]).toEqual([false, 'twoBack'])
  })
  end()
})
