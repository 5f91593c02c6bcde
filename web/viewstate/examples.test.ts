import { describe, expect, it } from 'vitest'
import type { ModelInfo } from '../engine/protocol/protocol'
import { deep } from '../i18n/facts'
import { betterExample, examples, examplesOf } from './examples'

const model = (told: Partial<ModelInfo>) => ({ name: 'any', is_decoder: false, predicts_tokens: true, ...told })
const encoder = {} as NonNullable<ModelInfo['encoder']>
const numbers = model({ name: 'marian-numbers', is_decoder: true, encoder })
const ids = (told: Parameters<typeof examplesOf>[0]) => examplesOf(told).map(({ id }) => id)

describe('examples', () => {
  it('are of the kind of the model', () => {
    expect(ids(model({}))).toContain('oneBack')
    expect(ids(model({ is_decoder: true }))).toContain('story')
    expect(ids(numbers)).toEqual(['yearHu', 'yearKo', 'dateEn', 'numberHu'])
    // What another encoder–decoder reads is not known.
    expect(ids(model({ is_decoder: true, encoder }))).toEqual([])
    expect(ids(undefined)).not.toContain('yearHu')
    const all = [model({}), model({ is_decoder: true }), numbers].flatMap(ids)
    for (const { id } of examples) expect(all).toContain(id)
  })

  it('have “deep” and “learning” as far apart as Read says', () => {
    const distance = (id: string) => examples.filter((one) => one.id === id).map(({ query, key }) => query - key)
    expect([distance('near'), distance('far')]).toEqual([[deep.near], [deep.far]])
  })

  it('give way to one of the next model’s kind, and to nothing else', () => {
    const [first] = examples
    expect(betterExample(first.text, numbers)?.id).toBe('yearHu')
    expect(betterExample(examplesOf(numbers)[0]?.text ?? '', model({}))?.id).toBe('oneBack')
    expect(betterExample('typed', numbers)).toBeUndefined()
    expect(betterExample(first.text, model({ is_decoder: true, encoder }))).toBeUndefined()
  })
})
