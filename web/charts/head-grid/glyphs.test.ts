import { describe, expect, it } from 'vitest'
import type { HeadByDistance } from '../../engine/protocol/protocol'
import { distanceGlyph, mostUsed, pairParts, peakOfHead, strongest } from './glyphs'

function head(reach: number, peak: number, strength = [4, 1, 0]): HeadByDistance {
  const measured = new Float64Array(2 * reach + 1)
  measured[peak + reach] = 1
  const curves = { measured, predicted: measured, correlation: 0.9 }
  return { layer: 0, head: 0, reach, ...curves, strength: Float64Array.from(strength), constancy: new Float64Array(3) }
}

/** Numbers of a path, in pairs of a line. */
const points = (d: string) =>
  d
    .slice(1)
    .split('L')
    .map((point) => point.split(',').map(Number))

describe('a head by distance', () => {
  it.each([
    [32, false],
    [3, false],
    [32, true],
    [0, true],
  ])('stays in its square, reach %i, causal %s', (reach, causal) => {
    for (const side of [22, 42, 90]) {
      const { line, area, zero } = distanceGlyph(head(reach, 0), causal, side, 4)
      expect(area + line).not.toMatch(/NaN|Infinity/)
      for (const [x = -1, y = -1] of points(line)) {
        expect(x >= 0 && x <= side && y >= 0 && y <= side).toBe(true)
      }
      expect(zero > 0 && zero < side).toBe(true)
    }
  })

  it('has keys behind on the left, and none ahead where no query sees them', () => {
    const highest = (causal: boolean, peak: number) => {
      const line = points(distanceGlyph(head(32, peak), causal, 42, 4).line)
      return line.findIndex(([, y]) => y === Math.min(...line.map(([, y]) => y ?? 0)))
    }
    expect(highest(false, 1)).toBe(9)
    expect(highest(false, -1)).toBe(11)
    expect(highest(true, 1)).toBe(19)
    expect(points(distanceGlyph(head(32, 0), true, 42, 4).line)).toHaveLength(21)
  })

  it('lies where it is put', () => {
    const [here, there] = [
      { x: 0, y: 0 },
      { x: 100, y: 50 },
    ].map((corner) => points(distanceGlyph(head(32, 1), false, 42, 4, corner).line))
    expect(there).toEqual(here?.map(([x = 0, y = 0]) => [Number((x + 100).toFixed(1)), Number((y + 50).toFixed(1))]))
  })

  it('names its peak', () => {
    expect(distanceGlyph(head(32, 2), false, 42, 4).peak).toMatchObject({ weight: 1, y: 4 })
    expect(distanceGlyph(head(32, 30), false, 42, 4).peak).toBeUndefined()
    expect(distanceGlyph({ ...head(5, 0), measured: new Float64Array(11) }, false, 42, 4).peak).toBeUndefined()
    expect(peakOfHead(head(5, -2))).toEqual({ distance: -2, weight: 1 })
    expect(peakOfHead({ ...head(5, 0), measured: new Float64Array(11) })).toEqual({ distance: 0, weight: 0 })
  })
})

describe('the pairs of a head', () => {
  it('are parts of the strongest of all heads', () => {
    const heads = [head(5, 0), head(5, 0, [16, 0, 0])]
    expect(strongest(heads)).toBe(16)
    expect(pairParts(heads[0] ?? head(1, 0), 16)).toEqual([0.25, 0.0625, 0])
    expect(pairParts(head(5, 0, [0, 0]), 0)).toEqual([0, 0])
    expect(mostUsed(head(5, 0))).toEqual({ pair: 0, part: 0.8 })
  })
})
