import { flushSync } from 'svelte'
import { describe, expect, it } from 'vitest'
import { failure } from '../engine/protocol/failure'
import type { EngineRequest } from '../engine/protocol/messages'
import { EngineState } from './engine.svelte'
import { FakeWorker, soon } from '../testing/fakeEngine'
import { HeldOutLoss, type MeasuredChange } from './heldOutLoss.svelte'
import { inRoot } from '../testing/inRoot.svelte'

/** Five rows of three tokens between [CLS] and [SEP], each with its second one masked. */
const text = JSON.stringify({
  book: 'A Book',
  rows: 5,
  length: 5,
  special: { first: 2, last: 3, mask: 4 },
  bits: 8,
  ids: btoa(String.fromCharCode(...Array.from({ length: 15 }, (_, index) => 10 + index))),
  masked: btoa(String.fromCharCode(0b01001001, 0b00100100)),
})

const change = (name: string, pair = 0): MeasuredChange => ({
  name,
  change: { muted: [{ layer: 0, head: null, pairs: [pair], kind: 'ablated' }] },
})

async function setUp({ files = ['held-out.json'], read = async () => text } = {}) {
  const workers: FakeWorker[] = []
  const engine = new EngineState(() => {
    workers.push(new FakeWorker())
    return workers.at(-1) as FakeWorker
  })
  const worker = () => workers.at(-1) as FakeWorker
  engine.start('cpu', 'auto')
  engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files })
  await soon()
  await worker().loaded({ vocab_size: 100 })
  const fetched: string[] = []
  const looked = inRoot<MeasuredChange | undefined>(undefined)
  const each = [change('cut 0'), change('cut 1', 1)]
  const { result: loss, end } = looked.make(
    () =>
      new HeldOutLoss(
        engine,
        () => looked.value,
        () => each,
        async (source, name) => {
          fetched.push(`${source.base}${name}`)
          return read()
        },
      ),
  )
  flushSync()
  const requests = () => worker().requests('loss')
  const newest = () => requests().at(-1) as EngineRequest<'loss'>
  const answer = (mean: number) => worker().answer(newest(), { mean, labels: newest().params.batch })
  const stops = () => worker().sent.filter(({ type }) => type === 'stop').length
  const start = async (goal: 'change' | 'each' = 'change') => {
    loss.start(goal)
    flushSync()
    await soon()
  }
  const look = async (to: MeasuredChange | undefined) => {
    looked.value = to
    flushSync()
    await soon()
  }
  return { engine, worker, loss, end, requests, newest, answer, stops, start, look, fetched }
}

describe('the loss on held-out text', () => {
  it('asks and fetches nothing before it is wanted', async () => {
    const { loss, requests, fetched, look } = await setUp()
    await look(change('b'))
    expect([loss.isServed, requests().length, fetched.length, loss.before]).toEqual([true, 0, 0, undefined])
  })

  it('is measured a few rows at a time, and its mean is over all tokens', async () => {
    const { loss, start, newest, requests, answer, fetched } = await setUp()
    await start()
    expect(fetched).toEqual(['http://host/m/held-out.json'])
    expect(newest().params).toMatchObject({ batch: 4, change: {} })
    expect([...newest().params.ids.slice(0, 5)]).toEqual([2, 10, 4, 12, 3])
    expect([...newest().params.labels.slice(0, 5)]).toEqual([-1, -1, 11, -1, -1])
    await answer(3)
    expect(loss.before).toEqual({ mean: 3, labels: 4 })
    expect(newest().params.batch).toBe(1)
    expect([...newest().params.ids]).toEqual([2, 22, 4, 24, 3])
    await answer(8)
    expect(loss.before).toEqual({ mean: 4, labels: 5 })
    expect([loss.measuring, loss.isComplete('change'), requests().length, loss.book]).toEqual([
      undefined,
      true,
      2,
      'A Book',
    ])
  })

  it('of a change is told with what it adds', async () => {
    const { loss, start, newest, answer, look } = await setUp()
    await look(change('b', 3))
    await start()
    await answer(3)
    await answer(8)
    expect(loss.added('b')).toBeUndefined()
    expect(newest().params.change).toEqual(change('b', 3).change)
    await answer(3.5)
    expect(loss.added('b')).toEqual({ before: 3, added: 0.5, labels: 4 })
    await answer(9)
    expect(loss.added('b')?.added).toBeCloseTo((0.5 * 4 + 1) / 5)
    expect(loss.isComplete('change')).toBe(true)
  })

  it('stops when another change is looked at, and has a first look at that one', async () => {
    const { loss, start, requests, newest, worker, answer, look, stops } = await setUp()
    await look(change('b'))
    await start('each')
    const former = newest()
    await look(change('c', 5))
    expect([stops(), loss.measuring]).toEqual([1, 'change'])
    // What was under way is told too late, and counts for nothing.
    await worker().answer(former, { mean: 100, labels: 4 })
    expect(loss.before).toBeUndefined()
    for (const mean of [3, 8, 4, 9]) await answer(mean)
    expect(requests().map(({ params }) => params.change)).toEqual([{}, {}, {}, ...Array(2).fill(change('c', 5).change)])
    expect(loss.added('c')?.added).toBeCloseTo(1)
    expect([loss.measuring, loss.isComplete('each')]).toEqual([undefined, false])
  })

  it('of each change goes on where it was stopped', async () => {
    const { loss, start, requests, answer } = await setUp()
    await start('each')
    await answer(3)
    await answer(8)
    await answer(4)
    loss.stop()
    expect([loss.measuring, loss.hasEach]).toEqual([undefined, true])
    const before = requests().length
    await start('each')
    for (const mean of [9, 5, 10]) await answer(mean)
    expect(requests().length).toBe(before + 3)
    expect(loss.added('cut 0')?.added).toBeCloseTo(1)
    expect(loss.added('cut 1')?.added).toBeCloseTo(2)
    expect(loss.isComplete('each')).toBe(true)
  })

  it('stops with the component, and is there when it comes back', async () => {
    const { engine, end, start, answer, stops, requests } = await setUp()
    await start()
    await answer(3)
    end()
    expect(stops()).toBe(1)
    const before = requests().length
    const { result: back, end: leave } = inRoot(undefined).make(
      () =>
        new HeldOutLoss(
          engine,
          () => undefined,
          () => [],
        ),
    )
    flushSync()
    expect([back.before, back.measuring, requests().length]).toEqual([{ mean: 3, labels: 4 }, undefined, before])
    leave()
  })

  it('of a model that is read again is measured anew, when that is wanted', async () => {
    const { engine, worker, loss, start, answer, requests } = await setUp()
    await start()
    await answer(3)
    engine.start('cpu', 'auto')
    await soon()
    await worker().loaded({ vocab_size: 100 })
    flushSync()
    expect([loss.before, loss.measuring, loss.failure, requests().length]).toEqual([undefined, undefined, undefined, 0])
    await start()
    expect(requests().length).toBe(1)
  })

  it('says why it could not be had, and can be tried again', async () => {
    let offline = true
    const { loss, start, requests } = await setUp({
      read: async () => {
        if (offline) throw failure('fetch-failed', 'no way', true)
        return text
      },
    })
    await start()
    expect([loss.failure?.message, loss.measuring, requests().length]).toEqual(['no way', undefined, 0])
    offline = false
    await start()
    expect([loss.failure, loss.measuring, requests().length]).toEqual([undefined, 'change', 1])
  })

  it('is not there for a model that comes without the text', async () => {
    const { loss, start, requests, fetched } = await setUp({ files: ['config.json'] })
    await start()
    expect([loss.isServed, loss.measuring, requests().length, fetched.length]).toEqual([false, undefined, 0, 0])
  })
})
