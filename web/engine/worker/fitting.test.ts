import { expect, test } from 'vitest'
import type { WeightBytes } from '../protocol/weights'
import { fitting } from './fitting'

/** Of a model with so many parameters, stored as 16 bits. */
const of = (parameters: number): WeightBytes => ({
  f32: 4 * parameters,
  f16: 2 * parameters,
  bf16: 2 * parameters,
  int8: 1.06 * parameters,
  int4: 0.56 * parameters,
  stored: 2 * parameters,
})

test('the most exact way that fits is taken', () => {
  expect(fitting(of(5e6), 'cpu', 8)).toBe('f32')
  expect(fitting(of(64e6), 'gpu', 0.5)).toBe('f32')
  expect(fitting(of(135e6), 'cpu', 8)).toBe('stored')
  expect(fitting(of(135e6), 'gpu', undefined)).toBe('stored')
  expect(fitting(of(1.2e9), 'gpu', 8)).toBe('stored')
  expect(fitting(of(1.5e9), 'cpu', 8)).toBe('int8')
  expect(fitting(of(1.5e9), 'gpu', 4)).toBe('int8')
  expect(fitting(of(4e9), 'cpu', 8)).toBe('int4')
})

test('what is stored as f32 is as large as that', () => {
  expect(fitting({ ...of(1e9), stored: 4e9 }, 'cpu', 8)).toBe('int8')
})
