import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Mark, Text } from '../marks'
import { distanceAt, drawCurves, drawHandle, drawSweep, planSweep, type SweepPicture } from './draw'
import { fine } from './model'

const ends = { behind: '← key behind', ahead: 'key ahead →', shortBehind: '←', shortAhead: '→' }

function pictureOf(over: Partial<SweepPicture> = {}, score = (distance: number) => Math.cos(distance)): SweepPicture {
  const reach = over.reach ?? 32
  const values = Float64Array.from({ length: 2 * reach * fine + 1 }, (_, index) => score(index / fine - reach))
  const curves = [{ scores: { values, reach }, tone: 'ink', weight: 1 }] as const
  return { curves, reach, causal: false, marker: { distance: 1, label: 'and, 1 back' }, notes: [], ends, ...over }
}

const box = { x: 5, y: 7, width: 340, height: 180 }
const texts = (marks: readonly Mark[]) => marks.filter((mark): mark is Text => mark.kind === 'text')

describe('the curve as marks', () => {
  it('has keys behind on the left, as one reads, and counts without signs', () => {
    const picture = pictureOf()
    const plan = planSweep(box, picture)
    expect(distanceAt(plan.left, plan)).toBe(32)
    expect(distanceAt(plan.right, plan)).toBe(-32)
    expect(distanceAt((plan.left + plan.right) / 2, plan)).toBe(0)
    const below = texts(drawSweep(plan, picture)).filter(({ face }) => face === 'mono')
    expect(below.map(({ text }) => text).sort()).toEqual(['0', '10', '10', '20', '20', '30', '30'])
  })

  it('marks the key where it stands, in the key’s colour', () => {
    const picture = pictureOf()
    const plan = planSweep(box, picture)
    const mark = drawSweep(plan, picture).find((mark) => mark.kind === 'circle' && mark.fill === 'key')
    expect(mark).toMatchObject({ x: plan.x(-1), y: plan.y(Math.cos(1)) })
  })

  it('has a stem for each score where there are no others, and its axis ends with them', () => {
    const picture = pictureOf({ stems: [3, 2, 1] }, (distance) => ([1, 2, 3].includes(distance) ? distance - 2 : NaN))
    const plan = planSweep(box, picture)
    expect([plan.x(-3), plan.x(-1)]).toEqual([plan.left, plan.right])
    expect(plan.y.domain()).toEqual([-1, 1])
    const marks = drawCurves(plan, picture)
    const dots = marks.filter((mark) => mark.kind === 'circle' && mark.fill === 'ink')
    expect(dots).toMatchObject([3, 2, 1].map((distance) => ({ x: plan.x(-distance), y: plan.y(distance - 2) })))
    expect(marks.filter((mark) => mark.kind === 'path')).toEqual([])
  })

  it('names the places along the handle, but none that its own label touches', () => {
    const plan = planSweep(box, pictureOf({ stems: [3, 2, 1, 0] }))
    const names = ['zero', 'one', 'two', 'three']
    const handle = { distance: 2, label: 'two', ahead: 'ahead', path: undefined, ends: [3, 0] as const }
    const written = (nameAt: (distance: number) => string) =>
      texts(drawHandle(plan, { ...handle, nameAt })).flatMap(({ text }) => (text === '←' ? [] : [text]))
    expect(written((distance) => names[distance] ?? '')).toEqual(['three', 'one', 'zero', 'two'])
    expect(written((distance) => (names[distance] ?? '').repeat(6))).toEqual(['zero'.repeat(6), 'two'])
    expect(texts(drawHandle(plan, { ...handle, ahead: undefined })).map(({ text }) => text)).not.toContain('←')
  })

  it('shows a causal model no key ahead', () => {
    const picture = pictureOf({ causal: true }, (distance) => (distance < 0 ? 100 : 1))
    const plan = planSweep(box, picture)
    expect(distanceAt(plan.right, plan)).toBe(0)
    expect(plan.y.domain()).toEqual([0, 1])
    expect(texts(drawSweep(plan, picture)).map(({ text }) => text)).not.toContain(ends.ahead)
  })

  it('rings a highest point that is elsewhere', () => {
    const picture = pictureOf({ peak: -2 })
    const plan = planSweep(box, picture)
    const rings = drawSweep(plan, picture).filter((mark) => mark.kind === 'circle' && mark.fill === 'card')
    expect(rings).toEqual([expect.objectContaining({ x: plan.x(2) })])
  })

  it('keeps its peaks however long it is', () => {
    const spike = pictureOf({ reach: 1024 }, (distance) => (distance === 500 ? 50 : 0))
    const plan = planSweep(box, spike)
    const path = drawSweep(plan, spike).find((mark) => mark.kind === 'path')
    expect(path?.kind === 'path' && path.d.includes(`,${Math.round(plan.y(50) * 1000) / 1000}`)).toBe(true)
    expect(path?.kind === 'path' && path.d.length).toBeLessThan(20_000)
  })

  it('stays in its room', () => {
    const size = fc.record({ width: fc.integer({ min: 190, max: 900 }), height: fc.integer({ min: 130, max: 500 }) })
    fc.assert(
      fc.property(
        size,
        fc.integer({ min: -32, max: 32 }),
        fc.double({ min: -50, max: 50, noNaN: true }),
        (size, distance, scale) => {
          const picture = pictureOf(
            { marker: { distance, label: 'a token, 12 back: 1.23' }, notes: ['dashed: pair 0'] },
            (d) => scale * Math.cos(d),
          )
          const room = { x: 0, y: 0, ...size }
          for (const mark of drawSweep(planSweep(room, picture), picture)) {
            if (mark.kind !== 'text') continue
            expect(mark.x).toBeGreaterThanOrEqual(0)
            expect(mark.x).toBeLessThanOrEqual(size.width)
            expect(mark.y).toBeGreaterThan(0)
            expect(mark.y).toBeLessThanOrEqual(size.height)
          }
        },
      ),
    )
  })
})
