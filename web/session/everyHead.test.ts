import { flushSync } from 'svelte'
import { describe, expect, it } from 'vitest'
import { failure } from '../engine/protocol/failure'
import { longestForAllHeads } from '../engine/protocol/byDistance'
import type { HeadByDistance } from '../engine/protocol/protocol'
import { EngineState } from './engine.svelte'
import { EveryHead, type RunOfHeads } from './everyHead.svelte'
import { FakeWorker, soon } from '../testing/fakeEngine'
import { inRoot } from '../testing/inRoot.svelte'

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
