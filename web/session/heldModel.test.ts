import { expect, it } from 'vitest'
import { EngineClient, type EngineEvent } from '../engine/client/client'
import { FakeWorker, files, soon } from './fakeEngine'
import type { CutWords } from '../text/chineseWords'
import { Holder, type HeldModel } from './heldModel'

const chinese = {
  vocabulary: ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', '今天'].join('\n'),
  config: JSON.stringify({ tokenizer_class: 'RoFormerTokenizer' }),
}

function setUp(words: () => Promise<CutWords> = () => Promise.reject(new Error('none'))) {
  const worker = new FakeWorker()
  const [held, refused]: [HeldModel[], unknown[]] = [[], []]
  const hear = (event: EngineEvent) => {
    if (event.type === 'tokenizer') holder.prepare(event)
    if (event.type === 'loaded')
      holder.hold(
        event,
        (model) => held.push(model),
        (reason) => refused.push(reason),
      )
  }
  const client = new EngineClient(() => worker, hear)
  const holder = new Holder(client, words)
  client.start('cpu')
  const load = (name: string) => client.load({ kind: 'url', base: `http://host/${name}/`, name, files: [] })
  return { worker, held, refused, load }
}

it('a model is asked by its door, which says which model is meant', async () => {
  const { worker, held, load } = setUp()
  load('A')
  await worker.loaded({ name: 'A' })
  const answer = held[0]?.ask('loss', { ids: new Uint32Array(2), batch: 1, labels: new Int32Array(2) })
  const [asked] = worker.asked('loss')
  expect(asked?.params).toMatchObject({ model: held[0]?.version, batch: 1 })
  await worker.answer(asked!, { mean: 2, labels: 2 })
  expect(await answer).toEqual({ status: 'ok', result: { mean: 2, labels: 2 } })
})

it('a tokenizer that came ahead is taken for its own model alone', async () => {
  const { worker, held, refused, load } = setUp()
  load('A')
  const id = worker.newestLoad
  worker.say({ type: 'tokenizer', id, tokenizer: files })
  await worker.loaded({}, id, { tokenizer: 'no JSON' })
  expect([held.length, refused.length]).toEqual([1, 0])
  load('B')
  await worker.loaded({}, worker.newestLoad, { tokenizer: 'no JSON' })
  expect([held.length, refused]).toMatchObject([1, [{ code: 'tokenizer' }]])
})

it('a model that waits for words is left where a newer one has come, and refused where there are none', async () => {
  const bring: ((ablated: CutWords) => void)[] = []
  const { worker, held, load } = setUp(() => new Promise((resolve) => bring.push(resolve)))
  load('A')
  await worker.loaded({ name: 'A' }, worker.newestLoad, chinese)
  load('B')
  await worker.loaded({ name: 'B' })
  bring[0]?.((text) => [text])
  await soon()
  expect(held.map(({ whole }) => whole.name)).toEqual(['B'])
  load('C')
  await worker.loaded({ name: 'C' }, worker.newestLoad, chinese)
  bring[1]?.((text) => [text])
  await soon()
  expect(Array.from(held[1]?.tokenizer.encode('今天').shown ?? [])).toEqual(['[CLS]', '今天', '[SEP]'])

  const without = setUp()
  without.load('A')
  await without.worker.loaded({ name: 'A' }, without.worker.newestLoad, chinese)
  expect([without.held, without.refused]).toMatchObject([[], [{ message: 'none' }]])
})
