import { describe, expect, it } from 'vitest'
import { t } from './messages.en'
import { samplingWords } from './SamplingSettings.svelte'

describe('how a text ended', () => {
  it('is said with its number of tokens', () => {
    const { ended } = t().writing
    expect(ended.end(22)).toBe('the model ended the text after 22 tokens')
    expect(ended.length(48)).toBe('stopped at the limit of 48 tokens')
    expect(ended.stop(1)).toBe('you stopped it after 1 token')
  })
})

describe('the settings in a line', () => {
  const neutral = { temperature: 1, topK: 40, topP: 1, minP: 0, repetitionPenalty: 1, seed: 3 }

  it('name what does something', () => {
    expect(samplingWords(neutral)).toBe('temperature 1, top-k 40, seed 3')
    expect(samplingWords({ ...neutral, topK: 0 })).toBe('temperature 1, seed 3')
    expect(samplingWords({ ...neutral, topP: 0.95, minP: 0.05, repetitionPenalty: 1.1 })).toBe(
      'temperature 1, top-k 40, top-p 0.95, min-p 0.05, repetition penalty 1.1, seed 3',
    )
  })

  it('leave out what does nothing where nothing is drawn', () => {
    expect(samplingWords({ ...neutral, temperature: 0, topP: 0.5 })).toBe('always the likeliest token')
  })
})
