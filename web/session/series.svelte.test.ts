import { flushSync } from 'svelte'
import { expect, it } from 'vitest'
import { t as failures } from '../engine/client/failures.en'
import { EngineState } from './engine.svelte'
import { FakeWorker, soon } from '../testing/fakeEngine'
import { rooted } from '../testing/rooted.svelte'
import { series, type SeriesRequest, type Step } from './series.svelte'

const palette = (step: Step) => step('palette', { params: { stops: new Uint8Array() } })

async function setUp() {
  const workers: FakeWorker[] = []
  const engine = new EngineState(() => {
    workers.push(new FakeWorker())
    return workers.at(-1) as FakeWorker
  })
  engine.start('cpu', 'auto')
  const worker = () => workers.at(-1) as FakeWorker
  const request = rooted<SeriesRequest>({ name: 'palettes' })
  /** Two steps, and how many were made before. */
  async function* measure(_: SeriesRequest, step: Step, before = 0) {
    for (let steps = before; steps < 2;) {
      await palette(step)
      yield ++steps
    }
  }
  const { result: measured, end } = request.make(() => series(engine, () => request.value, measure))
  flushSync()
  const answer = () => worker().answer(worker().requests('palette').at(-1)!, new Uint8Array())
  const crash = async () => {
    worker().say({ type: 'crashed', message: 'unreachable' })
    await soon()
  }
  return { engine, worker, request, measured, answer, crash, end }
}

it('goes on where it was when its request comes back', async () => {
  const { request, measured, answer, end } = await setUp()
  await answer()
  expect([measured.current, measured.status]).toEqual([1, 'loading'])
  request.value = { name: 'others' }
  flushSync()
  expect([measured.current, measured.latest?.value]).toEqual([undefined, 1])
  request.value = { name: 'palettes' }
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
