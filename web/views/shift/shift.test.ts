import { describe, expect, it } from 'vitest'
import { atMost, change, shift } from '../../words/en/shift'
import { axisIn, drawShift, offsetUnder, yOf, type Shifting } from './draw'
import {
  anglesAsked,
  between,
  fourPairs,
  handsOf,
  largestChange,
  largestFillChange,
  largestOffset,
  moveOffset,
  offsetAt,
  placeOf,
  rounding,
  withTried,
} from './model'
import { tellShift } from './tell'

const turn = 2 * Math.PI
const theta = Array.from({ length: 16 }, (_, pair) => 10_000 ** (-pair / 16))

/** What the engine answers: (length, pairs) modulo 2π. */
function engine({ theta, length }: { theta: Float64Array; length: number }): Float32Array {
  return Float32Array.from({ length: length * theta.length }, (_, at) => {
    const angle = Math.floor(at / theta.length) * (theta[at % theta.length] ?? 0)
    return angle % turn
  })
}

describe('what a shift changes', () => {
  it('is the largest difference of the weights', () => {
    expect(largestChange([0.5, 0.25], [0.5, 0.75])).toBe(0.5)
    expect(largestChange([], [])).toBe(0)
    expect(largestChange([1], [1, 2])).toBeUndefined()
  })

  const fills = (ids: number[], probabilities: number[], rows = [7]) => ({
    rows: Uint32Array.from(rows),
    topIds: Uint32Array.from(ids),
    topProbabilities: Float32Array.from(probabilities),
  })

  it('is that of a fill, in whichever order they stand', () => {
    expect(largestFillChange(fills([1, 2], [0.5, 0.25]), fills([2, 1], [0.5, 0.25]))).toBe(0.25)
    expect(largestFillChange(fills([], [], []), fills([], [], []))).toBeUndefined()
  })

  it('is at least the difference to the least one shown where a fill is new', () => {
    expect(largestFillChange(fills([3, 2], [0.75, 0.125]), fills([1, 2], [0.5, 0.125]))).toBeCloseTo(0.625)
    expect(largestFillChange(fills([1, 2], [0.5, 0.125]), fills([3, 2], [0.75, 0.125]))).toBeCloseTo(0.625)
  })
})

describe('the axis of offsets', () => {
  it('goes from 0 to 100,000 and back again', () => {
    expect(placeOf(0)).toBe(0)
    expect(placeOf(largestOffset)).toBe(1)
    for (const offset of [0, 1, 2, 3, 9, 57, 1234, 99_999, 100_000]) expect(offsetAt(placeOf(offset))).toBe(offset)
    expect(offsetAt(-1)).toBe(0)
    expect(offsetAt(2)).toBe(largestOffset)
  })

  it('is walked by keys: each step moves, both ways, and stays within', () => {
    let offset = 0
    for (let steps = 0; offset < largestOffset; steps++) {
      const next = moveOffset(offset, 'right') ?? -1
      expect(next).toBeGreaterThan(offset)
      offset = next
      expect(steps).toBeLessThan(300)
    }
    expect(moveOffset(offset, 'right')).toBe(largestOffset)
    expect(moveOffset(0, 'left')).toBe(0)
    expect(moveOffset(5, 'left')).toBe(4)
    expect(moveOffset(20_000, 'pageUp')).toBe(largestOffset)
    expect(moveOffset(57, 'pageDown')).toBe(5)
    expect(moveOffset(57, 'first')).toBe(0)
    expect(moveOffset(57, undefined)).toBeUndefined()
  })
})

describe('the offsets tried', () => {
  it('stand in their order, each once, the newest numbers counting', () => {
    const one = (offset: number, weight: number) => ({ offset, weight, fill: undefined })
    const tried = [one(100, 1), one(10, 2), one(100, 3)].reduce(withTried, [] as ReturnType<typeof withTried>)
    expect(tried).toEqual([one(10, 2), one(100, 3)])
  })
})

describe('the hands', () => {
  it('are of four pairs, fast to slow, and of the chosen one', () => {
    expect(fourPairs(theta, null)).toEqual([0, 5, 10, 15])
    expect(fourPairs(theta, 6)).toEqual([0, 6, 10, 15])
    expect(fourPairs([1, 0.5, 0, 0], null)).toEqual([0, 1])
    expect(fourPairs([1, 0.5, 0, 0], 3)).toEqual([0, 1])
    expect(fourPairs([0, 0], null)).toEqual([])
  })

  it('stand at their positions’ angles, and the angle between two does not change with the shift', () => {
    const pairs = fourPairs(theta, null)
    for (const offset of [0, 57, 100_000]) {
      const asked = anglesAsked(theta, pairs, 9 + offset, 8 + offset)
      const hands = handsOf(engine(asked), theta, pairs, 9 + offset)
      expect(hands[0]?.query).toBeCloseTo((9 + offset) % turn, 4)
      expect(hands[0]?.turns).toBeCloseTo((9 + offset) / turn)
      for (const hand of hands) expect(between(hand)).toBeCloseTo(theta[hand.pair] ?? 0, 5)
    }
  })
})

describe('the picture', () => {
  const shifting: Shifting = {
    hands: fourPairs(theta, null).map((pair) => ({ pair, query: 1, key: 0.5, turns: 15_916.2 })),
    theta,
    tried: [
      { offset: 0, weight: 0, fill: 0 },
      { offset: 100_000, weight: 4e-7, fill: 0.9 },
    ],
    now: { offset: 100_000, weight: 4e-7, fill: 0.9 },
    offset: 100_000,
    head: '2.6',
    query: { token: 'looked', position: 100_009 },
    key: { token: 'and', position: 100_008 },
    second: 'fills',
  }

  it('keeps its marks within its room', () => {
    for (const [width, height] of [
      [350, 390],
      [850, 390],
      [358, 520],
    ] as const) {
      const scene = drawShift(shifting, { width, height })
      for (const mark of scene.marks) {
        if (mark.kind === 'circle') {
          expect(mark.x + mark.r).toBeLessThanOrEqual(width)
          expect(mark.y + mark.r).toBeLessThanOrEqual(height)
        }
        if (mark.kind === 'text') expect(mark.y).toBeLessThanOrEqual(height)
      }
      const axis = axisIn({ width, height })
      expect(axis.bottom - axis.top).toBeGreaterThan(60)
    }
  })

  it('is dragged by what stands under the pointer', () => {
    const axis = axisIn({ width: 440, height: 390 })
    expect(offsetUnder(axis.left, axis)).toBe(0)
    expect(offsetUnder(axis.right, axis)).toBe(largestOffset)
    expect(offsetUnder(-50, axis)).toBe(0)
  })

  it('puts no change at all on the axis, and a change of 1 on top', () => {
    const axis = { left: 0, right: 100, top: 10, bottom: 90 }
    expect(yOf(0, axis)).toBe(90)
    expect(yOf(1e-12, axis)).toBe(90)
    expect(yOf(1, axis)).toBe(10)
    expect(yOf(1e-4, axis)).toBeCloseTo(50)
    expect(yOf(rounding, axis)).toBeLessThan(90)
  })
})

describe('what is said', () => {
  const shifted = { now: undefined, others: false, head: '2.6', weights: 484, turnsValues: false }
  const now = { offset: 10_000, weight: 3.4e-7, fill: 6e-8 }

  it('is measured, and rounded so that it stays true', () => {
    expect(tellShift({ ...shifted, now }).title).toBe(
      'Shifted by 10,000 positions, no weight moves by more than 0.0000004.',
    )
    expect(atMost(4e-7)).toBe('0.0000004')
    expect(atMost(0)).toBe('0')
    expect(atMost(9.5e-7)).toBe('0.000001')
    expect(change(3.44e-7)).toBe('0.00000034')
    expect(change(0.312)).toBe('0.31')
  })

  it('is why, where values are turned, too, and that something else is changed', () => {
    expect(tellShift({ ...shifted, turnsValues: true, now: { ...now, fill: 0.31 } }).title).toBe(
      'Shifted by 10,000 positions, a guess moves by 0.31.',
    )
    expect(tellShift({ ...shifted, now: { ...now, weight: 0.2 } }).title).toContain('a weight moves by 0.20')
    expect(tellShift({ ...shifted, others: true, now }).title).toBe(shift.headline.others)
    expect(tellShift(shifted).title).toBe(shift.headline.still)
  })
})
