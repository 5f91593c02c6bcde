import { flushSync } from 'svelte'
import { expect, it } from 'vitest'
import { EngineState } from './engine.svelte'
import { encoderDecoder, FakeWorker, headOf, soon } from '../testing/fakeEngine'
import { inRoot } from '../testing/inRoot.svelte'
import { SecondModel, type SecondModelInput } from './secondModel.svelte'

class Counted extends FakeWorker {
  ended = false
  override terminate(): void {
    this.ended = true
  }
}

async function setUp() {
  const workers: Counted[] = []
  const engine = new EngineState(() => {
    workers.push(new Counted())
    return workers.at(-1) as Counted
  })
  engine.start('cpu', 'auto')
  const input = inRoot<SecondModelInput | undefined>(undefined)
  const { result: second, end } = input.make(() => new SecondModel(engine, () => input.value))
  const want = async (value: SecondModelInput | undefined) => {
    input.value = value
    flushSync()
    await soon()
  }
  return { workers, second, want, end }
}

const source = { kind: 'url', base: 'http://host/other/', name: 'other', files: [] } as const
const usual: SecondModelInput = {
  source,
  backend: 'cpu',
  weights: 'auto',
  text: 'the cat sat',
  choice: { beyond: false, part: 'cross' },
  place: { layer: 9, head: 6 },
}

it('another model has a worker of its own, which begins when it is wanted and ends when it is not', async () => {
  const { workers, second, want, end } = await setUp()
  expect(workers.length).toBe(1)
  await want(usual)
  expect(workers.length).toBe(2)
  expect(workers[1]?.sent.map(({ type }) => type)).toEqual(['start', 'load'])
  await want(undefined)
  expect(workers.map(({ ended }) => ended)).toEqual([false, true])
  expect(second.head).toBeUndefined()
  await want(usual)
  expect(workers.length).toBe(3)
  end()
  expect(workers.map(({ ended }) => ended)).toEqual([false, true, true])
})

it('it runs the text without interventions, and clamps the head', async () => {
  const { workers, second, want } = await setUp()
  await want(usual)
  const worker = workers[1] as Counted
  await worker.loaded({ num_hidden_layers: 2 })
  flushSync()
  await soon()
  const answerLast = async () => {
    const { id, params } = worker.requests('comparisonHead').at(-1)!
    await worker.answer(
      worker.requests('comparisonHead').at(-1)!,
      headOf(id, params.layer, params.head, params.ids.length),
    )
  }
  const [first] = worker.requests('comparisonHead')
  expect(first?.params).toMatchObject({ layer: 1, head: 6, positionOffset: 0 })
  expect(first?.params).not.toHaveProperty('change')
  await answerLast()
  expect(second.head?.value).toMatchObject({ layer: 1, head: 6 })
  await want({ ...usual, place: { layer: 0, head: 3 } })
  expect(worker.requests('comparisonHead').at(-1)?.params).toMatchObject({ layer: 0, head: 3, ids: first?.params.ids })
  await answerLast()
  expect(second.head?.value).toMatchObject({ layer: 0, head: 3 })
  await want({ ...usual, text: 'the dog' })
  expect([worker.requests('comparisonHead').length, second.head]).toEqual([3, undefined])
  await answerLast()
  expect([worker.requests('run').length, second.head?.request.text, workers.length]).toEqual([0, 'the dog', 2])
})

it('a head of another part of an encoder–decoder is not its head', async () => {
  const { workers, second, want } = await setUp()
  await want({ ...usual, text: 'the cat\tthe dog' })
  const worker = workers[1] as Counted
  await worker.loaded(encoderDecoder)
  flushSync()
  await soon()
  const answerLast = async () => {
    const request = worker.requests('comparisonHead').at(-1)!
    await worker.answer(request, headOf(request.id, request.params.layer, request.params.head, 8))
  }
  await answerLast()
  expect(second.head?.request.reading.pair?.part).toBe('cross')
  await want({ ...usual, text: 'the cat\tthe dog', choice: { beyond: false, part: 'decoder' } })
  expect(second.head).toBeUndefined()
  await answerLast()
  expect(second.head?.request.reading.pair?.part).toBe('decoder')
})

it('a model that cannot be read says why', async () => {
  const { workers, second, want } = await setUp()
  await want(usual)
  const worker = workers[1] as Counted
  worker.say({
    type: 'failed',
    id: worker.newestLoad,
    failure: { code: 'fetch-failed', message: 'it is not there', retryable: true },
  })
  await soon()
  expect(second.trouble).toContain('it is not there')
})
