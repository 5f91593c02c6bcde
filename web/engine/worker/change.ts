// A change as the WASM takes it: lists of numbers.

import { engineFailure } from '../protocol/failure'
import type { Change } from '../protocol/protocol'
import type { WasmChange, WasmEngine } from './surface'

/** In place of a head: all of them. */
const all = 2 ** 32 - 1

/** Links hold anything: what is no index becomes one that no model has, and the engine says so. */
const index = (number: number) => (Number.isInteger(number) && number >= 0 && number < all ? number : all - 1)

/** A distance that none is beyond would be no change: what is no distance is refused instead. */
function distance(reach: number): number {
  if (Number.isInteger(reach) && reach >= 0 && reach < all) return reach
  throw engineFailure('invalid-distance', { distance: reach })
}

/** Labels as one list; −1: none. */
export function flatLabels(labels: readonly (number | null)[]): Int32Array {
  return Int32Array.from(labels, (label) => (label === null ? -1 : Math.min(index(label), 2 ** 31 - 1)))
}

/** Makes the change of one run, which uses it up. `labels`: of each row, or of each token for a loss; −1: none. */
export function changed(
  engine: WasmEngine,
  change: Omit<Change, 'labels'> = {},
  labels: Int32Array = new Int32Array(),
  beyondLength = false,
): WasmChange {
  const { muted = [], off = [], offBy = 'zero', ropeScaling = '', rotaryValue = false } = change
  const { rotatesValues = false, logN, reach, attention = '' } = change
  const pairs = muted.flatMap(({ layer, head, pairs, fate }) =>
    pairs.flatMap((pair) => [index(layer), head === null ? all : index(head), index(pair), fate === 'stop' ? 0 : 1]),
  )
  const heads = off.flatMap(({ layer, head }) => [index(layer), index(head), offBy === 'mean' ? 1 : 0])
  return engine.change(
    Uint32Array.from(pairs),
    Uint32Array.from(heads),
    labels,
    ropeScaling,
    rotaryValue,
    rotatesValues,
    logN,
    reach === undefined ? undefined : distance(reach),
    beyondLength,
    attention,
  )
}
