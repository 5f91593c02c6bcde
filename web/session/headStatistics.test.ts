import { describe, expect, it } from 'vitest'
import type { HeadByDistance } from '../engine/protocol/protocol'
import type { DescribedHead } from './describedHeads'
import { t as headMessages } from '../charts/head-grid/messages.en'
import {
  knownOf,
  largest,
  least,
  nearestKnown,
  headsOfBook,
  headsOfText,
  partOf,
  rankOf,
  sortedBy,
  statisticIds,
  statistics,
  headByHead,
  type MeasuredHead,
  EveryHead,
  type RunOfHeads,
} from './headStatistics.svelte'
import { flushSync } from 'svelte'
import { failure } from '../engine/protocol/failure'
import { longestForAllHeads } from '../engine/protocol/byDistance'
import { EngineState } from './engine.svelte'
import { FakeWorker, soon } from '../testing/fakeEngine'
import { inRoot } from '../testing/inRoot.svelte'

const described = (layer: number, head: number, over: Partial<DescribedHead> = {}): DescribedHead => ({
  layer,
  head,
  previous: 0.5,
  next: 0.25,
  same: 0.1,
  repeated: 0.05,
  special: 0,
  ...over,
})

const head = (layer: number, head: number, distance: number, entropy = 1): MeasuredHead => ({
  layer,
  head,
  numbers: { distance, entropy },
})

const four = [head(0, 0, 3, 4), head(0, 1, 1, 3), head(1, 0, 7, 1), head(1, 1, 1, 2)]
const names = (heads: readonly MeasuredHead[]) => heads.map(({ layer, head }) => `${layer}.${head}`)

describe('statistics', () => {
  it('are listed once each, and all have words', () => {
    expect(statistics.map(({ id }) => id).sort()).toEqual([...statisticIds].sort())
    for (const { id, text, book } of statistics) {
      expect(headMessages().statistics.statistics[id].name).not.toBe('')
      expect(book).toBe(id)
      expect(text === undefined).toBe(headByHead.includes(id))
    }
    expect(statistics.flatMap(({ text }) => text ?? []).sort()).toEqual([...Array(10).keys()])
  })

  it('of cross-attention have nothing of distances', () => {
    const numbers = Float32Array.from({ length: 40 }, (_, index) => index)
    const known = knownOf(headsOfText({ layers: 2, heads: 2, numbers }, true))
    expect(known).toEqual(['entropy', 'largest', 'first', 'repeated', 'induction', 'special'])
  })

  it('of the text are read in the order of the engine, entropies in bits', () => {
    const numbers = Float32Array.from({ length: 40 }, (_, index) => index)
    const heads = headsOfText({ layers: 2, heads: 2, numbers }, false)
    expect(names(heads)).toEqual(['0.0', '0.1', '1.0', '1.1'])
    const { entropy, ...others } = heads[1]?.numbers ?? {}
    expect(entropy).toBeCloseTo(10 / Math.log(2), 12)
    const weights = {
      previous: 12,
      same: 13,
      next: 14,
      first: 15,
      largest: 16,
      repeated: 17,
      special: 18,
      induction: 19,
    }
    expect(others).toEqual({ distance: 11, ...weights })
    expect(headsOfText({ layers: 0, heads: 0, numbers: new Float32Array(0) }, false)).toEqual([])
  })

  it('that take a walk over all heads are known once all are told', () => {
    const numbers = new Float32Array(40)
    const curves = (correlation: number) =>
      ({ correlation, strength: Float64Array.of(1, 3), constancy: Float64Array.of(1, 0.5) }) as HeadByDistance
    expect(
      knownOf(headsOfText({ layers: 2, heads: 2, numbers }, false, [curves(1), curves(1), curves(1)])),
    ).not.toContain('correlation')
    const heads = headsOfText({ layers: 2, heads: 2, numbers }, false, [
      curves(-0.5),
      curves(0.25),
      curves(0),
      curves(1),
    ])
    expect(heads[0]?.numbers).toMatchObject({ concentration: 0.625, correlation: -0.5 })
    expect(least(heads, 'correlation')).toBe(-0.5)
    expect(least(heads, 'concentration')).toBe(0)
    expect(heads.map(partOf(heads, 'correlation'))).toEqual([0, 0.25, 0, 1])
  })

  it('of the book are what the file holds', () => {
    const heads = headsOfBook({
      book: 'A Book',
      heads: [described(1, 0, { entropy: Math.LN2, distance: 2 }), described(0, 0)],
    })
    expect(names(heads)).toEqual(['0.0', '1.0'])
    expect(heads[1]?.numbers).toMatchObject({ entropy: 1, distance: 2, previous: 0.5, special: 0 })
    // One head without them: there is no such axis.
    expect(knownOf(heads)).toEqual(['previous', 'same', 'next', 'repeated', 'special'])
    expect(knownOf([])).toEqual([])
    expect(
      knownOf(headsOfText({ layers: 1, heads: 1, numbers: new Float32Array([NaN, 1, 1, 1, 1, 1]) }, false)),
    ).not.toContain('entropy')
  })

  it('that are not known give way to one that is', () => {
    expect(nearestKnown(['entropy', 'first', 'special'], ['previous', 'special'])).toBe('special')
    expect(nearestKnown(['entropy'], ['previous', 'special'])).toBe('previous')
    expect(nearestKnown(['entropy'], [])).toBeUndefined()
  })

  it('shade from 0 to the largest', () => {
    expect(largest(four, 'distance')).toBe(7)
    expect(four.map(partOf(four, 'distance'))).toEqual([3 / 7, 1 / 7, 1, 1 / 7])
    expect(four.map(partOf(four, 'special'))).toEqual([0, 0, 0, 0])
  })

  it('sort, all heads or each layer by itself; equal ones stay as they were', () => {
    expect(names(sortedBy(four, 'distance'))).toEqual(['0.1', '1.1', '0.0', '1.0'])
    expect(names(sortedBy(four, 'distance', { falling: true }))).toEqual(['1.0', '0.0', '0.1', '1.1'])
    expect(names(sortedBy(four, 'distance', { within: true }))).toEqual(['0.1', '0.0', '1.1', '1.0'])
    expect(names(four)).toEqual(['0.0', '0.1', '1.0', '1.1'])
  })

  it('rank from the nearer end', () => {
    const rank = (at: number) => rankOf(four, 'distance', four[at] ?? head(0, 0, 0))
    expect(rank(2)).toEqual({ rank: 1, from: 'most' })
    expect(rank(0)).toEqual({ rank: 2, from: 'most' })
    expect(rank(1)).toEqual({ rank: 1, from: 'least' })
  })
})

const heads = (layer: number) => [0, 1].map((head) => ({ layer, head }) as HeadByDistance)

async function setUp() {
  const worker = new FakeWorker()
  const engine = new EngineState(() => worker)
  engine.start('cpu', 'auto')
  await soon()
  const current = inRoot<RunOfHeads | undefined>({ run: 7, length: 5 })
  const { result: every } = current.make(() => new EveryHead(engine, () => current.value))
  flushSync()
  const need = () => current.make(() => every.needWhile(() => true)).end
  const requests = () => worker.requests('everyHead')
  const part = async (layer: number) => {
    const id = requests().at(-1)?.id ?? -1
    worker.say({ type: 'chunk', id, kind: 'everyHead', chunk: heads(layer) } as Parameters<FakeWorker['say']>[0])
    await soon()
  }
  const answer = async () => {
    const newest = requests().at(-1)
    if (newest) await worker.answer(newest, { run: newest.params.run })
  }
  const settle = async () => {
    flushSync()
    await soon()
  }
  const stops = () => worker.sent.filter(({ type }) => type === 'stop').length
  return { worker, every, need, current, requests, part, answer, settle, stops }
}

describe('all heads by distance', () => {
  it('are read while a view needs them, once for all views, layer by layer', async () => {
    const { every, need, requests, part, answer, settle } = await setUp()
    expect(requests()).toEqual([])
    const one = need()
    const other = need()
    await settle()
    expect(requests().map(({ params }) => params)).toEqual([{ run: 7 }])
    await part(0)
    expect(every.heads).toHaveLength(2)
    await part(1)
    await answer()
    expect(every.heads.map(({ layer, head }) => `${layer}.${head}`)).toEqual(['0.0', '0.1', '1.0', '1.1'])
    one()
    other()
    await settle()
    need()
    await settle()
    expect(requests()).toHaveLength(1)
  })

  it('of another run replace the request in flight', async () => {
    const { every, need, current, requests, part, settle, stops } = await setUp()
    const end = need()
    await settle()
    await part(0)
    // Another head of the same run.
    current.value = { run: 7, length: 5 }
    await settle()
    expect([requests().length, stops()]).toEqual([1, 0])
    current.value = { run: 9, length: 6 }
    await settle()
    expect(stops()).toBe(1)
    expect(every.heads).toEqual([])
    expect(requests().at(-1)?.params).toEqual({ run: 9 })
    end()
    await settle()
    expect(stops()).toBe(2)
  })

  it('are not read of a long text, nor without a result', async () => {
    const { every, need, current, requests, settle } = await setUp()
    current.value = { run: 8, length: longestForAllHeads + 1 }
    need()
    await settle()
    expect(every.tooLong).toBe(true)
    current.value = undefined
    await settle()
    expect(requests()).toEqual([])
  })

  it('that fail leave nothing behind', async () => {
    const { worker, every, need, requests, settle } = await setUp()
    need()
    await settle()
    const { code, message, retryable } = failure('gpu', 'refused')
    worker.say({ type: 'failed', id: requests()[0]?.id ?? -1, failure: { code, message, retryable } })
    await settle()
    expect(every.heads).toEqual([])
  })
})
