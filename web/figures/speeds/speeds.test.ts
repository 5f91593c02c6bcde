import { describe, expect, it } from 'vitest'
import { everyNth, wavelengthsOf } from '../../charts/labels'
import { ramp } from '../../charts/colour'
import { cyclic, diverging, rgb } from '../../styles/colours'
import { misfits } from '../../testing/outputs'
import { type AngleMap, edges, handsOf, mapSpan, mostDials, openPairs, paintMap, type Speeds } from './data.svelte'
import { drawSpeeds, middleOf, pairAt, planSpeeds } from './picture'
import * as module from './view'

const palette = ramp(diverging.light)
const turn = 2 * Math.PI
const theta = Float64Array.from({ length: 32 }, (_, pair) => 10_000 ** (-pair / 32))
const speeds: Speeds = { theta, wavelengths: wavelengthsOf(theta), pair: 3, context: 512, m: 18, n: 6 }
const map: AngleMap = {
  isLog: true,
  last: 100_000,
  mode: 'angle',
  pixels: { columns: 1, rows: 32, pixels: new Uint8ClampedArray(4 * 32) },
  colours: { columns: 1, rows: 1, pixels: new Uint8ClampedArray(4) },
}

describe('the figure of many speeds', () => {
  it('has hands at their positions’ angles, and counts those that never close', () => {
    const hands = handsOf(speeds, undefined, 32)
    expect(hands[0]?.query.angle).toBe(18)
    expect(hands[0]?.wavelength).toBeCloseTo(turn)
    expect(openPairs(theta, 512)).toBe(16)
    expect(hands.filter(({ reach }) => reach < turn - 1e-9).length).toBe(16)
    expect(everyNth(64, 32)).toHaveLength(32)
    expect(everyNth(32, mostDials(350))).toHaveLength(16)
    const rows = { query: Float32Array.of(0, 2, 1, 0), key: Float32Array.of(1, 0, 0, 4), rotated: true }
    const [first] = handsOf({ ...speeds, theta: theta.slice(0, 2) }, rows, 32)
    expect([first?.query.angle, first?.query.length, first?.key.length]).toEqual([Math.PI / 2, 1, 0.25])
  })

  it('paints angles, and one colour where a pixel holds many turns', () => {
    const tables = { cyclic: palette, diverging: palette, sequential: palette }
    const painted = paintMap(Float64Array.of(1), Float64Array.of(0, 0.001, 1000, 2000), 'angle', tables)
    expect(Array.from(painted.slice(0, 3))).toEqual(Array.from(palette.slice(0, 3)))
    const two = paintMap(Float64Array.of(1), Float64Array.of(3000, 4000, 5000), 'cos', tables)
    expect(Array.from(two.slice(0, 4))).toEqual(Array.from(two.slice(4, 8)))
    expect(edges(4, false, 64)[4]).toBe(64)
    expect(edges(5, true, 100_000)[0]).toBe(1)
  })

  it('is printed in light colours, whatever those of the page', () => {
    const ruler = { context: 512, m: 18, n: 6 }
    const data = { ruler, theta: { current: theta }, map }
    const paper = {
      ...{ width: 700, height: 420, scheme: 'light', phone: false },
      ...{ params: { map: 'angle', axis: 'log' }, bench: { choice: { pair: null } } },
    }
    const scene = module.figure(paper as never, data as never)
    const [raster] = scene?.marks.flatMap((mark) => (mark.kind === 'raster' ? [mark] : [])) ?? []
    // The slowest pair has hardly turned at position 1.
    const first = raster && [...raster.pixels.subarray(4 * 31 * raster.columns).subarray(0, 3)]
    first?.forEach((value, channel) => expect(Math.abs(value - (rgb(cyclic.light[0])[channel] ?? 0))).toBeLessThan(4))
    expect(raster?.columns).toBe(Math.floor(mapSpan(700).width))
    const texts = scene?.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
    expect(texts, 'a legend of the colours').toEqual(expect.arrayContaining(['angle 0°', '360°']))
  })

  it('stays in its room, and knows the pair under the pointer', async () => {
    const hands = handsOf(speeds, undefined, 32)
    expect(
      await misfits((room) => {
        const plan = planSpeeds(room.width, room.height, hands.length, theta.length)
        const middle = middleOf(plan, 7)
        expect(pairAt(plan, hands, 32, middle.x, middle.y)).toBe(7)
        expect(pairAt(plan, hands, 32, plan.map.left + 1, plan.map.top + 3.5 * plan.map.row)).toBe(3)
        expect(pairAt(plan, hands, 32, 0, plan.height + 500)).toBeUndefined()
        return drawSpeeds(plan, speeds, hands, map)
      }),
    ).toEqual([])
  })

  it('leads from a click to the pair below it, and from the selected pair to none', () => {
    const output = (pair: number | null, pointer?: { x: number; y: number }) =>
      module
        .output(
          { bench: { choice: { pair } }, params: {}, width: 820, height: 620, pointer } as never,
          {
            ruler: { m: 18, n: 6, context: 512, headSize: 64, base: 10_000 },
            theta: { current: theta },
            map,
          } as never,
        )
        .pictureFor(undefined)
    const { x, y } = middleOf(planSpeeds(820, 618, 32, 32), 7)
    const slider = (pair: number | null) => output(pair).sliders?.[0]
    expect(slider(null)?.hit(x, y)).toEqual({ choice: { pair: 7 } })
    expect(slider(7)?.hit(x, y)).toEqual({ choice: { pair: null } })
    expect(slider(99)?.onAction('right')).toEqual({ choice: { pair: 0 } })
    expect(slider(7)?.onAction('leave')).toEqual({ choice: { pair: null } })
    // The sentence below is about the pair under the pointer.
    const read = (pair: number | null, pointer?: { x: number; y: number }) => output(pair, pointer).below?.[0]
    expect(read(3, { x, y })).toEqual(read(7))
    expect(read(3)).not.toEqual(read(7))
    const published = output(7).published
    expect([published?.subject, published?.command]).toEqual(['64-10000', 'ropescope rope --head-dim 64 --base 10000'])
    expect(published?.tables?.[0]?.table.row(0)).toEqual([0, turn, 1, 18, 6])
  })
})
