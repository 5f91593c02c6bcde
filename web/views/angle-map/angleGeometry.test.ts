import { expect, test } from 'vitest'
import { angleWords, cellAt, layOutAngles, paintAngles, placeMarks } from './angleGeometry'

const wavelengths = Float64Array.from({ length: 16 }, (_, pair) => 2 * Math.PI * 10_000 ** (pair / 16))
/** Grey: an entry's channels are its number. */
const table = Uint8Array.from({ length: 768 }, (_, index) => Math.floor(index / 3))

test('every pair has its wavelength where rows are high, and fewer where they are low', () => {
  expect(layOutAngles(500, 22, wavelengths, 1, null).labelled).toHaveLength(16)
  const many = layOutAngles(500, 22, new Float64Array(128).fill(7), 1, 77)
  expect(many.labelled).toContain(77)
  expect(many.labelled.length).toBeLessThan(40)
})

test('the picture fills the width in whole device pixels', () => {
  const map = layOutAngles(333.3, 512, wavelengths, 1.5, null)
  expect(Number.isInteger(map.pixels)).toBe(true)
  expect(map.left + map.width).toBeLessThanOrEqual(333.3)
  expect(map.left + map.width).toBeGreaterThan(320)
})

test('first full turns are marked only within the positions shown', () => {
  expect(layOutAngles(500, 22, wavelengths, 1, null).firstTurns.match(/M/g)).toHaveLength(3)
})

test('the cell under the pointer', () => {
  const map = layOutAngles(500, 22, wavelengths, 1, null)
  const x = map.left + 9.5 * map.columnPitch
  expect(cellAt(x, map.top + 2.5 * map.rowPitch, map, 22, 16)).toEqual({ position: 9, pair: 2 })
  expect(cellAt(map.left - 1, map.top + 1, map, 22, 16)).toBeNull()
  expect(cellAt(x, map.top + map.height, map, 22, 16)).toBeNull()
})

test('pairs go down and positions across', () => {
  const angles = Float32Array.of(0, 0, Math.PI, 0.1, Math.PI / 2, 0.2)
  const picture = paintAngles(angles, 3, 2, 3, table)
  const reds = Array.from({ length: 6 }, (_, index) => picture[index * 4])
  expect(reds).toEqual([0, 128, 64, 0, 4, 8])
})

test('what turns faster than can be shown goes flat', () => {
  const angles = Float32Array.of(0, Math.PI, 0, Math.PI)
  expect(paintAngles(angles, 4, 1, 1, table)[0]).toBe(64)
})

test('an angle in words', () => {
  expect(angleWords(9, 2, 19.87, Math.PI / 2)).toBe('position 9, pair 2 (λ 19.9): 90.0°')
})

test('names of marks stand apart and inside', () => {
  const map = layOutAngles(500, 22, wavelengths, 1, null)
  const anchors = (query: number, key: number) =>
    Object.fromEntries(
      placeMarks(
        [
          { name: 'query', position: query },
          { name: 'key', position: key },
        ],
        map,
        22,
        500,
      ).map((mark) => [mark.name, mark.anchor]),
    )
  expect(anchors(9, 8)).toEqual({ query: 'start', key: 'end' })
  expect(anchors(8, 9)).toEqual({ query: 'end', key: 'start' })
  expect(anchors(21, 8)).toEqual({ query: 'end', key: 'end' })
  expect(anchors(30, 8)).toEqual({ key: 'start' })
})
