import { describe, expect, it } from 'vitest'
import type { LensResult } from '../../engine/protocol/protocol'
import { lensLayers, lensPosition, settled, tellLens } from './lens'

const names = ['a', 'on', 'sat', 'a-very-long-token']
const token = (id: number) => names[id] ?? ''

/** Best ids by layer, each before id 0. */
function lens(...best: number[]): LensResult {
  return {
    layers: best.length - 1,
    rows: Uint32Array.of(3),
    topIds: Uint32Array.from(best.flatMap((id) => [id, 0])),
    topProbabilities: Float32Array.from(best.flatMap((_, layer) => [0.25 * layer, 0.125])),
  }
}

describe('the lens', () => {
  it('reads the fills of each layer', () => {
    expect(lensLayers(lens(1, 2), token)).toEqual([
      [
        { id: 1, token: 'on', probability: 0 },
        { id: 0, token: 'a', probability: 0.125 },
      ],
      [
        { id: 2, token: 'sat', probability: 0.25 },
        { id: 0, token: 'a', probability: 0.125 },
      ],
    ])
  })

  it('has settled where the best fill stays that of the last layer', () => {
    const of = (...best: number[]) => settled(lensLayers(lens(...best), token))
    expect([of(2, 2, 2), of(1, 2, 2), of(2, 1, 2), of(1, 1, 2)]).toEqual([0, 1, 2, 2])
  })

  it('looks at the chosen mask, else at the first', () => {
    const rows = Uint32Array.of(3, 7)
    expect([lensPosition(rows, 7), lensPosition(rows, 5), lensPosition(new Uint32Array(), 5)]).toEqual([
      7,
      3,
      undefined,
    ])
  })

  it('is told as bars, the guess that stays in bold, and says since when', () => {
    const { group, line, table } = tellLens(lensLayers(lens(3, 1, 2, 2), token), '[MASK] 3')
    expect(group.rows.map(({ name, numbers, weight }) => [name, ...numbers, weight])).toEqual([
      ['input', 'a-very-long…', '0.0\u00a0%', 'a', undefined],
      ['layer 0', 'on', '25.0\u00a0%', 'a', undefined],
      ['layer 1', 'sat', '50.0\u00a0%', 'a', 'strong'],
      ['layer 2', 'sat', '75.0\u00a0%', 'a', 'strong'],
    ])
    expect(line).toBe('For [MASK] 3 the output head would say “sat” from layer 1 on; just before, “on”.')
    expect(table.table.length).toBe(8)
    expect(table.table.row(5)).toEqual(['layer 1', 'a', 0.125])
  })

  it('says so where the embeddings say it already', () => {
    expect(tellLens(lensLayers(lens(2, 2), token), 'the next token').line).toBe(
      'For the next token the output head would say “sat” at every layer, and of the embeddings alone.',
    )
  })
})
