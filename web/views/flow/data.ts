// Numbers of one token and of all tokens, by layer.
import type { FlowResult } from '../../engine/protocol/protocol'

/** In tokens. The rollout of a longer text is not computed. */
export const longestFlow = 512

/** The numbers of the tokens from `first` on: of cross-attention those of the text, behind a source that they do not flow from. */
export function fromToken(flow: FlowResult, first: number): FlowResult {
  if (first === 0) return flow
  const { length } = flow
  /** The last tokens of each row of `length` numbers, from a row on. */
  const ends = (numbers: Float32Array, row = 0) => numbers.filter((_, at) => at >= row * length && at % length >= first)
  return {
    ...flow,
    length: length - first,
    rollout: ends(flow.rollout, first),
    residual: ends(flow.residual),
    change: ends(flow.change),
  }
}

/** A token, and its part of what arrives at another one. */
export interface Origin {
  position: number
  part: number
}

/** The origins of what arrives at a token, largest part first. */
export function origins({ rollout, length }: FlowResult, query: number): Origin[] {
  const row = rollout.subarray(query * length, (query + 1) * length)
  return Array.from(row, (part, position) => ({ position, part })).sort((one, other) => other.part - one.part)
}

/** A norm by layer: of one token, and its mean over all. */
export interface ByLayer {
  one: number[]
  mean: number[]
}

/** numbers: (layers, length). */
export function byLayer(numbers: Float32Array, length: number, query: number): ByLayer {
  const rows = Array.from({ length: numbers.length / length }, (_, layer) =>
    numbers.subarray(layer * length, (layer + 1) * length),
  )
  return {
    one: rows.map((row) => row[query] ?? 0),
    mean: rows.map((row) => row.reduce((sum, norm) => sum + norm, 0) / length),
  }
}

/** The index of the largest number; the first of equal ones. */
export function largestAt(numbers: ArrayLike<number>): number {
  return Array.from(numbers).reduce((best, number, at, all) => (number > (all[best] ?? -Infinity) ? at : best), 0)
}
