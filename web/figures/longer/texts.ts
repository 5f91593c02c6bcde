// Texts of several lengths cut from one row, and what is computed of their losses and maps.
import type { Loss } from '../../engine/protocol/protocol'
import { type HeldOut, meanOf, type Steps } from '../../session/heldOut'
import { greatestMultiple, multiples, type LongChange, type Multiple, type WayId } from './ways'

/** A row of the file cut into texts of equal length. */
export function textsOf(
  file: HeldOut,
  row: number,
  multiple: Multiple,
): { ids: Uint32Array; labels: Int32Array; batch: number } {
  const batch = greatestMultiple / multiple
  const [from, to] = [row * file.length, (row + 1) * file.length]
  const [first = 0, last = 0] = [file.ids[from], file.ids[to - 1]]
  const each = Math.floor((file.length - 2) / batch)
  const ids = new Uint32Array(batch * (each + 2))
  const labels = new Int32Array(ids.length).fill(-1)
  for (let text = 0; text < batch; text++) {
    const start = from + 1 + text * each
    const into = text * (each + 2)
    ids[into] = first
    ids.set(file.ids.subarray(start, start + each), into + 1)
    ids[into + each + 1] = last
    labels.set(file.labels.subarray(start, start + each), into + 1)
  }
  return { ids, labels, batch }
}

/** A max-pooled map. */
export interface SmallMap {
  length: number
  side: number
  /** (side, side) */
  cells: Float32Array
  /** The mean over the queries of their greatest weight. */
  strongest: number
}

/** @param weights (length, length) */
export function maxPooled(weights: Float32Array, length: number, largest = 128): SmallMap {
  const side = Math.min(largest, length)
  const cells = new Float32Array(side * side)
  let sum = 0
  for (let query = 0; query < length; query++) {
    const row = Math.floor((query * side) / length) * side
    let strongest = 0
    for (let key = 0; key < length; key++) {
      const weight = weights[query * length + key] ?? 0
      if (weight > strongest) strongest = weight
      const at = row + Math.floor((key * side) / length)
      if (weight > (cells[at] ?? 0)) cells[at] = weight
    }
    sum += strongest
  }
  return { length, side, cells, strongest: sum / Math.max(length, 1) }
}

/** The mean losses on the rows that every way was measured on. */
export function comparedLosses(
  ways: readonly WayId[],
  losses: (way: WayId, multiple: Multiple) => Steps,
): { rows: number; of: (way: WayId, multiple: Multiple) => Loss | undefined } {
  const rows = Math.min(...ways.flatMap((way) => multiples.map((multiple) => losses(way, multiple).length)))
  // Until each way has its first row, those that have one show it.
  return { rows, of: (way, multiple) => meanOf(losses(way, multiple), Math.max(rows, 1)) }
}

/** How long steps took, by kind. */
export type Durations = ReadonlyMap<string, { steps: number; milliseconds: number }>

/** Steps of a kind take about equally long: clamped distances take longer. */
export const durationKind = (multiple: Multiple, { distanceClamp }: LongChange) =>
  `${multiple} ${distanceClamp === undefined ? '' : 'clamped'}`

export function addDuration(durations: Durations, kind: string, milliseconds: number): Durations {
  const before = durations.get(kind) ?? { steps: 0, milliseconds: 0 }
  return new Map(durations).set(kind, {
    steps: before.steps + 1,
    milliseconds: before.milliseconds + milliseconds,
  })
}

/** Seconds for steps of these kinds, where unknown kinds count as the slowest known one; undefined while none is known. */
export function secondsLeft(kinds: readonly string[], durations: Durations): number | undefined {
  if (durations.size === 0) return undefined
  const each = new Map([...durations].map(([kind, { steps, milliseconds }]) => [kind, milliseconds / steps]))
  const slowest = Math.max(...each.values())
  return kinds.reduce((sum, kind) => sum + (each.get(kind) ?? slowest), 0) / 1000
}
