// A bench with a model that is loaded, in a world of fakes.
import { Bench } from './bench.svelte'
import { EngineState } from './engine.svelte'
import { FakeWorker, soon } from './fakeEngine'
import { fakePlace } from '../viewstate/fakePlace'

export const text = 'the dog sat on the floor'
export const link = (values: Record<string, string> = {}) => `#${new URLSearchParams({ text, ...values })}`

export async function setUp(hash = link()) {
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
  await worker().loaded()
  const runs = () => worker().asked('run')
  const tokens = () => bench.shown?.reading.tokens.join(' ')
  const queryToken = () => bench.shown?.reading.tokens[bench.seen.query]
  return { bench, engine, worker, workers, runs, history, tokens, queryToken }
}
