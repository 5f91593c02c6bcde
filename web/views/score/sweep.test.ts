import { expect, test } from 'vitest'
import type { ScoreParts } from '../../engine/protocol'
import { peakOf, peakWords, where } from './sweep'

/** A sweep over −2 … 2. */
function swept(...sweep: number[]): ScoreParts {
  const maxDistance = (sweep.length - 1) / 2
  return {
    parts: new Float64Array(),
    running: new Float64Array(),
    score: 0,
    sweep: Float64Array.from(sweep),
    maxDistance,
    steepest: 0,
  }
}

test('the peak is the highest score, and of equal ones the nearest', () => {
  expect(peakOf(swept(1, 2, 3, 9, 4))).toEqual({ distance: 1, score: 9 })
  expect(peakOf(swept(9, 2, 3, 9, 4))).toEqual({ distance: 1, score: 9 })
  expect(peakOf(swept(-9, -5, -9, -9, -9))).toEqual({ distance: -1, score: -5 })
})

test('a previous-token head is said to be one', () => {
  expect(peakWords(swept(1, 2, 3, 9, 4), 1)).toBe(
    'Highest at distance 1: this head’s best match of these two is one token back. That is where the key is.',
  )
})

test('a key off the peak is told how much it loses', () => {
  expect(peakWords(swept(1, 9, 3, 2, 4), 2)).toBe(
    'Highest at distance −1: this head’s best match of these two is one token ahead. The key is two tokens back, where the score is 5.00 lower.',
  )
  expect(peakWords(swept(1, 2, 9, 3, 4), 7)).toBe(
    'Highest at distance 0: this head’s best match of these two is on the query’s own place.',
  )
})

test('a flat sweep is not given a peak', () => {
  expect(peakWords(swept(3, 3.001, 3, 3, 3), 1)).toMatch(/^The same at every distance/)
})

test('distances in words', () => {
  expect([where(1), where(-2), where(12)]).toEqual(['one token back', 'two tokens ahead', '12 tokens back'])
})
