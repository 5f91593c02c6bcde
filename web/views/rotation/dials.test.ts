import { expect, test } from 'vitest'
import { arc, dialColumns, dials, dialWords, movePair } from './dials'

const theta = Float64Array.of(1, 0.1, 0.001)
const wavelengths = theta.map((angle) => (2 * Math.PI) / angle)

test('hands turn by position times frequency, and are not cut to a turn', () => {
  const [fast, , slow] = dials(theta, wavelengths, 9, 8, 512)
  expect([fast?.query, fast?.key]).toEqual([9, 8])
  expect(slow?.query).toBeCloseTo(0.009, 12)
})

test('a pair that never completes a turn in the context is marked', () => {
  expect(dials(theta, wavelengths, 0, 0, 62).map((dial) => dial.completes)).toEqual([true, false, false])
  expect(dials(theta, wavelengths, 0, 0, 63).map((dial) => dial.completes)).toEqual([true, true, false])
})

test('the arc goes from the key to the query, counter-clockwise when the query is later', () => {
  const quarter = { pair: 0, wavelength: 4, query: Math.PI / 2, key: 0, completes: true }
  expect(arc(quarter, 10)).toBe('M10 0A10 10 0 0 0 0 -10')
  expect(arc({ ...quarter, query: 0, key: Math.PI / 2 }, 10)).toBe('M0 -10A10 10 0 0 1 10 0')
  expect(arc({ ...quarter, query: (3 * Math.PI) / 2 }, 10)).toBe('M10 0A10 10 0 1 0 0 10')
  expect(arc({ ...quarter, query: 0 }, 10)).toBe('')
})

test('a pair in words', () => {
  const [fast] = dials(theta, wavelengths, 9, 8, 512)
  expect(fast && dialWords(fast)).toBe('pair 0, λ 6.3 tokens: query has made 1.43 turns, key 1.27; 57.3° between them')
})

test('keys walk the dials row by row', () => {
  expect(movePair(null, 'right', 16, 8)).toBe(1)
  expect(movePair(3, 'down', 16, 8)).toBe(11)
  expect(movePair(11, 'down', 16, 8)).toBe(11)
  expect(movePair(11, 'last', 16, 8)).toBe(15)
  expect(movePair(11, 'leave', 16, 8)).toBeNull()
  expect(movePair(11, undefined, 16, 8)).toBeUndefined()
})

test('rows of dials are filled evenly', () => {
  expect(dialColumns(16, 334)).toBe(4)
  expect(dialColumns(16, 460)).toBe(8)
  expect(dialColumns(32, 560)).toBe(8)
  expect(dialColumns(1, 560)).toBe(1)
  expect(dialColumns(128, 334)).toBe(7)
  expect(dialColumns(0, 0)).toBe(1)
})
