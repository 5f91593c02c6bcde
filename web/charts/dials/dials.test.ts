import { describe, expect, it } from 'vitest'
import { misfits } from '../../testing/outputs'
import {
  angleAt,
  chooseDials,
  drawDials,
  handsOf,
  largestDials,
  planDials,
  rotationText,
  type DialsPicture,
  type Hands,
} from './dials'

/** As roformer-english's layer 2, head 6 has them for “looked” and “and”. */
const hands: Hands[] = [
  { pair: 0, theta: 1, query: 4.72, key: 5.99, angle: 1.033 },
  { pair: 5, theta: 0.0562, query: 1.95, key: 4.81, angle: 0.23 },
  { pair: 9, theta: 0.00562, query: 1, key: 1, angle: 2 },
  { pair: 15, theta: 0.000178, query: 1.66, key: 1.39, angle: 1.517 },
]
const parts: number[] = []
parts[0] = 5
parts[5] = 1.63
parts[9] = -0.3
parts[15] = 0.02

const picture = (distance: number, changed: Partial<DialsPicture> = {}): DialsPicture => ({
  dials: hands.map((one) => (one.pair === 5 ? { ...one, role: 'selected' as const } : one)),
  longest: 6,
  distance,
  partOf: (pair) => parts[pair] ?? 0,
  ...changed,
})

describe('the dials', () => {
  it('turn the key back by θ for each token that it is behind', () => {
    const [fastest] = hands
    expect(fastest && angleAt(fastest, 1)).toBeCloseTo(0.033)
    expect(fastest && angleAt(fastest, -1)).toBeCloseTo(2.033)
  })

  it('count degrees, and turns from a full one on', () => {
    expect([0, 1, -0.0562, 0.000178, 7].map(rotationText)).toEqual(['0°', '57°', '3.2°', '0.01°', '1.1 turns'])
  })
})

describe('three dials', () => {
  const roles = (selected: number | null, of = parts) =>
    chooseDials(hands, of, selected).map(({ pair, role }) => [pair, role])

  it('are the fastest pair, the strongest between, and the slowest', () => {
    expect(roles(null)).toEqual([
      [0, 'fastest'],
      [5, 'second'],
      [15, 'slowest'],
    ])
    expect(roles(null, [0.1, 0, 0, 0, 0, 0, 0, 0, 0, -3])[1]).toEqual([9, 'strongest'])
  })

  it('show the selected pair, and no pair twice', () => {
    expect(roles(9)[1]).toEqual([9, 'selected'])
    expect(roles(0)[1]).toEqual([5, 'second'])
    expect(chooseDials(hands.slice(0, 1), parts, null)).toHaveLength(1)
    expect(chooseDials([], parts, null)).toEqual([])
  })

  it('are the strongest pairs of a model that does not rotate, the selected one among them', () => {
    const still = Array.from({ length: 5 }, (_, pair) => ({ pair, query: 1, key: 1, angle: 0, theta: 0 }))
    const pairs = (selected: number | null) =>
      largestDials(still, [0.1, -3, 0.5, 2, 0], selected).map(({ pair, role }) => [pair, role])
    expect(pairs(null)).toEqual([
      [1, undefined],
      [3, undefined],
      [2, undefined],
    ])
    expect(pairs(3).map(([pair]) => pair)).toEqual([1, 3, 2])
    expect(pairs(4)).toEqual([
      [1, undefined],
      [3, undefined],
      [4, 'selected'],
    ])
  })

  it('leave out pairs that do not rotate', () => {
    const pair = { query: 1, key: 1, angle: 0 }
    expect(handsOf([pair, pair, pair], [0, 0.1, 1]).map(({ pair }) => pair)).toEqual([2, 1])
  })
})

describe('the picture', () => {
  const lines = (distance: number) =>
    drawDials(planDials({ x: 0, y: 0, width: 450, height: 170 }, 4), picture(distance)).filter(
      (mark) => mark.kind === 'line',
    )

  it('points every query up, in its length', () => {
    const queries = lines(1).filter(({ stroke }) => stroke === 'query')
    expect(queries).toHaveLength(4)
    for (const { x1, x2 } of queries) expect(x2).toBeCloseTo(x1)
    const [first, , , last] = queries.map(({ y1, y2 }) => y1 - y2)
    expect((last ?? 0) / (first ?? 1)).toBeCloseTo(1.66 / 4.72)
  })

  it('closes the fastest hands one token back, and leaves the dotted one where it was', () => {
    const [dotted, rotatedKey] = lines(1).filter(({ stroke }) => stroke === 'key')
    expect(dotted?.dash).toBeDefined()
    expect(dotted && dotted.x2 < dotted.x1 - 25).toBe(true)
    expect(rotatedKey && Math.abs(rotatedKey.x2 - rotatedKey.x1)).toBeLessThan(4)
    expect(lines(6).filter(({ stroke }) => stroke === 'key')[0]).toEqual(dotted)
  })

  it('has neither a dotted hand nor an angle where nothing rotates', () => {
    const still = { pair: 6, query: 1, key: 2, angle: 1, theta: 0 }
    const marks = drawDials(planDials({ x: 0, y: 0, width: 450, height: 170 }, 1), picture(3, { dials: [still] }))
    expect(marks.filter((mark) => mark.kind === 'line').map(({ stroke }) => stroke)).toEqual(['key', 'query'])
    expect(marks.filter((mark) => mark.kind === 'path')).toEqual([])
    const texts = marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
    expect(texts.slice(0, 2)).toEqual(['pair 6', 'components 12, 13'])
    expect(texts).toHaveLength(3)
  })

  it('has a tick for each token on the way of a fast pair', () => {
    expect(lines(6).filter(({ stroke }) => stroke === 'edge')).toHaveLength(6)
  })

  it('names both tokens, at the right where the name at the left has no room', () => {
    const named = (query: string, key: string) =>
      drawDials(
        planDials({ x: 0, y: 0, width: 400, height: 130 }, 3),
        picture(1, { dials: hands.slice(0, 3), names: { query, key } }),
      ).flatMap((mark) => (mark.kind === 'text' && (mark.text === query || mark.text === key) ? [mark] : []))
    const middle = planDials({ x: 0, y: 0, width: 400, height: 130 }, 3).middle(0).x
    expect(named('at', 'and').map(({ text, x }) => [text, x > middle])).toEqual([
      ['and', false],
      ['at', true],
    ])
    expect(named('at', 'looked').map(({ text, x }) => [text, x > middle])).toEqual([
      ['looked', true],
      ['at', true],
    ])
  })

  it('of all pairs has room for the angle of each, in as many rows as that takes, and grows with its room', () => {
    const planOf = (width: number, height: number, count: number) => planDials({ x: 0, y: 0, width, height }, count)
    for (const [width, height] of [
      [380, 228],
      [362, 300],
      [960, 430],
    ] as const)
      for (const count of [16, 64]) {
        const { radius, height: high, middle } = planOf(width, height, count)
        expect(radius, `${count} in ${width} × ${height}`).toBeGreaterThanOrEqual(26)
        expect(middle(count - 1).y + radius).toBeLessThan(high)
        expect(Math.min(...Array.from({ length: count }, (_, index) => width - middle(index).x))).toBeGreaterThan(
          radius,
        )
      }
    expect(planOf(1900, 1000, 16).radius).toBeGreaterThan(planOf(960, 430, 16).radius)
    // The slow pairs' hands are short: the angle stands below the middle, clear of it.
    const slow = picture(1, { dials: hands.slice(3), longest: 6 })
    const plan = planOf(380, 228, 16)
    const angle = drawDials(plan, slow).find((mark) => mark.kind === 'text' && mark.text.endsWith('°'))
    expect(angle).toMatchObject({ x: plan.middle(0).x })
  })

  it.each([
    [1900, 1200],
    [1500, 820],
    [950, 420],
  ])('has rows of the same length in %i × %i px', (width, height) => {
    const { middle } = planDials({ x: 0, y: 0, width, height }, 16)
    const lines = Array.from({ length: 16 }, (_, index) => middle(index).y)
    const counts = [...new Set(lines)].map((line) => lines.filter((y) => y === line).length)
    expect(new Set(counts).size).toBe(1)
  })

  it('fits its room', async () => {
    for (const distance of [-400, -1, 0, 1, 6.5, 400])
      expect(
        await misfits(({ width, height }) => {
          const plan = planDials({ x: 0, y: 0, width, height }, 4)
          return { width, height: plan.height, marks: drawDials(plan, picture(distance)) }
        }),
      ).toEqual([])
  })
})
