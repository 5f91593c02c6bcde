import { expect, test } from 'vitest'
import { headMap } from './model'
import { paint, painting, type Picture, signedScale, weightScale, roundReach, scaleOf, weightScales } from './paint'
import fc from 'fast-check'

/** Grey palette: an entry's red is its number. */
const palette = Uint8Array.from({ length: 768 }, (_, index) => Math.floor(index / 3))
const scale = weightScale('root')
const mapOf = (values: Float32Array, causal = false) =>
  headMap({ values, names: Array.from({ length: Math.sqrt(values.length) }, String), causal })

/** Red of each pixel; −1 where it is clear. */
function reds({ columns, rows, image }: Omit<Picture, 'image'> & { image: Uint8ClampedArray }): number[][] {
  return Array.from({ length: rows }, (_, y) =>
    Array.from({ length: columns }, (_, x) => {
      const at = (y * columns + x) * 4
      return image[at + 3] === 0 ? -1 : (image[at] ?? -1)
    }),
  )
}

test('a cell is a pixel, coloured by its scale', () => {
  const map = mapOf(Float32Array.of(1, 0, 0.25, 0.75))
  const part = { query: 0, key: 0, queries: 2, keys: 2 }
  expect(reds(paint({ map, part, most: 400, scale, palette }))).toEqual([
    [255, 0],
    [128, 221],
  ])
})

test('rows of pixels are painted one after the other, and what is not painted yet is clear', () => {
  const map = mapOf(Float32Array.of(1, 0, 0.25, 0.75))
  const request = { map, part: { query: 0, key: 0, queries: 2, keys: 2 }, most: 400, scale, palette }
  const steps = painting(request)
  const pictures: number[][][] = []
  for (let step = steps.next(); !step.done; step = steps.next()) pictures.push(reds(step.value))
  expect(pictures).toEqual([
    [
      [255, 0],
      [-1, -1],
    ],
    [
      [255, 0],
      [128, 221],
    ],
  ])
  const first = painting({
    ...request,
    over: paint({ ...request, map: mapOf(Float32Array.of(0, 1, 1, 0), true) }),
  }).next()
  expect(first.done ? [] : reds(first.value), 'what was there before stays as long').toEqual([
    [255, 0],
    [255, 0],
  ])
})

test('a part of a map', () => {
  const values = new Float32Array(25)
  values[3 * 5 + 2] = 1
  const part = { query: 2, key: 1, queries: 3, keys: 3 }
  expect(reds(paint({ map: mapOf(values), part, most: 400, scale, palette }))).toEqual([
    [0, 0, 0],
    [0, 255, 0],
    [0, 0, 0],
  ])
})

test('more tokens than pixels: a pixel shows the greatest weight it covers', () => {
  const values = new Float32Array(36)
  values[2 * 6 + 3] = 1
  const part = { query: 0, key: 0, queries: 6, keys: 6 }
  expect(reds(paint({ map: mapOf(values), part, most: 3, scale, palette }))).toEqual([
    [0, 0, 0],
    [0, 255, 0],
    [0, 0, 0],
  ])
})

test('a map of more rows than columns keeps its shape, in fewer pixels, too', () => {
  const values = new Float32Array(64)
  values[7 * 8 + 1] = 1
  const map = headMap({ values, names: Array.from({ length: 8 }, String), causal: false, source: 2 })
  const part = { query: 0, key: 0, queries: 6, keys: 2 }
  const all = reds(paint({ map, part, most: 400, scale, palette }))
  expect([all.length, all[0]?.length, all[5]]).toEqual([6, 2, [0, 255]])
  expect(reds(paint({ map, part, most: 3, scale, palette }))).toEqual([[0], [0], [255]])
})

test('of signed numbers the one of the greatest magnitude is shown', () => {
  const map = mapOf(Float32Array.of(1, -3, 2, 0))
  const part = { query: 0, key: 0, queries: 2, keys: 2 }
  expect(reds(paint({ map, part, most: 1, scale: signedScale(4), palette }))).toEqual([[32]])
})

test('what the mask forbids is clear, not the colour of nothing', () => {
  const map = mapOf(Float32Array.of(1, 0.5, 0, 1), true)
  const part = { query: 0, key: 0, queries: 2, keys: 2 }
  expect(reds(paint({ map, part, most: 400, scale, palette }))).toEqual([
    [255, -1],
    [0, 255],
  ])
})

test('weights lie by their square root, as they are, or by their magnitude', () => {
  expect(weightScale('root').place(0.25)).toBe(0.5)
  expect(weightScale('linear').place(0.25)).toBe(0.25)
  expect(weightScale('log').place(0.01)).toBeCloseTo(0.5)
  expect(weightScale('log').place(0)).toBe(0)
})

test('every scale rises from one end of the bar to the other', () => {
  for (const scale of weightScales) {
    const { place, ticks } = weightScale(scale)
    const places = ticks.map(place)
    expect([places[0], places.at(-1)]).toEqual([0, 1])
    expect(places).toEqual([...places].sort((one, other) => one - other))
  }
})

test('signed numbers lie around the middle', () => {
  const { place, ticks } = signedScale(8)
  expect([-8, -4, 0, 8, 99].map(place)).toEqual([0, 0.25, 0.5, 1, 1])
  expect(ticks).toEqual([-8, -4, 0, 4, 8])
})

test('a few cells that are far larger than all others do not take the colours of the rest', () => {
  const names = Array.from({ length: 20 }, (_, at) => `t${at}`)
  const values = Float32Array.from({ length: 400 }, (_, at) => (at === 399 ? 0.4 : 0.08 * Math.cos(at)))
  const { ticks, isClipped, place } = scaleOf(headMap({ values, names, causal: false }), 'weight', 'root', true)
  expect([ticks.at(-1), isClipped, place(0.4)]).toEqual([0.08, true, 1])
  values[399] = 0.15
  const near = scaleOf(headMap({ values, names, causal: false }), 'weight', 'root', true)
  expect([near.ticks.at(-1), near.isClipped]).toEqual([0.2, false])
})

test('the reach is a round number not below the greatest', () => {
  expect([0.35, 1, 2.5, 7, 8.4, 12.9, 163].map(roundReach)).toEqual([0.4, 1, 3, 8, 10, 15, 200])
  expect([0, Number.NaN, Infinity].map(roundReach)).toEqual([1, 1, 1])
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (value) => {
      expect(roundReach(value)).toBeGreaterThanOrEqual(value * (1 - 1e-6))
      expect(roundReach(value)).toBeLessThanOrEqual(value * 2.01)
    }),
  )
})
