import { describe, expect, it } from 'vitest'
import { concentrationOf, mapCorrelation, weightsByDistance } from './byDistance'

describe('weights by distance', () => {
  it('are means over the queries that have a key there', () => {
    // Query 0 looks at itself, query 1 at the token before, query 2 at both.
    const map = Float32Array.of(1, 0, 0, 1, 0, 0, 0.5, 0.5, 0)
    const { measured, even } = weightsByDistance(map, 3, true)
    expect([...measured]).toEqual([0, 0, 1 / 3, 0.75, 0.5])
    expect(even[2]).toBeCloseTo((1 + 1 / 2 + 1 / 3) / 3, 12)
    expect([...even.slice(0, 2)]).toEqual([0, 0])
    expect([...weightsByDistance(map, 3, false).even]).toEqual(Array(5).fill(1 / 3))
    expect(weightsByDistance(new Float32Array(), 0, true).measured).toHaveLength(0)
  })
})

describe('maps', () => {
  const all = [true, true, true]
  const map = Float32Array.of(1, 0, 0, 0.75, 0.25, 0, 0.5, 0.25, 0.25)

  it('are like themselves and unlike what is turned round', () => {
    expect(mapCorrelation(map, map, all, false)).toBeCloseTo(1, 12)
    expect(
      mapCorrelation(
        map,
        map.map((weight) => 1 - weight),
        all,
        false,
      ),
    ).toBeCloseTo(-1, 12)
    expect(mapCorrelation(map, new Float32Array(9).fill(1 / 3), all, false)).toBeNaN()
  })

  it('are compared where both look and may: numpy.corrcoef', () => {
    const other = Float32Array.of(0.5, 0.25, 0.25, 0, 1, 0, 0.25, 0.25, 0.5)
    // np.corrcoef(map.ravel(), other.ravel()), of the lower triangle, and of its last two rows and columns
    expect(mapCorrelation(map, other, all, false)).toBeCloseTo(0.072168784, 7)
    expect(mapCorrelation(map, other, all, true)).toBeCloseTo(-0.347182537, 7)
    expect(mapCorrelation(map, other, [false, true, true], false)).toBeCloseTo(0.683130051, 7)
  })

  it('of cross-attention are compared in the rows of the text and the columns of the source', () => {
    // Three tokens of a source, two of a text; what lies outside is 0 in both.
    const cross = (...cells: number[]) => {
      const map = new Float32Array(25)
      map.set(cells.slice(0, 3), 15)
      map.set(cells.slice(3), 20)
      return map
    }
    const counted = Array<boolean>(5).fill(true)
    // np.corrcoef([0.5, 0.25, 0.25, 0.1, 0.2, 0.7], [0.2, 0.2, 0.6, 0.3, 0.3, 0.4])
    const [one, other] = [cross(0.5, 0.25, 0.25, 0.1, 0.2, 0.7), cross(0.2, 0.2, 0.6, 0.3, 0.3, 0.4)]
    expect(mapCorrelation(one, other, counted, false, 3)).toBeCloseTo(0.019869293, 6)
    expect(mapCorrelation(one, cross(...Array<number>(6).fill(1 / 3)), counted, false, 3)).toBeNaN()
  })
})

it('R of a head is that of its pairs by their strength', () => {
  expect(concentrationOf({ strength: Float64Array.of(1, 3), constancy: Float64Array.of(1, 0.5) })).toBe(0.625)
  expect(concentrationOf({ strength: new Float64Array(2), constancy: new Float64Array(2) })).toBe(0)
})
