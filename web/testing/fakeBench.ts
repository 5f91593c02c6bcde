// A bench with a fake worker and a loaded model.
import type { ModelInfo } from '../engine/protocol/protocol'
import { Bench } from '../session/bench.svelte'
import { EngineState } from '../session/engine.svelte'
import { FakeWorker, soon } from './fakeEngine'
import { fakePlace } from './fakePlace'

export const text = 'the dog sat on the floor'
export const link = (values: Record<string, string> = {}) => `#${new URLSearchParams({ text, ...values })}`

/** @param before runs before the model is there */
export async function setUp(hash = link(), model: Partial<ModelInfo> = {}, before: (bench: Bench) => void = () => {}) {
  const workers: FakeWorker[] = []
  const engine = new EngineState(() => {
    workers.push(new FakeWorker())
    return workers.at(-1) as FakeWorker
  })
  const history = fakePlace(hash)
  const bench = new Bench(engine, history.place)
  engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: [] })
  await soon()
  const worker = () => workers.at(-1) as FakeWorker
  before(bench)
  await worker().loaded(model)
  const runs = () => worker().requests('run')
  const tokens = () => bench.run?.reading.tokens.join(' ')
  const queryToken = () => bench.run?.reading.tokens[bench.cursor.query]
  return { bench, engine, worker, workers, runs, history, tokens, queryToken }
}
