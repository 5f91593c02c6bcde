import { mute } from '../../i18n/en/views/mute'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Mark } from '../../charts/marks'
import { drawFills, drawMap } from './draw'
import { drawParts, planParts, switchHeight } from './drawParts'
import { layOut } from './layout'
import type { PairParts } from './model'

const pair = (pair: number, before: number, after: number, fate: PairParts['fate'] = 'turns'): PairParts => ({
  pair,
  wavelength: 6.28 * 4 ** pair,
  before,
  after,
  fate,
})
const pairs = [pair(0, 5, 0, 'cut'), pair(1, -1, -1), pair(2, 2, 1.5, 'stop'), pair(3, 1, 1)]
const box = { x: 0, y: 0, width: 400, height: 220 }
const texts = (marks: readonly Mark[]) => marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))

describe('parts and switches as marks', () => {
  const plan = planParts(box, pairs)
  const draw = (muted: [number, 'stop' | 'cut'][] = []) =>
    drawParts(plan, { pairs, score: [7, 1.5], muted: new Map(muted), chosen: null }, mute)

  it('outlines what a muted pair was, and says what it lost', () => {
    const marks = draw()
    const outlined = marks.filter((mark) => mark.kind === 'rect' && mark.dash === '3 2' && mark.stroke === 'positive')
    expect(outlined).toHaveLength(2)
    expect(texts(marks)).toEqual(expect.arrayContaining(['−5.0', '−.50', '7.00', '1.50']))
    const filled = marks.filter(
      (mark) => mark.kind === 'rect' && (mark.fill === 'positive' || mark.fill === 'negative'),
    )
    expect(filled).toHaveLength(3)
  })

  it('strikes a cut pair’s switch through, before its run is there', () => {
    const strikes = (marks: readonly Mark[]) =>
      marks.filter((mark) => mark.kind === 'line' && mark.stroke === 'ink' && mark.y1 > plan.bottom).length
    expect(strikes(draw())).toBe(0)
    expect(strikes(draw([[1, 'cut']]))).toBe(1)
    expect(strikes(draw([[1, 'stop']]))).toBe(0)
  })

  it('gives every switch 24 px, and all of them the axis’s width', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 128 }), fc.integer({ min: 180, max: 900 }), (count, width) => {
        const many = Array.from({ length: count }, (_, index) => pair(index, index % 3, 1))
        const { switches, left, right } = planParts({ ...box, width }, many)
        expect(switches.flatMap(({ pairs }) => pairs)).toEqual(many.map(({ pair }) => pair))
        for (const { box } of switches.slice(0, -1)) expect(box.width).toBeGreaterThanOrEqual(24 - 1e-9)
        expect(switches[0]?.box.x).toBe(left)
        const last = switches.at(-1)?.box
        expect((last?.x ?? 0) + (last?.width ?? 0)).toBeCloseTo(right, 6)
        expect(last?.height).toBe(switchHeight)
      }),
    )
  })
})

describe('the room', () => {
  it('is shared without overlaps, and is enough', () => {
    const size = fc.record({ width: fc.integer({ min: 340, max: 1800 }), height: fc.integer({ min: 300, max: 1200 }) })
    fc.assert(
      fc.property(size, fc.constantFrom(0, 1, 4), ({ width, height }, fills) => {
        const { parts, mapA, mapB, sweep, fills: guess, labels, ...whole } = layOut(width, height, fills)
        const boxes = [
          parts,
          { ...mapA, x: mapA.x - labels, width: mapA.width + labels },
          mapB,
          sweep,
          ...(guess ? [guess] : []),
        ]
        boxes.forEach((one, index) => {
          expect(one.x).toBeGreaterThanOrEqual(0)
          expect(one.x + one.width).toBeLessThanOrEqual(width + 1)
          expect(one.y + one.height).toBeLessThanOrEqual(whole.height + 1)
          for (const other of boxes.slice(index + 1)) {
            const apart =
              one.x + one.width <= other.x + 1e-6 ||
              other.x + other.width <= one.x + 1e-6 ||
              one.y + one.height <= other.y + 1e-6 ||
              other.y + other.height <= one.y + 1e-6
            expect(apart).toBe(true)
          }
        })
        if (width >= 400 && height >= 420 && (width >= 640 || height < 600))
          expect(whole.height).toBeLessThanOrEqual(height)
      }),
    )
  })
})

it('a map shows the chosen cell and its weight', () => {
  const attention = Float32Array.of(1, 0, 0.25, 0.75)
  const head = { run: 1, layer: 0, head: 0, length: 2, attention, query: attention, key: attention }
  const palette = new Uint8Array(768).map((_, index) => Math.floor(index / 3))
  const marks = drawMap(
    { x: 10, y: 20, width: 100, height: 100 },
    { head, tokens: ['a', 'b'], query: 1, key: 0, title: 'A', strong: false, labels: 40, palette },
  )
  const raster = marks.find((mark) => mark.kind === 'raster')
  expect(raster?.kind === 'raster' && Array.from(raster.pixels.filter((_, at) => at % 4 === 0))).toEqual([
    255, 0, 128, 221,
  ])
  expect(marks).toContainEqual({ kind: 'rect', x: 10, y: 70, width: 50, height: 50, stroke: 'ink', weight: 2 })
  expect(texts(marks)).toEqual(['A', '0.25', 'a', 'a', 'b'])
})

it('a fill that is not told of is below the least that is', () => {
  const fills = {
    position: 3,
    fills: [{ token: 'x', before: 0.5, after: undefined }],
    least: [0.1, 0.02] as [number, number],
  }
  const marks = drawFills({ x: 0, y: 0, width: 300, height: 60 }, fills, 'guess', mute)
  expect(texts(marks)).toEqual(['guess', 'A', 'B', 'x', '50.0\u00a0%', '< 2.0\u00a0%'])
})
