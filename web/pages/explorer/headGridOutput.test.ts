import { describe, expect, it } from 'vitest'
import type { HeadByDistance, ModelInfo } from '../../engine/protocol/protocol'
import { rgb, sequential } from '../../styles/colours'
import type { Run } from '../../session/runs.svelte'
import {
  glyphScene,
  glyphTables,
  headGridOutput,
  headGridScene,
  mapsScene,
  mapsTables,
  type HeadGridInputs,
} from './headGrid'

const info = { num_hidden_layers: 2, num_attention_heads: 2, is_decoder: false } as ModelInfo

/** Head h of layer l has the strength 4l + 2h in its first pair. */
const heads = [0, 1, 2, 3].map((index): HeadByDistance => {
  const [layer, head] = [index >> 1, index & 1]
  const measured = Float64Array.of(0.1, 0.2, 0.6)
  const strength = Float64Array.of(4 * layer + 2 * head, 1)
  const predicted = Float64Array.of(0.3, 0.3, 0.3)
  return { layer, head, reach: 1, measured, predicted, correlation: 0.5, strength, constancy: strength }
})

describe('the numbers of all heads', () => {
  it('by distance are in reading order, measured and predicted, a head a row', () => {
    const [measured, predicted] = glyphTables('distance', heads)
    expect(measured?.table.header).toEqual(['head', 'r̄', '1 back', 'itself', '1 ahead'])
    expect(measured?.table.row(3)).toEqual([{ layer: 1, head: 1 }, 0.5, 0.6, 0.2, 0.1])
    expect(predicted?.table.row(0)).toEqual([{ layer: 0, head: 0 }, 0.5, 0.3, 0.3, 0.3])
    expect([measured?.name === predicted?.name, measured?.table.length]).toEqual([false, 4])
  })

  it('by pairs are their strengths', () => {
    const [pairs] = glyphTables('pairs', heads)
    expect(pairs?.table.header).toEqual(['head', 'pair 0', 'pair 1'])
    expect(pairs?.table.row(2)).toEqual([{ layer: 1, head: 0 }, 4, 1])
    expect(glyphTables('pairs', [])).toEqual([])
  })

  it('beside the maps are one a statistic', () => {
    const [table] = mapsTables([{ layer: 0, head: 1, numbers: { entropy: 2, previous: 0.5 } }])
    expect(table?.table.header).toHaveLength(3)
    expect(table?.table.row(0)).toEqual([{ layer: 0, head: 1 }, 2, 0.5])
    expect(mapsTables([])).toEqual([])
  })
})

describe('the picture of all heads', () => {
  const rasters = (order: number[]) =>
    glyphScene({ info, order }, 'pairs', heads).marks.flatMap((mark) => (mark.kind === 'raster' ? [mark] : []))

  it('is a strip of pairs a head, the strongest darkest, in the order of the grid', () => {
    const strips = rasters([])
    expect(strips.map(({ columns, rows }) => [columns, rows])).toEqual([
      [2, 1],
      [2, 1],
      [2, 1],
      [2, 1],
    ])
    const first = strips.map(({ pixels }) => pixels[0] ?? 0)
    expect(first).toEqual([...first].sort((one, other) => other - one))
    expect([first[0], first[3]]).toEqual([255, 0x0c])
    expect(rasters([1, 0, 0, 1]).map(({ pixels }) => pixels[0])).toEqual([first[1], first[0], first[2], first[3]])
  })

  it('holds a curve and an area a head, each in its place', () => {
    const { marks, width, height } = glyphScene({ info, order: [] }, 'distance', heads)
    const paths = marks.flatMap((mark) => (mark.kind === 'path' ? [mark.d] : []))
    expect(paths).toHaveLength(8)
    for (const d of paths) {
      const [x = 0, y = 0] = d.slice(1).split(/[,LV]/).map(Number)
      expect(x > 0 && x < width && y > 0 && y < height).toBe(true)
    }
  })

  it('comes with its tables once all heads are read', () => {
    const run = { model: { info }, reading: {}, id: 7 } as Run
    const inputs = (read: number): HeadGridInputs => ({
      run,
      show: 'pairs',
      order: [],
      heads: heads.slice(0, read),
      measured: [],
      pixels: undefined,
      ratio: 1,
      paintScheme: 'light',
    })
    expect(headGridScene(inputs(3))).toBeUndefined()
    expect(headGridOutput(inputs(3)).pictureFor({ id: 7 }).published?.tables).toEqual([])
    expect(headGridScene(inputs(4))).toBeDefined()
    expect(headGridOutput(inputs(4)).pictureFor({ id: 7 }).published?.tables).toHaveLength(1)
  })

  it('of maps is what the engine painted, with numbers beside', () => {
    const pixels = { width: 42, height: 42, pixels: new Uint8Array(42 * 42 * 4) }
    const { marks, width, height } = mapsScene({ info, order: [] }, pixels, 1, 'light')
    expect(marks.filter(({ kind }) => kind === 'raster')).toHaveLength(1)
    expect(marks.filter(({ kind }) => kind === 'text')).toHaveLength(4)
    // What the engine painted on a dark page is light on paper.
    const dark = Uint8Array.from({ length: 42 * 42 * 4 }, (_, at) => [...rgb(sequential.dark[0]), 255][at % 4] ?? 0)
    const [first] = mapsScene({ info, order: [] }, { ...pixels, pixels: dark }, 1, 'dark').marks
    expect(first?.kind === 'raster' && [...first.pixels.subarray(0, 4)]).toEqual([...rgb(sequential.light[0]), 255])
    expect(Math.abs(width - 72) < 3 && Math.abs(height - 68) < 3).toBe(true)
  })

  it('of cross-attention has the proportion of its text and its source', () => {
    const pixels = { width: 42, height: 42, pixels: new Uint8Array(42 * 42 * 4) }
    const pair = { part: 'cross', source: { first: 0, length: 8 }, text: { first: 8, length: 4 } }
    const run = { model: { info }, reading: { pair }, id: 7 } as unknown as Run
    const inputs = {
      run,
      show: 'maps',
      order: [],
      heads: [],
      measured: [],
      pixels,
      ratio: 1,
      paintScheme: 'light',
    } as const
    const marks = headGridScene(inputs)?.marks ?? []
    const raster = marks.find((mark) => mark.kind === 'raster')
    expect(raster).toMatchObject({ width: 42, height: 21 })
    const layers = marks.flatMap((mark) => (mark.kind === 'text' && mark.anchor === 'end' ? [mark.y] : []))
    expect((layers[1] ?? 0) - (layers[0] ?? 0)).toBeCloseTo(11)
  })
})
