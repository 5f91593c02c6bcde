import { describe, expect, it } from 'vitest'
import { check, movePair, rivalOf, waterfall } from './model'

const wavelengths = Float64Array.of(6.28, 62.8, 628, 6283)

describe('the waterfall', () => {
  it('steps from pair to pair to the score', () => {
    const { steps, total, main } = waterfall(Float64Array.of(6, 1, -3, 0.5), wavelengths)
    expect(steps.map(({ from, to }) => [from, to])).toEqual([
      [0, 6],
      [6, 7],
      [7, 4],
      [4, 4.5],
    ])
    expect([total, main?.pair]).toEqual([4.5, 0])
  })

  it('goes from fast to slow, however pairs are numbered', () => {
    const { steps } = waterfall([1, 2, 4], [Infinity, 6.28, 62.8])
    expect(steps.map(({ pair, to }) => [pair, to])).toEqual([
      [1, 2],
      [2, 6],
      [0, 7],
    ])
  })

  it('sums the slowest pairs up where they are tiny', () => {
    expect(waterfall([10, 2, 0.1, -0.15], wavelengths).tail?.count).toBe(2)
    expect(waterfall([10, 2, 0.1, -0.15], wavelengths).tail?.sum).toBeCloseTo(-0.05, 12)
    expect(waterfall([10, 0.1, 2, -0.15], wavelengths).tail).toBeUndefined()
    expect(waterfall([0, 0, 0, 0], wavelengths)).toMatchObject({ tail: undefined, main: undefined, total: 0 })
  })
})

describe('the check against the model', () => {
  const row = { attention: Float32Array.of(0, 0, 0, 0.2, 0.7, 0.1, 0, 0, 0), length: 3 }

  it('takes the largest other weight of the row', () => {
    expect([rivalOf(row, 1, 0), rivalOf(row, 1, 1), rivalOf(row, 0, 1)]).toEqual([1, 0, undefined])
  })

  it('compares a difference of scores with the ratio of weights', () => {
    const other = { score: 3, weight: 0.2 }
    expect(check({ score: 3 + Math.log(3.5), weight: 0.7 }, other, false).state).toBe('agrees')
    const off = check({ score: 3.1 + Math.log(3.5), weight: 0.7 }, other, false)
    expect(off.state).toBe('differs')
    expect(off.by).toBeCloseTo(0.1, 9)
  })

  it('claims nothing where there is nothing to compare with', () => {
    expect(check({ score: 1, weight: 0 }, { score: 1, weight: 1 }, false).state).toBe('unchecked')
    expect(check({ score: 1, weight: 1 }, undefined, false).state).toBe('unchecked')
    expect(check({ score: 1, weight: 0 }, { score: 1, weight: 1 }, true).state).toBe('masked')
  })
})

it('keys walk the pairs by speed, and let go', () => {
  const order = [2, 0, 1]
  expect([movePair(null, 'right', order), movePair(null, 'left', order)]).toEqual([2, 2])
  expect([movePair(2, 'right', order), movePair(1, 'right', order)]).toEqual([0, 1])
  expect([movePair(0, 'leave', order), movePair(0, 'last', order), movePair(0, undefined, order)]).toEqual([
    null,
    1,
    undefined,
  ])
})
