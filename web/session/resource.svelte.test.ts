import { flushSync } from 'svelte'
import { describe, expect, it } from 'vitest'
import { t as failures } from '../engine/client/failures.en'
import { engineFailure } from '../engine/protocol/failure'
import { newest, resource, type Resource } from './resource.svelte'
import { EngineState } from './engine.svelte'
import { FakeWorker, soon } from '../testing/fakeEngine'

interface Publication {
  params: { run: number }
}
type Statistics = Resource<'statistics', Publication>

function setUp() {
  const workers: FakeWorker[] = []
  const engine = new EngineState(() => {
    workers.push(new FakeWorker())
    return workers.at(-1) as FakeWorker
  })
  engine.start('cpu', 'auto')
  const worker = () => workers.at(-1) as FakeWorker
  const views: (() => void)[] = []
  const follow = (request: () => Publication | undefined) => {
    let created: Statistics | undefined
    views.push($effect.root(() => void (created = resource(engine, 'statistics', request))))
    flushSync()
    return created as Statistics
  }
  return { engine, worker, follow }
}

const of = (run: number): Publication => ({ params: { run } })
const answer = (run: number) => ({ run, layers: 1, heads: 1, numbers: Float32Array.of(run) })

it('sends equal requests once, and all requesters get the answer', async () => {
  const { worker, follow } = setUp()
  const resources = [follow(() => of(1)), follow(() => of(1))]
  const questions = worker().requests('statistics')
  expect(questions.length).toBe(1)
  expect(resources.map(({ status }) => status)).toEqual(['loading', 'loading'])
  await worker().answer(questions[0]!, answer(1))
  expect(resources.map(({ current, status }) => [current?.run, status])).toEqual([
    [1, 'ready'],
    [1, 'ready'],
  ])
})

it('drops the answer to an earlier request, and going back sends nothing', async () => {
  const { worker, follow } = setUp()
  let run = $state(1)
  const statistics = follow(() => of(run))
  run = 2
  flushSync()
  const [first, second] = worker().requests('statistics')
  await worker().answer(second!, answer(2))
  await worker().answer(first!, answer(1))
  expect(statistics.current?.run).toBe(2)
  run = 1
  flushSync()
  await soon()
  expect([worker().requests('statistics').length, statistics.current?.run]).toEqual([2, 1])
})

it('repeats a superseded request while its key still holds', async () => {
  const { worker, follow } = setUp()
  let [one, two] = $state([1, 2])
  const resources = [follow(() => of(one)), follow(() => of(1)), follow(() => of(two))]
  const questions = () => worker().requests('statistics')
  expect(new Set(questions().map(({ slot }) => slot)).size).toBe(2)
  one = 3
  two = 3
  flushSync()
  await worker().refuse(questions()[0]!, 'superseded')
  await worker().refuse(questions()[1]!, 'superseded')
  expect(questions().map(({ params }) => params.run)).toEqual([1, 2, 3, 1])
  await worker().answer(questions()[3]!, answer(1))
  await worker().answer(questions()[2]!, answer(3))
  expect(resources.map(({ current }) => current?.run)).toEqual([3, 1, 3])
})

describe('a request to a model', () => {
  async function setUpFlow() {
    const { engine, worker } = setUp()
    engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: [] })
    await worker().loaded()
    const choice = $state({ token: 1, head: 1 })
    $effect.root(() => {
      resource(engine, 'flow', () => {
        void choice.head
        return { model: engine.model!, params: { ids: Uint32Array.of(choice.token), positionOffset: 0 } }
      })
    })
    flushSync()
    return { worker, choice, questions: () => worker().requests('flow') }
  }

  it('is not sent again where only something else changes', async () => {
    const { choice, questions } = await setUpFlow()
    choice.head = 2
    flushSync()
    expect(questions().length).toBe(1)
  })

  it('is sent again when it was superseded and holds again', async () => {
    const { worker, choice, questions } = await setUpFlow()
    for (const token of [2, 1]) {
      choice.token = token
      flushSync()
    }
    const [first, second] = questions()
    await worker().refuse(first!, 'superseded')
    await worker().refuse(second!, 'superseded')
    expect(questions().map(({ params }) => params.ids[0])).toEqual([1, 2, 1])
  })
})

it('is sent again by a new request of the same name after its device was lost, or it failed', async () => {
  const { worker, follow } = setUp()
  let renewed = $state(0)
  const statistics = follow(() => (void renewed, of(1)))
  const requests = () => worker().requests('statistics')
  for (const failure of [engineFailure('restarted', {}, true), engineFailure('device-lost', {}, true)]) {
    const sent = requests().length
    await worker().fail(requests().at(-1)!, failure)
    flushSync()
    expect(requests().length, failure.code).toBe(sent)
    renewed++
    flushSync()
    expect(requests().length, failure.code).toBe(sent + 1)
  }
  expect(statistics.status).toBe('failed')
  await worker().answer(requests().at(-1)!, answer(1))
  expect([statistics.status, statistics.current?.run]).toEqual(['ready', 1])
})

it('says that a run is gone, and keeps the answer before as stale', async () => {
  const { worker, follow } = setUp()
  let run = $state(1)
  const statistics = follow(() => of(run))
  await worker().answer(worker().requests('statistics')[0]!, answer(1))
  run = 2
  flushSync()
  await worker().refuse(worker().requests('statistics')[1]!, 'gone')
  const { current, latest, stale, status } = statistics
  expect([current, latest?.value.run, latest?.request.params.run, stale, status]).toEqual([
    undefined,
    1,
    1,
    true,
    'gone',
  ])
})

it('fails where the engine is given up, and is sent again to the next one', async () => {
  const { engine, worker, follow } = setUp()
  const statistics = follow(() => of(1))
  const crash = async () => {
    worker().say({ type: 'crashed', message: 'unreachable' })
    await soon()
  }
  for (const status of ['loading', 'loading', 'failed']) {
    await crash()
    expect(statistics.status).toBe(status)
  }
  const { code, message, retryable } = statistics.failure!
  expect([code, message, retryable]).toEqual(['no-engine', failures()['no-engine']({}), true])
  const another = follow(() => of(2))
  await soon()
  expect(another.status, 'another request').toBe('failed')
  engine.start('cpu', 'auto')
  await soon()
  expect([statistics.status, statistics.failure]).toEqual(['loading', undefined])
  await worker().answer(worker().requests('statistics')[0]!, answer(1))
  expect(statistics.current?.run).toBe(1)
})

it('answers exactly the present request; the answer before stays as the latest', async () => {
  const { worker, follow } = setUp()
  let run = $state(1)
  const statistics = follow(() => of(run))
  await worker().answer(worker().requests('statistics')[0]!, answer(1))
  expect([statistics.current?.run, statistics.stale]).toEqual([1, false])
  run = 2
  flushSync()
  expect([statistics.current, statistics.latest?.value.run, statistics.stale]).toEqual([undefined, 1, true])
  await worker().answer(worker().requests('statistics')[1]!, answer(2))
  expect(statistics.current?.run).toBe(2)
})

it('keeps no answer about a model that another one replaced', async () => {
  const { engine, worker, follow } = setUp()
  engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: [] })
  await worker().loaded()
  let run = $state(1)
  const statistics = follow(() => of(run))
  await worker().answer(worker().requests('statistics')[0]!, answer(1))
  engine.load({ kind: 'url', base: 'http://host/n/', name: 'n', files: [] })
  await worker().loaded()
  run = 2
  flushSync()
  expect(statistics.latest).toBeUndefined()
})

it('keeps no answer about a replaced model that came from the cache', async () => {
  const { engine, worker, follow } = setUp()
  engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: [] })
  await worker().loaded()
  let run = $state(1)
  const statistics = follow(() => of(run))
  await worker().answer(worker().requests('statistics')[0]!, answer(1))
  run = 2
  flushSync()
  await worker().answer(worker().requests('statistics')[1]!, answer(2))
  run = 1
  flushSync()
  expect(statistics.current?.run).toBe(1)
  engine.load({ kind: 'url', base: 'http://host/n/', name: 'n', files: [] })
  await worker().loaded()
  flushSync()
  run = 3
  flushSync()
  expect(statistics.latest).toBeUndefined()
})

it('what several answers make up stays while one of them is loading, and is stale', () => {
  let [one, other] = $state.raw<(number | undefined)[]>([undefined, 1])
  let computed = 0
  const end = $effect.root(() => {
    const sum = newest(() => (one === undefined || other === undefined ? undefined : one + other))
    const text = $derived((computed++, String(sum.value)))
    const state = () => [text, sum.stale]
    expect(state()).toEqual(['undefined', false])
    one = 2
    expect(state()).toEqual(['3', false])
    other = undefined
    expect(state()).toEqual(['3', true])
    other = 1
    expect([...state(), computed]).toEqual(['3', false, 2])
  })
  end()
})
