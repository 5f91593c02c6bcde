import { expect, it } from 'vitest'
import { FakeWorker, soon } from '../testing/fakeEngine'
import { loader } from './load'

async function setUp(over: Parameters<FakeWorker['loaded']>[0]) {
  const workers: FakeWorker[] = []
  const spawn = () => {
    workers.push(new FakeWorker())
    return workers.at(-1) as FakeWorker
  }
  const worker = () => workers.at(-1) as FakeWorker
  const loading = loader({ spawn, base: () => 'http://host/' })('models/a/')
  await soon()
  await worker().loaded(over)
  return { model: await loading, worker }
}

const chunkOf = ({ id, kind }: { id: number; kind: string }, token: number, ended: 'end' | null = null) =>
  ({ type: 'chunk', id, kind, chunk: { id: token, candidates: [], left: 1, ended } }) as Parameters<
    FakeWorker['say']
  >[0]

it('a generation that a crash interrupts starts again, and no token comes twice', async () => {
  const { model, worker } = await setUp({ is_decoder: true, predicts_tokens: true })
  const ids: number[] = []
  const reading = (async () => {
    for await (const { id } of model.generate('the')) ids.push(id)
  })()
  await soon()
  const [first] = worker().requests('generate')
  for (const token of [70, 71]) worker().say(chunkOf(first!, token))
  await soon()
  expect(ids).toEqual([70, 71])
  worker().say({ type: 'crashed', message: 'unreachable' })
  await worker().loaded({ is_decoder: true, predicts_tokens: true })
  const [again] = worker().requests('generate')
  expect(again?.params).toMatchObject({ ids: first?.params.ids, settings: first?.params.settings })
  for (const token of [70, 71, 72]) worker().say(chunkOf(again!, token, token === 72 ? 'end' : null))
  await worker().answer(again!, 'end')
  await reading
  expect(ids).toEqual([70, 71, 72])
})

it('a source or beams are refused where the model has no encoder', async () => {
  const { model } = await setUp({ is_decoder: true, predicts_tokens: true })
  await expect(model.run({ source: 'the', text: 'cat' })).rejects.toMatchObject({ code: 'no-source' })
  await expect(model.generate('the', { numBeams: 2 }).next()).rejects.toMatchObject({ code: 'no-beams' })
})

it('an encoder–decoder follows its generation_config.json: its beams, or one where a temperature is set', async () => {
  const writing = {
    beams: 4,
    lengthPenalty: 1,
    stopping: 'likely',
    badWords: [],
    noRepeat: 0,
    minLength: 0,
    forcedFirst: [],
    forcedLast: [2],
    maxLength: 30,
  } as const
  const encoder = { num_hidden_layers: 1, num_attention_heads: 1, head_size: 2, scale: 1, vocab_size: 8192 }
  const pair = { is_decoder: true, predicts_tokens: true, encoder, decoder_start_token_id: 3 }
  const { model, worker } = await setUp({
    ...pair,
    writing: { ...writing, badWords: [], forcedFirst: [], forcedLast: [2] },
  })
  const settings = async (options: Parameters<typeof model.generate>[1]) => {
    const pieces: unknown[] = []
    const reading = (async () => {
      for await (const piece of model.generate({ source: 'the cat', text: '' }, options)) pieces.push(piece)
    })()
    await soon()
    const request = worker().requests('generate').at(-1)!
    const ids = [...request.params.ids, 70, 2]
    worker().say({
      type: 'chunk',
      id: request.id,
      kind: 'generate',
      chunk: { ids: [...request.params.ids, 71], ended: null },
    } as never)
    worker().say({ type: 'chunk', id: request.id, kind: 'generate', chunk: { ids, ended: 'end' } } as never)
    await worker().answer(request, 'end')
    await reading
    return { ...request.params, pieces }
  }
  const greedy = await settings({})
  expect(Array.from(greedy.ids)).toEqual([3])
  expect(greedy.settings).toMatchObject({ beams: 4, temperature: 0, maxNewTokens: 29 })
  expect(greedy.settings.source?.length).toBeGreaterThan(2)
  // Of a search only the text that it found is greedy.
  expect(greedy.pieces).toMatchObject([
    { id: 70, ended: null },
    { id: 2, text: '', ended: 'end' },
  ])
  expect((await settings({ temperature: 1 })).settings).toMatchObject({ beams: 1, temperature: 1 })
  expect((await settings({ numBeams: 2, maxNewTokens: 5 })).settings).toMatchObject({ beams: 2, maxNewTokens: 5 })
})
