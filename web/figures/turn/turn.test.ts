import { beforeAll, describe, expect, it } from 'vitest'
import { openEdition } from '../../i18n/edition.svelte'
import { plainText, type Sentence } from '../../i18n/rich'
import { itemOf, misfits } from '../../testing/outputs'
import { arrowsOf, modelSubject, positionsOf, subjectOf, type TurnData } from './data.svelte'
import { widthOf } from '../../charts/labels'
import type { Text } from '../../charts/marks'
import { drawCurve, drawMoves, drawNumbers, drawPairing, leadOf } from './numbers'
import {
  degrees,
  drawDial,
  drawRuler,
  moveVector,
  planTurn,
  positionAt,
  reach,
  spanOf,
  steps,
  vectorAt,
  type Vector,
} from './picture'
import * as module from './view'
import { tableOf } from './view'

/** Vectors as if they were turned to positions 30 and 10, farther apart than the curve reaches. */
const sweep = Float64Array.from({ length: 2 * 20 * steps + 1 }, (_, at) => at)
const [query, key] = [Float64Array.of(1, 0), Float64Array.of(0, 1)]
const answer = {
  latest: {
    request: { params: { query, key, theta: Float64Array.of(0.5), m: 30, n: 10, reach: 20 } },
    value: { query: key, key: query, sweep },
  },
} as unknown as TurnData['rotation']

beforeAll(() => openEdition('en'))

const words = { query: 'looked', key: 'and' }

const boxOf = ({ text, x, y, size = 11, face = 'sans' }: Text) => {
  const width = widthOf(text, size, face === 'mono' ? 'mono' : 'sans')
  return { text, left: x, right: x + width, top: y - 0.8 * size, bottom: y + 2 }
}

/** Texts that share more than a px. */
const overlaps = (boxes: readonly ReturnType<typeof boxOf>[]) =>
  boxes.flatMap((one, at) =>
    boxes.slice(at + 1).flatMap((other) => {
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      const along = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
      return across > 1 && along > 1 ? [`${one.text} × ${other.text}`] : []
    }),
  )

describe('two arrows', () => {
  it('stay in their room, and a vector is read back from where it is drawn', async () => {
    const arrows = arrowsOf(answer)
    if (!arrows) throw new Error('no arrows')
    expect(
      await misfits((room) => {
        const plan = planTurn(room.width, room.height, 1)
        expect(vectorAt(plan, plan.x + 0.5 * plan.unit, plan.y - 0.25 * plan.unit)).toEqual([0.5, 0.25])
        expect(Math.hypot(...vectorAt(plan, plan.x + 9999, plan.y))).toBeCloseTo(1)
        const strips = [drawMoves(plan, arrows), drawCurve(plan, arrows), drawPairing(plan, true)].flat()
        const names = { query: 'looked', key: 'and' }
        const marks = [drawDial(plan, arrows, names), drawNumbers(plan, arrows), drawRuler(plan, arrows), strips].flat()
        return { width: plan.width, height: plan.height, marks }
      }),
    ).toEqual([])
  })

  it('leave their numbers to the table where the circle is as small as on a phone', () => {
    const arrows = arrowsOf(answer)
    if (!arrows) throw new Error('no arrows')
    const at = (width: number, height: number) =>
      drawDial(planTurn(width, height, 1), arrows, { query: 'q', key: 'k' }).flatMap((mark) =>
        mark.kind === 'text' ? [mark.text] : [],
      )
    expect(at(362, 250)).toEqual(expect.arrayContaining(['mθ', 'nθ', '(m − n)θ']))
    expect(at(820, 620)).toEqual(expect.arrayContaining([expect.stringMatching(/^mθ = .+°$/)]))
  })

  it.each([334, 362, 820])('have names that are clear of each other in %i px', (width) => {
    const rotate = ([x, y]: Vector, by: number): Vector => {
      const [cos, sin] = [Math.cos(by), Math.sin(by)]
      return [x * cos - y * sin, x * sin + y * cos]
    }
    const before = { query: [1, 0], key: [0.7, 0.7] } satisfies Record<string, Vector>
    const positions = Array.from({ length: 13 }, (_, position) => position)
    const pairs = positions.flatMap((m) => positions.map((n) => ({ m, n })))
    for (const theta of [0.3, Math.PI / 6, 1])
      for (const { m, n } of pairs) {
        const arrow = (of: Vector, position: number) => ({ before: of, after: rotate(of, position * theta) })
        const arrows = { query: arrow(before.query, m), key: arrow(before.key, n), theta, m, n }
        const marks = drawDial(planTurn(width, 400, 1), { ...arrows, sweep: [], score: 0, scoreAt: () => 0 }, words)
        const boxes = marks.flatMap((mark) => (mark.kind === 'text' ? [boxOf(mark)] : []))
        expect(boxes.length).toBeGreaterThanOrEqual(2)
        expect(overlaps(boxes), `θ ${theta}, m ${m}, n ${n}`).toEqual([])
      }
  })

  it.each([560, 620, 700, 820])('have positions clear of the rule beside the last ones in %i px', (width) => {
    const arrows = arrowsOf(answer)
    if (!arrows) throw new Error('no arrows')
    for (const position of [0, 7, 99, 505]) {
      const marks = drawMoves(planTurn(width, 620, 1), { ...arrows, m: position, n: position })
      const [rule] = marks.flatMap((mark) => (mark.kind === 'line' && mark.stroke === 'rule' ? [mark.x1] : []))
      if (rule === undefined) throw new Error('no rule')
      const ends = marks.flatMap((mark) => (mark.kind === 'text' && mark.y > 30 && mark.x < rule ? [boxOf(mark)] : []))
      const right = Math.max(...ends.flatMap((box) => (/^n /.test(box.text) ? [box.right] : [])))
      expect(right, `n ${position}`).toBeLessThan(rule - 3)
    }
  })

  it('have a score at their distance, and the curve around 0', () => {
    const arrows = arrowsOf(answer)
    expect(arrows?.query).toEqual({ before: [1, 0], after: [0, 1] })
    expect(arrows?.score).toBe(sweep.at(-1))
    expect(arrows?.scoreAt(1)).toBe(21 * steps)
    expect(arrows && degrees(leadOf(arrows))).toBe(-90)
    expect(arrows?.sweep).toHaveLength(2 * reach * steps + 1)
    expect(arrows?.sweep[reach * steps]).toBe(20 * steps)
    expect(tableOf(sweep).table.row(40)).toEqual([20, sweep.at(-1)])
  })

  const none = { m: null, n: null, pair: 1, angle: null, qx: null, qy: null, kx: null, ky: null, lower: null }
  const params = { ...none, angle: 30, qx: 1, qy: 0, kx: 0, ky: 1, pairs: 'neighbours' } as const

  it('are the model’s, until a link names a number of them', () => {
    expect(subjectOf({ ...none, pairs: 'neighbours' })).toEqual(modelSubject(1))
    expect(Math.hypot(...modelSubject(1).query)).toBeCloseTo(1.61, 2)
    expect(Math.hypot(...modelSubject(1).key)).toBeCloseTo(3.52, 2)
    expect(degrees(modelSubject(1).theta)).toBeCloseTo(32.2, 1)
    // What links said before there were the model's.
    expect(subjectOf({ ...none, pairs: 'neighbours', qy: 0.5 })).toMatchObject({ query: [1, 0.5], key: [0.7, 0.7] })
  })

  it('stand near 0 at first, else where the figure or the ruler says', () => {
    const first = { query: 9, key: 8 }
    expect(positionsOf(params, first)).toEqual({ m: 3, n: 1 })
    expect(positionsOf(params, { query: 7, key: 9 })).toEqual({ m: 7, n: 9 })
    expect(positionsOf({ ...params, m: 9, n: 8 }, first)).toEqual({ m: 9, n: 8 })
  })

  it('are dragged and turned at their tips, and moved along the line of positions', () => {
    const bench = { choice: { query: 9, key: 8 } }
    const data = { rotation: answer, walk: { at: undefined, toggle: () => undefined } }
    const output = module.output({ bench, params, width: 820, height: 620 } as never, data).pictureFor(undefined)
    const [key, query, atKey, atQuery] = output.sliders ?? []
    expect([key?.now, query?.now, atKey?.now, atQuery?.now]).toEqual([90, 0, 1, 3])
    expect(query?.onAction('left')).toEqual({ params: { qx: 0.996, qy: 0.087, kx: 0, ky: 1, angle: 30 } })
    expect(query?.onAction('first')).toBeUndefined()
    const plan = planTurn(820, 620, 1)
    expect(key?.hit(plan.x, plan.y + 0.5 * plan.unit)?.params).toMatchObject({ kx: 0, ky: -0.5 })
    expect(key?.box?.y).toBe(plan.y - plan.unit - 14)
    expect(atQuery?.onAction('right')).toEqual({ params: { m: 4, n: 1 } })
    expect(atQuery?.hit(plan.ruler.right, 0)).toEqual({ params: { m: 12, n: 1 } })
    expect(positionAt(plan.ruler, spanOf(9, 13), plan.ruler.right)).toBe(24)
    expect(plainText(itemOf(output.below, 'text').text as Sentence)).toContain('query at 30, key at 10: ')
  })

  it('turn by keys, and keep a length above 0', () => {
    const [x, y] = moveVector([1, 0], { turn: 90 }, 1)
    expect([x, y]).toEqual([0, 1])
    expect(Math.hypot(...moveVector([0.05, 0], { longer: -1 }, 1))).toBeCloseTo(0.05)
  })
})
