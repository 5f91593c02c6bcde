import { expect, test } from 'vitest'
import { bases, courseWords, distances, drawn, headSizes } from './decayCurves'

const curve = (...bound: number[]) => ({
  of: 'yours' as const,
  headSize: 8,
  base: 10_000,
  bound: Float64Array.from(bound),
})

test('curves are told apart by their stroke', () => {
  const curves = drawn([curve(2.5, 1), curve(2.5, 2), curve(1, 1)])
  expect(new Set(curves.map(({ stroke }) => stroke)).size).toBe(3)
  expect(curves.every(({ start }) => start === 0)).toBe(true)
  expect(curves[0]?.label).toBe('yours: d = 8, base 10,000')
})

test('the course of a curve says where it is lowest, which need not be its end', () => {
  expect(courseWords(curve(2.5, 1.25, 1.74))).toBe('yours: 2.50 at distance 0, 1.74 at 2; lowest at 1, 1.25.')
  expect(courseWords(curve(2.5, 1.74, 1.25))).toBe('yours: 2.50 at distance 0, 1.25 at 2, its lowest.')
  expect(courseWords(curve())).toBe('')
})

test('sliders hold the values the page starts from', () => {
  for (const headSize of [32, 64, 128]) expect(headSizes).toContain(headSize)
  expect(headSizes.every((size) => size % 2 === 0)).toBe(true)
  expect(bases).toContain(10_000)
  expect(distances).toContain(256)
})
