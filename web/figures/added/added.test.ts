import { describe, expect, it } from 'vitest'
import { ramp } from '../../charts/colour'
import { diverging } from '../../styles/colours'
import { misfits } from '../../testing/outputs'
import { dimensions, tableOf, type Added } from './data.svelte'
import learned from './learned.json'
import { drawAdded } from './picture'
import * as module from './view'

const palette = ramp(diverging.light)

function addedWith(size: number, length: number, rows: Float64Array, more: Partial<Added>): Added {
  const numbers = {
    size,
    rows,
    norm: 8,
    norms: new Float64Array(length).fill(9),
    cosines: new Float64Array(length).fill(0.8),
    random: dimensions.map(() => Float64Array.of(-1, 0, 1)),
  }
  const last = length - 1
  return { numbers, table: undefined, last, position: 9, pairs: size / 2, pair: size / 2 - 1, ...more }
}

const rows = Float64Array.from({ length: 128 * 64 }, (_, at) => (at % 3) - 1)
const sinusoids = addedWith(64, 128, rows, {})

describe('positions that are added', () => {
  it('stay in their room, and are read where they are drawn', async () => {
    expect(
      await misfits((room) => {
        const { scene, at } = drawAdded(sinusoids, room, palette)
        expect([at(-50), at(room.width * 2)]).toEqual([0, 127])
        return scene
      }),
    ).toEqual([])
  })

  it('have curves of length and direction as high as their charts', () => {
    const numbers = { ...sinusoids.numbers }
    numbers.norms = numbers.norms.map((norm, at) => norm + 0.5 * Math.sin(at))
    numbers.cosines = numbers.cosines.map((cosine, at) => cosine + 0.05 * Math.sin(at))
    const { scene } = drawAdded({ ...sinusoids, numbers }, { width: 700, height: 560 }, palette)
    const heights = scene.marks.flatMap((mark) => {
      if (mark.kind !== 'path' || mark.weight !== 1.8) return []
      const ys = [...mark.d.matchAll(/[ML]?[\d.]+[ ,]([\d.]+)/g)].map(([, y]) => Number(y))
      return [Math.max(...ys) - Math.min(...ys)]
    })
    expect(heights).toHaveLength(4)
    for (const height of heights.slice(2)) expect(height).toBeGreaterThan(15)
  })

  it('are those of a trained model, to its last row', async () => {
    const file = tableOf(learned)
    const { model, size, of, norm, table } = file
    expect([model, size, of, table.length / size]).toEqual(['all-MiniLM-L6-v2', 64, 384, 512])
    expect(norm).toBeCloseTo(0.43, 2)
    // As its file has them.
    expect(table[0]).toBeCloseTo(-0.0856, 3)
    expect(table[table.length - 1]).toBeCloseTo(0.042, 3)
    const added = addedWith(size, 512, table, { table: file, position: 511, pair: 4 })
    expect(
      await misfits((room) => {
        const { scene, at } = drawAdded(added, room, palette)
        expect(at(room.width * 2)).toBe(511)
        return scene
      }),
    ).toEqual([])
  })

  it('are published with the rows that they belong to, and a pointer leads to the position below it', () => {
    const target = (choice: object) => ({ choice })
    const inputs = { params: { rows: 'sinusoids', pair: 31 }, width: 820, height: 620, scheme: 'light' }
    const latest = { request: { subject: '64-10000' }, value: sinusoids.numbers }
    const output = (more: object) =>
      module
        .output({ ...inputs, ...more } as never, { ruler: { m: 9, target }, positions: { latest } } as never)
        .pictureFor(undefined)
    const { published, sliders: [position] = [] } = output({})
    expect(published?.subject).toBe('64-10000')
    expect(published?.tables?.[0]?.table.row(9)).toEqual([9, 9, 0.8])
    expect(position).toMatchObject({ max: 127, now: 9, text: 'position 9: length 9.00, cosine 0.80' })
    expect(position?.hit(9999, 0)).toEqual({ choice: { query: 127 } })
    expect(position?.onAction('right')).toEqual({ choice: { query: 10 } })
    const waiting = output({ params: { rows: 'learned', pair: 4 } })
    expect([waiting.message, waiting.scene, waiting.sliders]).toEqual([undefined, undefined, undefined])
    // The kind of rows can be changed while they are loading.
    expect(waiting.below?.[0]?.[0]).toMatchObject({ kind: 'segmented', param: 'rows' })
  })
})
