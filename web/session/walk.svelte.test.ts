import { flushSync } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { link, setUp } from '../testing/fakeBench'
import { Walk, walkPath } from './walk.svelte'

describe('the path of a walk', () => {
  const path = (query: number, key: number, length: number, causal = false) => {
    const distances = walkPath({ query, key, keys: causal ? query + 1 : length })
    return [distances[0], distances.at(-1), distances.length]
  }

  it('passes the tokens of the text, from twelve back to six ahead', () => {
    expect(path(20, 19, 40)).toEqual([12, -6, 19])
    expect(path(9, 8, 22)).toEqual([9, -6, 16])
    expect(path(4, 3, 6)).toEqual([4, -1, 6])
  })

  it('ends at the query in a causal model', () => {
    expect(path(9, 8, 22, true)).toEqual([9, 0, 10])
    expect(path(8, 9, 22, true)).toEqual([undefined, undefined, 0])
  })

  it('encloses a key that is far away', () => {
    expect(path(100, 50, 200)).toEqual([62, 44, 19])
    expect(path(50, 100, 200)).toEqual([-38, -56, 19])
  })

  it('passes the source around the key in cross-attention', () => {
    expect(path(10, 4, 6)).toEqual([10, 5, 6])
    expect(path(60, 20, 40)).toEqual([52, 34, 19])
  })
})

describe('a walk', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  const open = async () => {
    vi.useRealTimers()
    const { bench, worker } = await setUp(link({ query: '3', key: '2' }))
    await worker().ran()
    flushSync()
    vi.useFakeTimers()
    const frames: ((now: number) => void)[] = []
    const motion = {
      reduced: false,
      next: (draw: (now: number) => void) => {
        frames.push(draw)
        return () => void frames.splice(frames.indexOf(draw), 1)
      },
    }
    return { bench, walk: new Walk(bench, motion), worker, motion, frames }
  }

  it('goes from token to token, rests at the key’s own, and puts the key back', async () => {
    const { walk } = await open()
    expect([walk.distance, walk.position, walk.playing]).toEqual([undefined, undefined, false])
    walk.play()
    const distances: (number | undefined)[] = [walk.distance]
    while (walk.playing && distances.length < 40) {
      vi.advanceTimersByTime(400)
      if (walk.distance !== distances.at(-1)) distances.push(walk.distance)
    }
    expect(distances).toEqual([...walk.path, undefined])
    expect(walk.playing).toBe(false)
  })

  it('glides from token to token, unless motion is unwelcome', async () => {
    const { walk, motion, frames } = await open()
    walk.moveTo(3)
    expect([walk.position, frames.length]).toEqual([3, 0])
    walk.moveTo(2)
    for (const now of [1000, 1150]) frames.shift()?.(now)
    expect([walk.distance, walk.position]).toEqual([2, 2.5])
    frames.shift()?.(1400)
    expect([walk.position, frames.length]).toEqual([2, 0])
    motion.reduced = true
    walk.moveTo(1)
    expect([walk.position, frames.length]).toEqual([1, 0])
    walk.stop()
    walk.play()
    expect([walk.playing, walk.step]).toEqual([false, 1])
    walk.play()
    expect([walk.playing, walk.step]).toEqual([false, 2])
  })

  it('is stepped, which pauses it, and goes on from there', async () => {
    const { walk } = await open()
    walk.play()
    walk.stepBy(1)
    expect([walk.playing, walk.step]).toEqual([false, 2])
    vi.advanceTimersByTime(5000)
    expect(walk.step).toBe(2)
    walk.stepBy(-1)
    walk.stepBy(-1)
    expect(walk.step).toBe(1)
    walk.play()
    vi.advanceTimersByTime(400)
    expect(walk.step).toBe(2)
    walk.stop()
  })

  it('ends with the choice of another key, and runs nothing', async () => {
    const { bench, walk, worker } = await open()
    const runs = worker().requests('run').length
    walk.moveTo(0)
    expect(walk.distance).toBe(0)
    bench.choose({ key: 1 })
    flushSync()
    expect([walk.distance, walk.step]).toEqual([undefined, undefined])
    bench.walk.moveTo(0)
    bench.choose({ key: 2 })
    flushSync()
    bench.choose({ key: 1 })
    flushSync()
    expect(bench.walk.distance, 'of the bench, after another choice and back').toBeUndefined()
    expect(worker().requests('run')).toHaveLength(runs)
  })
})
