// The cell of a map that says most about a text: the largest weight between ordinary tokens.
import type { Pair } from '../engine/protocol/parts'
import { sourceOf, textStart } from '../engine/protocol/parts'

export interface Cell {
  query: number
  key: number
}

/** A map of weights, (length, length): rows are queries. */
export interface CellMap {
  weights: Float32Array
  length: number
  /** Positions of special tokens, which are neither query nor key. */
  special: ReadonlySet<number>
  /** Of an encoder–decoder. */
  pair?: Pair | undefined
}

/** The strongest cell of the map, or of one row. Special tokens count only where no row has two other keys with a weight. */
export const strongestCell = (map: CellMap, row?: number): Cell | undefined =>
  strongestAmong(map, row, map.special) ?? strongestAmong(map, row, new Set())

function strongestAmong(
  { weights, length, special, pair }: CellMap,
  row: number | undefined,
  without: ReadonlySet<number>,
): Cell | undefined {
  const from = row ?? (pair ? textStart(pair) : 0)
  const to = row === undefined ? length : row + 1
  const keys = sourceOf(pair) ?? length
  let strongest: (Cell & { weight: number }) | undefined
  for (let query = from; query < to; query++) {
    if (special.has(query)) continue
    let visible = 0
    let best: (Cell & { weight: number }) | undefined
    for (let key = 0; key < keys; key++) {
      const weight = Math.abs(weights[query * length + key] ?? 0)
      if (weight === 0 || without.has(key)) continue
      visible++
      if (!best || weight > best.weight) best = { query, key, weight }
    }
    // The only key of a causal map's first token has all of its weight, whatever the head does.
    if (best && visible > 1 && (!strongest || best.weight > strongest.weight)) strongest = best
  }
  return strongest && { query: strongest.query, key: strongest.key }
}
