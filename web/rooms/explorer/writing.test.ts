import { describe, expect, it } from 'vitest'
import { endWords, samplingWords } from './writing'

describe('how a text ended', () => {
  it('is said with its number of tokens', () => {
    expect(endWords({ why: 'end', tokens: 22 })).toBe('the model ended the text with its 22nd token')
    expect(endWords({ why: 'end', tokens: 113 })).toContain('113th')
    expect(endWords({ why: 'length', tokens: 48 })).toBe('48 tokens: as long as it may become')
    expect(endWords({ why: 'stopped', tokens: 1 })).toBe('stopped after 1 token')
  })
})

describe('the settings in a line', () => {
  const neutral = { temperature: 1, topK: 40, topP: 1, minP: 0, repetitionPenalty: 1, seed: 3 }

  it('name what does something', () => {
    expect(samplingWords(neutral)).toBe('temperature 1, top-k 40, seed 3')
    expect(samplingWords({ ...neutral, topP: 0.95, minP: 0.05, repetitionPenalty: 1.1 })).toBe(
      'temperature 1, top-k 40, top-p 0.95, min-p 0.05, repetition penalty 1.1, seed 3',
    )
  })

  it('leave out what does nothing where nothing is drawn', () => {
    expect(samplingWords({ ...neutral, temperature: 0, topP: 0.5 })).toBe('always the likeliest token')
  })
})
