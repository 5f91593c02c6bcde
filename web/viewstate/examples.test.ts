import { describe, expect, it } from 'vitest'
import type { ModelInfo } from '../engine/protocol/protocol'
import { deep } from '../i18n/facts'
import { betterExample, examples, examplesOf } from './examples'

type ModelFeatures = NonNullable<Parameters<typeof examplesOf>[0]>
const model = (features: Partial<ModelFeatures>): ModelFeatures => ({
  name: 'any',
  architecture: 'RoFormerForMaskedLM',
  is_decoder: false,
  predicts_tokens: true,
  ...features,
})
const encoder = {} as NonNullable<ModelInfo['encoder']>
const numbers = model({ name: 'marian-numbers', is_decoder: true, encoder })
const causal = model({ is_decoder: true })
const translator = model({ is_decoder: true, encoder })
const esm = model({ architecture: 'EsmForMaskedLM' })
const chinese = model({ name: 'junnyu/roformer_chinese_char_small' })
const ids = (kind: ModelFeatures | undefined) => examplesOf(kind).map(({ id }) => id)

describe('examples', () => {
  it('are of the kind of the model', () => {
    expect(ids(model({}))).toContain('oneBack')
    expect(ids(causal)).toContain('story')
    expect(ids(numbers)).toEqual(['yearHu', 'yearKo', 'dateEn', 'numberHu'])
    expect(ids(esm)).toEqual(['protein'])
    expect(ids(chinese)).toEqual(['park'])
    expect(ids(undefined)).not.toContain('yearHu')
    const all = [model({}), causal, numbers, esm, chinese].map(ids).flat()
    for (const { id } of examples) expect(all).toContain(id)
  })

  it('have no mask for a model that fills none', () => {
    const headless = model({ is_decoder: true, predicts_tokens: false })
    for (const kind of [causal, headless, translator, numbers, esm]) {
      expect(examplesOf(kind)).not.toHaveLength(0)
      for (const { text } of examplesOf(kind)) expect(text).not.toContain('[MASK]')
    }
  })

  it('have “deep” and “learning” as far apart as Read says', () => {
    const distance = (id: string) => examples.filter((one) => one.id === id).map(({ query, key }) => query - key)
    expect([distance('near'), distance('far')]).toEqual([[deep.near], [deep.far]])
  })

  it('give way to the first one of the next model, and to nothing else', () => {
    const [first] = examples
    expect(betterExample(first.text, numbers)?.id).toBe('yearHu')
    expect(betterExample(examplesOf(numbers)[0]?.text ?? '', model({}))?.id).toBe('oneBack')
    expect(betterExample('typed', numbers)).toBeUndefined()
    expect(betterExample(first.text, causal)?.id).toBe('story')
    expect(betterExample(first.text, translator)?.id).toBe('near')
    // What both models read, too.
    expect(betterExample(examplesOf(causal)[0]?.text ?? '', model({}))?.id).toBe('oneBack')
    expect(betterExample(first.text, model({}))).toBeUndefined()
  })
})
