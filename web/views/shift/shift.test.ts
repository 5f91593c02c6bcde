import { describe, expect, it } from 'vitest'
import { atMost, change, shift } from '../../i18n/en/shift'
import { axisIn, drawShift, offsetUnder, yOf, type Shifting } from './draw'
import {
  anglesAsked,
  between,
  fourPairs,
  handsOf,
  holds,
  largestOffset,
  moveOffset,
  offsetAt,
  placeOf,
  rounding,
  valuesOf,
  withTried,
} from './model'
import { tellShift, type Shifted } from './tell'

const turn = 2 * Math.PI
const theta = Array.from({ length: 16 }, (_, pair) => 10_000 ** (-pair / 16))

/** What the engine answers: (length, pairs) modulo 2π. */
function engine({ theta, length }: { theta: Float64Array; length: number }): Float32Array {
  return Float32Array.from({ length: length * theta.length }, (_, at) => {
    const angle = Math.floor(at / theta.length) * (theta[at % theta.length] ?? 0)
    return angle % turn
  })
}

const still = { weight: 0, logit: 0, layer: 0, head: 0, query: 0, key: 0 }

describe('what a shift changes', () => {
  it('is rounding, or more: of a weight or of a logit', () => {
    expect(holds({ ...still, offset: 9, weight: 8e-7, logit: 2e-5 })).toBe(true)
    expect(holds({ ...still, offset: 9, weight: 8e-7, logit: 0.5 })).toBe(false)
    expect(holds({ ...still, offset: 9, weight: 0.01, logit: 2e-5 })).toBe(false)
    expect(holds({ ...still, offset: 9, weight: Number.NaN })).toBe(false)
  })

  it('depends on what becomes of values: the model’s own or chosen, and turned back whichever', () => {
    const plain = { rotary_value: false }
    expect(valuesOf({ rotaryValue: false, rotatesValues: false }, plain)).toBe('still')
    expect(valuesOf({ rotaryValue: true, rotatesValues: false }, plain)).toBe('rotated')
    expect(valuesOf({ rotaryValue: false, rotatesValues: false }, { rotary_value: true })).toBe('rotated')
    expect(valuesOf({ rotaryValue: true, rotatesValues: true }, plain)).toBe('turnedBack')
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
    const one = (offset: number, weight: number) => ({ ...still, offset, weight })
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
      { ...still, offset: 0 },
      { ...still, offset: 100_000, weight: 4e-7, logit: 0.9 },
    ],
    now: { ...still, offset: 100_000, weight: 4e-7, logit: 0.9 },
    offset: 100_000,
    query: { token: 'looked', position: 100_009 },
    key: { token: 'and', position: 100_008 },
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

  it('puts no change at all on the axis, and a change of 100 or of no number on top', () => {
    const axis = { left: 0, right: 100, top: 10, bottom: 90 }
    expect(yOf(0, axis)).toBe(90)
    expect(yOf(1e-12, axis)).toBe(90)
    expect(yOf(100, axis)).toBe(10)
    expect(yOf(1e6, axis)).toBe(10)
    expect(yOf(Number.NaN, axis)).toBe(10)
    expect(yOf(1e-3, axis)).toBeCloseTo(50)
    expect(yOf(rounding, axis)).toBeLessThan(90)
  })
})

describe('what is said', () => {
  const told: Shifted = {
    shifted: 'Shifted by 10,000 positions',
    now: undefined,
    refused: undefined,
    values: 'still',
    heads: 32,
    weights: 15_488,
    place: 'looked 9 → and 8',
  }
  const now = { ...still, layer: 2, head: 6, offset: 10_000, weight: 3.4e-7, logit: 6e-6 }
  const broken = { ...now, weight: 0.2, logit: 1.5 }

  it('is measured, of all heads and all logits, and rounded so that it stays true', () => {
    const { title, line } = tellShift({ ...told, now })
    expect(title).toBe('Shifted by 10,000 positions, no weight moves by more than 0.0000004.')
    expect(line).toContain('15,488 weights of all 32 heads were compared, and no logit moves by more than 0.000006.')
    expect(atMost(4e-7)).toBe('0.0000004')
    expect(atMost(0)).toBe('0')
    expect(atMost(9.5e-7)).toBe('0.000001')
    expect(change(3.44e-7)).toBe('0.00000034')
    expect(change(0.312)).toBe('0.31')
  })

  it('is why it breaks, in two sentences with the place, and why it holds again', () => {
    const { title, line } = tellShift({ ...told, now: broken, values: 'rotated' })
    expect(title).toBe('Shifted by 10,000 positions, a weight moves by 0.20 and a logit by 1.50.')
    expect(line).toBe(shift.headline.rotatedLine('2.6', 'looked 9 → and 8', 0.2))
    expect(line).toMatch(/never turned back.*[.] .*head 2[.]6, looked 9 → and 8[.]$/)
    expect(tellShift({ ...told, now, values: 'turnedBack' }).line).toContain('turned back by the query’s')
    expect(tellShift({ ...told, now: broken }).line).toContain('more than rounding')
  })

  it('is what else is changed, that nothing is shifted, that numbers are on their way, or why there are none', () => {
    expect(tellShift({ ...told, now, shifted: 'Without head 2.6, shifted by 1 position' }).title).toMatch(
      /^Without head/,
    )
    for (const values of ['still', 'rotated', 'turnedBack'] as const) {
      const { title, line } = tellShift({ ...told, shifted: '', values })
      expect([title, line]).toEqual([shift.headline.still, shift.headline.stillLine[values]])
    }
    expect(tellShift(told)).toEqual({ title: 'Shifted by 10,000 positions.', line: shift.headline.comingLine })
    expect(tellShift({ ...told, refused: 'more than 128 MiB' }).line).toMatch(/not measured: more than 128 MiB[.]$/)
  })
})
