import { expect, test } from 'vitest'
import { paintMap } from './paint'

/** Grey palette: an entry's red is its number. */
const palette = Uint8Array.from({ length: 768 }, (_, index) => Math.floor(index / 3))
const ground = [1, 2, 3] as const

function reds(picture: Uint8ClampedArray, pixels: number): number[][] {
  return Array.from({ length: pixels }, (_, y) =>
    Array.from({ length: pixels }, (_, x) => picture[(y * pixels + x) * 4] ?? -1),
  )
}

test('each weight fills its cell, coloured by its square root', () => {
  const picture = paintMap({
    attention: Float32Array.of(1, 0, 0.25, 0.75),
    length: 2,
    pixels: 4,
    gap: 0,
    palette,
    ground,
  })
  expect(reds(picture, 4)).toEqual([
    [255, 255, 0, 0],
    [255, 255, 0, 0],
    [128, 128, 221, 221],
    [128, 128, 221, 221],
  ])
})

test('gaps lie between cells and not at the edge', () => {
  const picture = paintMap({ attention: Float32Array.of(1, 1, 1, 1), length: 2, pixels: 6, gap: 1, palette, ground })
  const row = [255, 255, 1, 255, 255, 255]
  expect(reds(picture, 6)).toEqual([row, row, [1, 1, 1, 1, 1, 1], row, row, row])
})

test('more tokens than pixels: a pixel shows the greatest weight it covers', () => {
  const attention = new Float32Array(36)
  attention[2 * 6 + 3] = 1
  expect(reds(paintMap({ attention, length: 6, pixels: 3, gap: 0, palette, ground }), 3)).toEqual([
    [0, 0, 0],
    [0, 255, 0],
    [0, 0, 0],
  ])
})
