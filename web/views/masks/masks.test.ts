import { describe, expect, it } from 'vitest'
import { ellipsis, rasters } from '../../charts/marks'
import { drawMasks, type Masks, headlineOf, tablesOf } from './view'

const drawn: Masks = {
  masks: {
    run: 1,
    source: 3,
    text: 2,
    encoder: Float32Array.of(1, 1, 0, 1, 1, 0, 1, 1, 0),
    decoder: Float32Array.of(1, 0, 1, 1),
    cross: Float32Array.of(1, 1, 0, 1, 1, 0),
  },
  tokens: { source: ['a', 'b', '<pad>'], text: ['<s>', 'c'] },
  palette: Uint8Array.from({ length: 768 }, (_, at) => Math.floor(at / 3)),
}

describe('the masks', () => {
  it.each([358, 640, 830, 1400])('fit into %i px', (width) => {
    const { marks, height } = drawMasks(drawn, width, 400)
    for (const mark of marks) {
      if (mark.kind !== 'rect' && mark.kind !== 'raster') continue
      expect(mark.x + mark.width).toBeLessThanOrEqual(width + 1)
      expect(mark.y + mark.height).toBeLessThanOrEqual(height + 1)
    }
  })

  it.each([358, 1400])('cut no name in %i px', (width) => {
    const tokens = { source: ['>>hu<<', '1', '</s>'], text: ['<pad>', 'kilencszáz'] }
    for (const mark of drawMasks({ ...drawn, tokens }, width, 400).marks)
      if (mark.kind === 'text') expect(ellipsis(mark)).toBe(mark.text)
  })

  it('are filled where a query may see a key', () => {
    const [padding, causal, cross] = rasters(drawMasks(drawn, 900, 400))
    const filled = (pixels: Uint8ClampedArray | undefined) =>
      Array.from(pixels ?? []).flatMap((value, at) => (at % 4 === 0 ? [value > 0 ? 1 : 0] : []))
    expect(filled(padding?.pixels)).toEqual(Array.from(drawn.masks.encoder))
    expect(filled(causal?.pixels)).toEqual([1, 0, 1, 1])
    expect([cross?.columns, cross?.rows]).toEqual([3, 2])
  })

  it('are told as tables, and in a sentence', () => {
    expect(headlineOf(drawn).title).toContain('3 of 4')
    expect(tablesOf(drawn).map(({ table }) => table.row(1))).toEqual([
      ['b', 1, 1, 0],
      ['c', 1, 1],
      ['c', 1, 1, 0],
    ])
  })
})
