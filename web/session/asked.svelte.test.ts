import { flushSync } from 'svelte'
import { describe, expect, it } from 'vitest'
import { Asked, type Question } from './asked.svelte'
import { EngineState } from './engine.svelte'
import { FakeWorker, soon } from './fakeEngine'

type Statistics = Question<'statistics'>

function setUp() {
  const workers: FakeWorker[] = []
  const engine = new EngineState(() => {
    workers.push(new FakeWorker())
    return workers.at(-1) as FakeWorker
  })
  engine.start('cpu', 'auto')
  const worker = () => workers.at(-1) as FakeWorker
  const views: (() => void)[] = []
  const requests = (question: () => Statistics | undefined) => {
    let created: Asked<'statistics'> | undefined
    views.push($effect.root(() => void (created = new Asked(engine, 'statistics', question))))
    flushSync()
    return created as Asked<'statistics'>
  }
  return { engine, worker, requests }
}

const of = (run: number): Statistics => ({ name: `${run}`, asks: { run } })
const answer = (run: number) => ({ run, layers: 1, heads: 1, numbers: Float32Array.of(run) })

it('two views that ask the same ask once, and both are told', async () => {
  const { worker, requests } = setUp()
  const views = [requests(() => of(1)), requests(() => of(1))]
  const questions = worker().requests('statistics')
  expect(questions.length).toBe(1)
  await worker().answer(questions[0]!, answer(1))
  expect(views.map(({ value, of }) => [value?.run, of])).toEqual([
    [1, '1'],
    [1, '1'],
  ])
})

it('only the newest question counts, and going back asks nothing', async () => {
  const { worker, requests } = setUp()
  let run = $state(1)
  const view = requests(() => of(run))
  run = 2
  flushSync()
  const [first, second] = worker().requests('statistics')
  await worker().answer(second!, answer(2))
  await worker().answer(first!, answer(1))
  expect([view.value?.run, view.of]).toEqual([2, '2'])
  run = 1
  flushSync()
  await soon()
  expect([worker().requests('statistics').length, view.value?.run]).toEqual([2, 1])
})

it('a question that another view’s newer one took the place of is asked again, while it is still wanted', async () => {
  const { worker, requests } = setUp()
  let [one, two] = $state([1, 2])
  const views = [requests(() => of(one)), requests(() => of(1)), requests(() => of(two))]
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
  expect(views.map(({ value }) => value?.run)).toEqual([3, 1, 3])
})

describe('a question to a model that is on its way', () => {
  async function setUpFlow() {
    const { engine, worker } = setUp()
    engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: [] })
    await worker().loaded()
    const choice = $state({ text: 'one', head: 1 })
    $effect.root(() => {
      new Asked(engine, 'flow', () => {
        void choice.head
        return { name: choice.text, of: engine.model!, asks: { ids: Uint32Array.of(1), positionOffset: 0 } }
      })
    })
    flushSync()
    return { worker, choice, questions: () => worker().requests('flow') }
  }

  it('is not asked once more where only something else changes', async () => {
    const { choice, questions } = await setUpFlow()
    choice.head = 2
    flushSync()
    expect(questions().length).toBe(1)
  })

  it('is not asked for ever: of two under one name the older gives way', async () => {
    const { worker, choice, questions } = await setUpFlow()
    for (const text of ['two', 'one']) {
      choice.text = text
      flushSync()
    }
    const [first, second] = questions()
    await worker().refuse(first!, 'superseded')
    await worker().refuse(second!, 'superseded')
    expect(questions().length).toBe(3)
  })
})

it('an answer that is not there any more leaves the one before', async () => {
  const { worker, requests } = setUp()
  let run = $state(1)
  const view = requests(() => of(run))
  await worker().answer(worker().requests('statistics')[0]!, answer(1))
  run = 2
  flushSync()
  await worker().refuse(worker().requests('statistics')[1]!, 'gone')
  expect([view.latest?.run, view.of]).toEqual([1, '1'])
})

it('the answer to the question before is no answer to the one that stands now', async () => {
  const { worker, requests } = setUp()
  let run = $state(1)
  const view = requests(() => of(run))
  await worker().answer(worker().requests('statistics')[0]!, answer(1))
  expect(view.value?.run).toBe(1)
  run = 2
  flushSync()
  expect([view.value, view.latest?.run]).toEqual([undefined, 1])
  await worker().answer(worker().requests('statistics')[1]!, answer(2))
  expect(view.value?.run).toBe(2)
})

it('what was told of a model is not told once another took its place', async () => {
  const { engine, worker, requests } = setUp()
  engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: [] })
  await worker().loaded()
  let run = $state(1)
  const view = requests(() => of(run))
  await worker().answer(worker().requests('statistics')[0]!, answer(1))
  engine.load({ kind: 'url', base: 'http://host/n/', name: 'n', files: [] })
  await worker().loaded()
  run = 2
  flushSync()
  expect(view.latest).toBeUndefined()
})
