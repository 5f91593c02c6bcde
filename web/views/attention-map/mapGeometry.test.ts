import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawnLabels, layOutMap, moveCursor, placeAt, shareWidth } from './mapGeometry'

const sentence =
  '[CLS] the little dog sat on the [MASK] and looked at the door , because he wanted to go out . [SEP]'.split(' ')
const long = Array.from({ length: 512 }, (_, index) => `token${index}`)

test('on a phone every token of a sentence keeps its label', () => {
  const map = layOutMap(334, sentence, 2)
  expect(drawnLabels(sentence.length, map, [], false)).toHaveLength(sentence.length)
  expect(drawnLabels(sentence.length, map, [], true)).toHaveLength(sentence.length)
})

test('cells of a short text are whole device pixels', () => {
  const map = layOutMap(560, sentence, 1.5)
  expect(map.pixels % sentence.length).toBe(0)
})

test('a long text fills its room with labels thinned out, the chosen one among them', () => {
  const map = layOutMap(334, long, 1)
  expect(map.left + map.side).toBeGreaterThan(333)
  const labels = drawnLabels(512, map, [311], false)
  expect(labels).toContain(311)
  expect(labels.length * 12).toBeLessThanOrEqual(map.side + 12)
})

test('the map, its labels and their overhang never exceed the width', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 260, max: 1600 }),
      fc.array(fc.string({ maxLength: 30 }), { minLength: 1, maxLength: 300 }),
      fc.constantFrom(1, 1.5, 2, 3),
      (width, tokens, ratio) => {
        const { left, right, side, top } = layOutMap(width, tokens, ratio)
        expect(left + side + right).toBeLessThanOrEqual(width + 1e-9)
        expect(top).toBeGreaterThan(20)
      },
    ),
  )
})

test('the place under the pointer', () => {
  const map = layOutMap(560, sentence, 1)
  const middle = (index: number) => (index + 0.5) * map.pitch
  expect(placeAt(map.left + middle(8), map.top + middle(9), map, 22)).toEqual({ query: 9, key: 8 })
  expect(placeAt(2, map.top + middle(9), map, 22)).toEqual({ query: 9 })
  expect(placeAt(map.left + middle(8), 2, map, 22)).toEqual({ key: 8 })
  expect(placeAt(2, 2, map, 22)).toBeNull()
  expect(placeAt(map.left + map.side + 1, map.top + middle(9), map, 22)).toBeNull()
})

test('keys move the cursor within the map', () => {
  const move = (pressed: string, control = false) => moveCursor({ query: 9, key: 8 }, pressed, control, 22)
  expect(move('ArrowLeft')).toEqual({ query: 9, key: 7 })
  expect(move('ArrowDown')).toEqual({ query: 10, key: 8 })
  expect(move('PageDown')).toEqual({ query: 19, key: 8 })
  expect(move('PageUp')).toEqual({ query: 0, key: 8 })
  expect(move('End')).toEqual({ query: 9, key: 21 })
  expect(move('Home', true)).toEqual({ query: 0, key: 0 })
  expect(move('a')).toBeNull()
})

test('what is read stands beside the map where there is room for both', () => {
  expect(shareWidth(334)).toEqual({ beside: false, map: 334 })
  expect(shareWidth(780)).toEqual({ beside: false, map: 780 })
  expect(shareWidth(1000)).toEqual({ beside: true, map: 730 })
  expect(shareWidth(1600)).toEqual({ beside: true, map: 960 })
})
