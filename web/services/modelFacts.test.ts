import { expect, it } from 'vitest'
import { readFacts, unknownFacts } from './modelFacts'

const ropeOf = (config: object) => readFacts({ model_type: 'llama', ...config }).rope

it('reads a rope in both spellings, as the engine does', () => {
  expect(ropeOf({})).toEqual({ bases: [10_000] })
  expect(ropeOf({ rope_theta: 500_000 })).toEqual({ bases: [500_000] })
  expect(ropeOf({ rope_theta: 1, rope_parameters: { rope_theta: 100_000, rope_type: 'default' } })).toEqual({
    bases: [100_000],
  })
  expect(ropeOf({ rope_theta: 500_000, rope_scaling: { rope_type: 'llama3', factor: 32 } })).toEqual({
    bases: [500_000],
    scaling: { kind: 'llama3', factor: 32 },
  })
  expect(ropeOf({ rope_scaling: { type: 'linear', factor: 4 } })).toMatchObject({
    scaling: { kind: 'linear', factor: 4 },
  })
})

it('reads of two spellings in one file the older, as the engine does', () => {
  const both = {
    rope_parameters: { rope_type: 'default', rope_theta: 500_000 },
    rope_scaling: { type: 'linear', factor: 4 },
  }
  expect(ropeOf(both)).toEqual({ bases: [10_000], scaling: { kind: 'linear', factor: 4 } })
  expect(ropeOf({ ...both, rope_scaling: {} })).toEqual({ bases: [500_000] })
  const layered = { rope_parameters: { full_attention: { rope_theta: 2e6 } } }
  expect(ropeOf({ model_type: 'gemma3_text', ...layered, rope_scaling: { rope_type: 'linear', factor: 8 } })).toEqual({
    bases: [2_000_000, 10_000],
    scaling: { kind: 'linear', factor: 8 },
  })
  // Without its own settings a layer's type is the default, which `type` does not change.
  expect(ropeOf({ model_type: 'modernbert', rope_scaling: { type: 'linear', factor: 8 } })).toEqual({
    bases: [160_000, 10_000],
  })
})

it('names the bases of both kinds of layers', () => {
  expect(ropeOf({ model_type: 'modernbert' })).toEqual({ bases: [160_000, 10_000] })
  expect(
    ropeOf({
      model_type: 'gemma3_text',
      rope_parameters: { full_attention: { rope_theta: 2e6 }, sliding_attention: { rope_theta: 3e4 } },
    }),
  ).toEqual({ bases: [2_000_000, 30_000] })
})

it('says nothing of what it does not know', () => {
  for (const config of [undefined, 3, [], 'no JSON', '[]']) expect(readFacts(config)).toEqual(unknownFacts)
  expect(readFacts({ model_type: 'other', num_hidden_layers: -1, num_attention_heads: '8' })).toEqual({
    family: 'other',
    layers: [],
    heads: undefined,
    rope: undefined,
  })
})
