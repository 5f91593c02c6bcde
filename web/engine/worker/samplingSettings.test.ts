// Sampling settings that the engine refuses, and the tokens that others leave.
import { expect, it } from 'vitest'
import { InThreadWorker, openBench } from '../../testing/inThreadWorker'
import { mostCandidates, type GenerationSettings, type Sampling } from '../protocol/generation'

const sampling: Sampling = { temperature: 1, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1, seed: 0 }
/** Of a text after a source. */
const rules: Partial<GenerationSettings> = { source: [1], badWords: [], noRepeat: 0, minLength: 0 }
const opened = openBench(new InThreadWorker(), 'roformer-english-causal', 'the cat')

async function written(settings: Partial<GenerationSettings>) {
  const { bench } = await opened
  const tokens: unknown[] = []
  const filled = { ...sampling, candidates: 3, maxNewTokens: 2, stopIds: [], beyondLength: false, ...settings }
  const request = { ids: Uint32Array.of(2, 9), settings: filled }
  const onChunk = (token: unknown) => tokens.push(token)
  const reply = await bench.engine.model!.ask('generate', request, { onChunk })
  return { reply, tokens }
}

it.each([
  ['topK', [-1, 0.5, 2.9, 2 ** 32], { kind: 'integer-between', least: 0, most: 2 ** 32 - 1 }],
  ['seed', [-1, 0.5, 2 ** 53], { kind: 'integer-between', least: 0, most: 2 ** 53 - 1 }],
  ['candidates', [-3, 0.5, mostCandidates + 1], { kind: 'integer-between', least: 0, most: mostCandidates }],
  ['maxNewTokens', [-1, 0, 1.5, Infinity], { kind: 'integer-between', least: 1, most: 2 ** 32 - 1 }],
  ['noRepeat', [-1, 2.5], { kind: 'integer-between', least: 0, most: 2 ** 32 - 1 }],
  ['minLength', [-1, 2.5], { kind: 'integer-between', least: 0, most: 2 ** 32 - 1 }],
])('refuses a %s that is no whole number in its range', async (key, values, expected) => {
  for (const value of values) {
    const { reply, tokens } = await written({ ...(key in rules ? rules : {}), [key]: value })
    expect(reply, String(value)).toMatchObject({
      status: 'failed',
      failure: { code: 'invalid-sampling-setting', parameters: { key, expected } },
    })
    expect(tokens).toEqual([])
  }
})

it('counts all tokens that the settings leave, also those that are not listed', async () => {
  const { bench } = await opened
  const { vocab_size } = bench.engine.model!.info
  const left = async (settings: Partial<GenerationSettings>) =>
    (await written(settings)).tokens.map((token) => (token as { left: number }).left)
  expect(await left({})).toEqual([vocab_size, vocab_size])
  expect(await left({ topK: 64 })).toEqual([64, 64])
  expect(await left({ topK: 300 })).toEqual([300, 300])
  expect(await left({ temperature: 0 })).toEqual([1, 1])
  const next = async (settings: Partial<Sampling>) => {
    const params = { run: bench.run!.id, settings: { ...sampling, ...settings } }
    return (await bench.run!.model.ask('candidates', params)) as unknown
  }
  for (const topK of [5, 64, 300]) expect(await next({ topK })).toMatchObject({ result: { left: topK } })
})
