import { flushSync } from 'svelte'
import { expect, it } from 'vitest'
import { t as failures } from '../engine/client/failures.en'
import { EngineState } from './engine.svelte'
import { FakeWorker, soon } from '../testing/fakeEngine'
import { inRoot } from '../testing/inRoot.svelte'
import { series, streamed, type Step } from './series.svelte'

interface Named {
  params: { name: string }
}

const palette = (step: Step) => step('palette', { params: { stops: new Uint8Array() } })

async function setUp() {
  const workers: FakeWorker[] = []
  const engine = new EngineState(() => {
    workers.push(new FakeWorker())
    return workers.at(-1) as FakeWorker
  })
  engine.start('cpu', 'auto')
  const worker = () => workers.at(-1) as FakeWorker
  const request = inRoot<Named>({ params: { name: 'palettes' } })
  /** Two steps, and how many were made before. */
  async function* measure(_: Named, step: Step, before = 0) {
    for (let steps = before; steps < 2;) {
      await palette(step)
      yield ++steps
    }
  }
  const make = () => request.make(() => series(engine, 'test', () => request.value, measure))
  const { result: measured, end } = make()
  flushSync()
  const answer = () => worker().answer(worker().requests('palette').at(-1)!, new Uint8Array())
  const crash = async () => {
    worker().say({ type: 'crashed', message: 'unreachable' })
    await soon()
  }
  return { engine, worker, request, measured, answer, crash, make, end }
}

it('goes on where it was when its request comes back', async () => {
  const { request, measured, answer, end } = await setUp()
  await answer()
  expect([measured.current, measured.status]).toEqual([1, 'loading'])
  request.value = { params: { name: 'others' } }
  flushSync()
  expect([measured.current, measured.latest?.value]).toEqual([undefined, 1])
  request.value = { params: { name: 'palettes' } }
  flushSync()
  expect(measured.current).toBe(1)
  await answer()
  expect([measured.current, measured.status]).toEqual([2, 'ready'])
  end()
})

it('begins anew in a worker that replaces its own, and fails where none does', async () => {
  const { engine, measured, answer, crash, end } = await setUp()
  await answer()
  for (let crashes = 1; crashes < 3; crashes++) {
    await crash()
    expect([measured.current, measured.status, measured.failure]).toEqual([undefined, 'loading', undefined])
  }
  await answer()
  await crash()
  expect([measured.current, measured.status]).toEqual([1, 'failed'])
  expect(measured.failure).toMatchObject({ code: 'no-engine', message: failures()['no-engine']({}) })
  engine.start('cpu', 'auto')
  await soon()
  expect([measured.status, measured.failure]).toEqual(['loading', undefined])
  await answer()
  await answer()
  expect([measured.current, measured.status]).toEqual([2, 'ready'])
  end()
})

it('is measured once for all that have its request, until the last one ends', async () => {
  const { worker, measured, answer, make, end } = await setUp()
  const { result: other, end: endOther } = make()
  flushSync()
  expect(worker().requests('palette').length).toBe(1)
  await answer()
  expect([measured.current, other.current, worker().requests('palette').length]).toEqual([1, 1, 2])
  const stops = () => worker().sent.filter(({ type }) => type === 'stop').length
  end()
  expect(stops()).toBe(0)
  await answer()
  expect([other.current, other.status]).toEqual([2, 'ready'])
  const { result: later, end: endLater } = make()
  flushSync()
  expect([later.current, worker().requests('palette').length]).toEqual([2, 2])
  endLater()
  endOther()
})

it('stops when nobody has its request', async () => {
  const { worker, end } = await setUp()
  end()
  expect(worker().sent.at(-1)).toMatchObject({ type: 'stop', id: worker().requests('palette')[0]!.id })
})

it('keeps no value about a model that another one replaced', async () => {
  const { engine, worker, end } = await setUp()
  const run = inRoot(1)
  const load = async (name: string) => {
    engine.load({ kind: 'url', base: `http://host/${name}/`, name, files: [] })
    await worker().loaded()
  }
  await load('m')
  const { result: heads, end: endHeads } = run.make(() =>
    streamed(engine, 'everyHead', () => ({ params: { run: run.value } })),
  )
  flushSync()
  const [request] = worker().requests('everyHead')
  worker().say({ type: 'chunk', id: request!.id, kind: 'everyHead', chunk: [] })
  await soon()
  run.value = 2
  flushSync()
  expect([heads.current, heads.latest?.value.chunks, heads.stale]).toEqual([undefined, [[]], true])
  await load('n')
  expect(heads.latest).toBeUndefined()
  endHeads()
  end()
})
