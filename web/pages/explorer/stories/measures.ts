// What captions measure on a head's map, what a run predicts, and how captions name these.
import { weightAt, type Weights } from '../../../charts/matrix'
import { predictions } from '../../../session/predictions'
import type { Run } from '../../../session/runs.svelte'
import { headName, percent, tokenName } from '../../../i18n/numbers'
import { key, query, quoted, type Piece } from '../../../i18n/rich'
import type { Cursor } from '../../../viewstate/choice'

/** The likeliest token of a run's first mask, or its likeliest next one. */
const guessOf = ({ result, model }: Run) => predictions(result, (id) => model.tokenizer.display(id))[0]?.fills[0]

/** The key with the largest weight of a row. */
export function largestIn(map: Weights, query: number): number {
  const row = map.attention.subarray(query * map.length, (query + 1) * map.length)
  return row.reduce((best, weight, key) => (weight > (row[best] ?? 0) ? key : best), 0)
}

interface AtDistance {
  /** query − key. */
  distance: number
  /** Tokens that have a key at this distance. */
  of: number
  /** Those that give it their largest weight. */
  largest: number
  /** The mean weight that it gets. */
  mean: number
}

/** What keys at a distance get. */
export function atDistance(map: Weights, distance: number): AtDistance {
  let [of, largest, sum] = [0, 0, 0]
  for (let query = 0; query < map.length; query++) {
    const key = query - distance
    if (key < 0 || key >= map.length) continue
    const weight = weightAt(map, query, key)
    const row = map.attention.subarray(query * map.length, (query + 1) * map.length)
    of++
    sum += weight
    if (row.every((other) => other <= weight)) largest++
  }
  return { distance, of, largest, mean: of === 0 ? 0 : sum / of }
}

/** The distance back whose keys get most, from the token itself to half of the text. */
export function strongestBack(map: Weights): AtDistance {
  const all = Array.from({ length: Math.max(1, map.length >> 1) }, (_, distance) => atDistance(map, distance))
  return all.reduce((best, one) => (one.mean > best.mean ? one : best))
}

/** What followed the query's token where it stood before, behind the same token; the nearest last. */
export function followers(ids: ArrayLike<number>, query: number): number[] {
  const isSame = (at: number) => ids[at] === ids[query] && ids[at - 1] === ids[query - 1]
  return Array.from({ length: Math.max(0, query - 1) }, (_, at) => at + 1).flatMap((at) =>
    at < query && isSame(at) ? [at + 1] : [],
  )
}

/** How much of the map lies where a number of each cell is below a limit: of the cells, and of the weights. */
export function partBelow(
  { attention, length }: Weights,
  numbers: Float32Array,
  limit: number,
): { cells: number; weight: number } {
  let [cells, weight] = [0, 0]
  numbers.forEach((number, at) => {
    if (number >= limit) return
    cells++
    weight += attention[at] ?? 0
  })
  return { cells: cells / (length * length), weight: weight / length }
}

export function named(run: Run, cursor: Cursor): { head: string; asks: Piece; answers: Piece } {
  const token = (position: number) => tokenName(run.reading.display[position] ?? '', position)
  return { head: headName(run.head), asks: query(token(cursor.query)), answers: key(token(cursor.key)) }
}

/** A run's best guess, and its probability. */
export function namedGuess(run: Run | undefined): { id: number; token: Piece; chance: string } | undefined {
  const guess = run && guessOf(run)
  return guess && { id: guess.id, token: quoted(guess.token), chance: percent(guess.probability) }
}
