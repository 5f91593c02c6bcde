import { flushSync } from 'svelte'
import { describe, expect, it } from 'vitest'
import { Beside, type BesideRun } from './beside.svelte'
import type { HeadPlace } from '../viewstate/choice'
import { EngineState } from './engine.svelte'
import { FakeWorker, headOf, soon } from './fakeEngine'
import { rooted } from './rooted.svelte'

async function setUp() {
  const worker = new FakeWorker()
  const engine = new EngineState(() => worker)
  engine.start('cpu', 'auto')
  engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: [] })
  await worker.loaded()
  const { model } = engine
  if (!model) throw new Error('no model')
  const of = (text: string, changed = ''): BesideRun => ({ model, reading: model.tokenizer.encode(text), changed })
  const wanted = rooted<(BesideRun & { place: HeadPlace }) | undefined>(undefined)
  const { made: beside, end } = wanted.make(() => new Beside(() => wanted.value))
  const want = async (run: BesideRun, layer: number, head: number) => {
    wanted.value = { ...run, place: { layer, head } }
    flushSync()
    await soon()
  }
  const shown = () => {
    const { head } = beside.value ?? {}
    return head && [head.run, head.layer, head.head]
  }
  return { worker, beside, of, want, shown, end }
}

describe('a run beside', () => {
  it('is asked for once; other heads of it are read, and nothing runs', async () => {
    const { worker, of, want, shown } = await setUp()
    const run = of('the cat sat')
    await want(run, 2, 6)
    const [asked] = worker.asked('beside')
    expect(asked?.params).toMatchObject({ layer: 2, head: 6, positionOffset: 0, ids: run.reading.ids })
    expect(asked?.params).not.toHaveProperty('change')
    await worker.answer(asked!, headOf(asked!.id, 2, 6, 5))
    expect(shown()).toEqual([asked?.id, 2, 6])
    await want(run, 1, 3)
    const [head] = worker.asked('head')
    expect(head?.params).toMatchObject({ run: asked?.id, layer: 1, head: 3 })
    await worker.answer(head!, headOf(asked!.id, 1, 3, 5))
    expect(shown()).toEqual([asked?.id, 1, 3])
    await want(run, 2, 6)
    expect(shown()).toEqual([asked?.id, 2, 6])
    expect([worker.asked('beside').length, worker.asked('head').length, worker.asked('run').length]).toEqual([1, 1, 0])
  })

  it('that is under way when another head is chosen runs once, and the newest head counts', async () => {
    const { worker, of, want, shown } = await setUp()
    const run = of('the cat sat')
    await want(run, 2, 6)
    await want(run, 1, 3)
    expect(worker.asked('beside').length).toBe(1)
    const [asked] = worker.asked('beside')
    await worker.answer(asked!, headOf(asked!.id, 2, 6, 5))
    expect(shown()).toBeUndefined()
    await worker.answer(worker.asked('head')[0]!, headOf(asked!.id, 1, 3, 5))
    expect(shown()).toEqual([asked?.id, 1, 3])
  })

  it('of another text or change runs, with what is changed in it', async () => {
    const { worker, of, want, beside } = await setUp()
    await want(of('the cat sat'), 0, 0)
    const changed = JSON.stringify({ offset: 7, scaling: '{"rope_type":"linear","factor":4}' })
    const run = of('the dog', changed)
    await want(run, 0, 0)
    const [first, second] = worker.asked('beside')
    expect(second?.params).toMatchObject({
      positionOffset: 7,
      change: { ropeScaling: '{"rope_type":"linear","factor":4}', off: [], muted: [] },
    })
    // The answer to the first comes late, and is none.
    await worker.answer(second!, headOf(second!.id, 0, 0, 4))
    await worker.answer(first!, headOf(first!.id, 0, 0, 5))
    expect(beside.value?.head.run).toBe(second?.id)
    expect(beside.value?.of.changed).toBe(changed)
  })

  it('that the engine holds no more runs again', async () => {
    const { worker, of, want, shown } = await setUp()
    const run = of('the cat sat')
    await want(run, 0, 0)
    const [first] = worker.asked('beside')
    await worker.answer(first!, headOf(first!.id, 0, 0, 5))
    await want(run, 1, 1)
    await worker.refuse(worker.asked('head')[0]!, 'gone')
    const again = worker.asked('beside')[1]
    expect(again?.params).toMatchObject({ layer: 1, head: 1 })
    await worker.answer(again!, headOf(again!.id, 1, 1, 5))
    expect(shown()).toEqual([again?.id, 1, 1])
  })

  it('that the engine refuses says why, until another one is there', async () => {
    const { worker, of, want, beside } = await setUp()
    await want(of('the cat sat'), 0, 0)
    const [first] = worker.asked('beside')
    worker.say({
      type: 'failed',
      id: first!.id,
      failure: { code: 'invalid-input', message: 'no such rope', retryable: false },
    })
    await soon()
    expect(beside.failure?.message).toBe('no such rope')
    await want(of('the dog'), 0, 0)
    const second = worker.asked('beside')[1]
    await worker.answer(second!, headOf(second!.id, 0, 0, 4))
    expect(beside.failure).toBeUndefined()
  })
})
