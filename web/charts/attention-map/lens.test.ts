import { expect, test } from 'vitest'
import { ramp } from '../colour'
import { drawLens, placeLens, shortSigned, shortWeight } from './lens'
import { headMap } from './model'
import { weightScale } from './paint'

const names = Array.from({ length: 9 }, (_, index) => `w${index}`)
const values = Float32Array.from({ length: 81 }, (_, index) => index / 100)
const lens = drawLens({
  map: headMap({ values, names, causal: false }),
  place: { query: 4, key: 3 },
  scale: weightScale('root'),
  palette: ramp(['#ffffff', '#000000']),
  scheme: 'light',
  format: shortWeight,
})

test('five by five cells with their numbers and labels', () => {
  const texts = lens.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
  expect(texts).toEqual(expect.arrayContaining(['w2', 'w6', 'w1', 'w5', '0.39']))
  expect(texts).toHaveLength(5 + 5 + 25)
})

test('weights in cells are short', () => {
  expect([0.773, 0.05, 0.004, 0, 1].map(shortWeight)).toEqual(['0.77', '0.05', '', '', '1'])
})

test('the lens lies above the finger, within the width, and beside it where there is no room above', () => {
  const size = { width: 250, height: 200 }
  const at = placeLens({ x: 180, y: 300 }, size, 360, 60)
  expect(at.y + size.height).toBeLessThan(300)
  expect(placeLens({ x: 350, y: 300 }, size, 360, 60).x).toBe(110)
  expect(placeLens({ x: 20, y: 300 }, size, 360, 60).x).toBe(0)
  expect(placeLens({ x: 20, y: 40 }, size, 360, 60)).toEqual({ x: 80, y: -60 })
})

test('signed numbers in cells are short, too', () => {
  expect([1.92, -9.64, -13.8, 0.01].map(shortSigned)).toEqual(['1.9', '−9.6', '−14', ''])
})
