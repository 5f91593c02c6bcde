import { expect, it } from 'vitest'
import { Bench } from './bench.svelte'
import { EngineState } from './engine.svelte'
import { FakeWorker, soon } from '../testing/fakeEngine'
import { fakePlace } from '../testing/fakeBench'
import { noteMeasured, unsavedOf } from './series.svelte'

it('what a reload loses is named, and a text is nothing of it', async () => {
  const worker = new FakeWorker()
  const engine = new EngineState(() => worker)
  const bench = new Bench(engine, fakePlace('#text=the+dog').place)
  expect(unsavedOf(bench)).toEqual([])
  engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: [] })
  await soon()
  await worker.loaded()
  expect(unsavedOf(bench)).toEqual([])
  bench.choose({ text: 'the cat' })
  expect(unsavedOf(bench)).toEqual(['undo'])
  bench.undo()
  expect(unsavedOf(bench), 'what can be made again').toEqual(['undo'])
  engine.load({ kind: 'files', name: 'own', files: [] })
  await worker.loaded()
  expect(unsavedOf(bench)).toEqual(['files', 'undo'])
  if (engine.model) noteMeasured(engine.model)
  bench.generation.writing = true
  expect(unsavedOf(bench)).toEqual(['files', 'writing', 'losses', 'undo'])
})
