import { expect, it } from 'vitest'
import { EngineClient, type EngineEvent } from '../engine/client/client'
import { FakeWorker, files, soon } from '../testing/fakeEngine'
import type { CutWords } from '../text/chineseWords'
import { ModelOpener, type EngineModel } from './engineModel'

const chinese = {
  vocabulary: ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', '今天'].join('\n'),
  config: JSON.stringify({ tokenizer_class: 'RoFormerTokenizer' }),
}

function setUp(words: () => Promise<CutWords> = () => Promise.reject(new Error('none'))) {
  const worker = new FakeWorker()
  const [models, refused]: [EngineModel[], unknown[]] = [[], []]
  const hear = (event: EngineEvent) => {
    if (event.type === 'tokenizer') holder.prepare(event)
    if (event.type === 'loaded')
      holder.open(
        event,
        (model) => models.push(model),
        (reason) => refused.push(reason),
      )
  }
  const client = new EngineClient(() => worker, hear)
  const holder = new ModelOpener(client, words)
  client.start('cpu')
  const load = (name: string) => client.load({ kind: 'url', base: `http://host/${name}/`, name, files: [] })
  return { worker, models, refused, load }
}

it('a model is asked by its door, which says which model is meant', async () => {
  const { worker, models, load } = setUp()
  load('A')
  await worker.loaded({ name: 'A' })
  const answer = models[0]?.ask('loss', { ids: new Uint32Array(2), batch: 1, labels: new Int32Array(2) })
  const [requests] = worker.requests('loss')
  expect(requests?.params).toMatchObject({ model: models[0]?.version, batch: 1 })
  await worker.answer(requests!, { mean: 2, labels: 2 })
  expect(await answer).toEqual({ status: 'ok', result: { mean: 2, labels: 2 } })
})

it('a tokenizer that came ahead is taken for its own model alone', async () => {
  const { worker, models, refused, load } = setUp()
  load('A')
  const id = worker.newestLoad
  worker.say({ type: 'tokenizer', id, tokenizer: files })
  await worker.loaded({}, id, { tokenizer: 'no JSON' })
  expect([models.length, refused.length]).toEqual([1, 0])
  load('B')
  await worker.loaded({}, worker.newestLoad, { tokenizer: 'no JSON' })
  expect([models.length, refused]).toMatchObject([1, [{ code: 'tokenizer' }]])
})

it('a model that waits for words is left where a newer one has come, and refused where there are none', async () => {
  const bring: ((ablated: CutWords) => void)[] = []
  const { worker, models, load } = setUp(() => new Promise((resolve) => bring.push(resolve)))
  load('A')
  await worker.loaded({ name: 'A' }, worker.newestLoad, chinese)
  load('B')
  await worker.loaded({ name: 'B' })
  bring[0]?.((text) => [text])
  await soon()
  expect(models.map(({ fullInfo }) => fullInfo.name)).toEqual(['B'])
  load('C')
  await worker.loaded({ name: 'C' }, worker.newestLoad, chinese)
  bring[1]?.((text) => [text])
  await soon()
  expect(Array.from(models[1]?.tokenizer.encode('今天').display ?? [])).toEqual(['[CLS]', '今天', '[SEP]'])

  const without = setUp()
  without.load('A')
  await without.worker.loaded({ name: 'A' }, without.worker.newestLoad, chinese)
  expect([without.models, without.refused]).toMatchObject([[], [{ message: 'none' }]])
})
