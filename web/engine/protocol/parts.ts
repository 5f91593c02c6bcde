// The parts of an encoder–decoder: whose heads are looked at, and where their numbers stand among the tokens that views show.

import type * as wasm from '../../wasm/ropescope.js'
import type { ModelInfo } from './protocol'

/** The stack that reads the source, the one that writes after it, and the attention of the second to the first. */
export const partNames = ['encoder', 'decoder', 'cross'] as const satisfies readonly wasm.PartName[]
export type PartName = (typeof partNames)[number]

/**
 * What an encoder–decoder runs: a source and the text after it, which begins with the start token, and the part whose heads are looked at.
 * Views show the encoder's tokens, the decoder's, or of cross-attention the source's and then the text's.
 */
export interface Pair {
  source: Uint32Array
  text: Uint32Array
  part: PartName
}

/** A part's sizes, as if it were a model by itself. */
export function infoOfPart<I extends Omit<ModelInfo, 'name' | 'weights'>>(info: I, part: PartName): I {
  const { encoder } = info
  if (!encoder || part === 'decoder') return info
  if (part === 'cross') return { ...info, is_decoder: false }
  return {
    ...info,
    ...encoder,
    num_key_value_heads: encoder.num_attention_heads,
    is_decoder: false,
    predicts_tokens: false,
  }
}

/** Where the text's tokens begin among those that views show of a part. */
export const textStart = ({ source, part }: Pair): number => (part === 'cross' ? source.length : 0)

/** How many tokens views show of a part. */
export function partLength({ source, text, part }: Pair): number {
  if (part === 'cross') return source.length + text.length
  return part === 'encoder' ? source.length : text.length
}

/**
 * Numbers of some tokens among those of all: rows from `first` on, each so wide, in rows of `width` numbers of which they are the first; 0
 * elsewhere.
 */
export function placeRows(
  numbers: Float32Array,
  { columns, first, width, length }: { columns: number; first: number; width: number; length: number },
): Float32Array {
  const all = new Float32Array(length * width)
  for (let row = 0; row * columns < numbers.length; row++) {
    all.set(numbers.subarray(row * columns, (row + 1) * columns), (first + row) * width)
  }
  return all
}

/** A map of a part among the tokens that views show: (length, length). */
export function mapOfPart(map: Float32Array, pair: Pair | undefined): Float32Array {
  if (pair?.part !== 'cross') return map
  const length = partLength(pair)
  return placeRows(map, { columns: pair.source.length, first: pair.source.length, width: length, length })
}

/** Query rows of a part, so wide, among those tokens. */
export function queriesOfPart(rows: Float32Array, pair: Pair | undefined, width: number): Float32Array {
  if (pair?.part !== 'cross') return rows
  return placeRows(rows, { columns: width, first: pair.source.length, width, length: partLength(pair) })
}

/** Key rows. */
export function keysOfPart(rows: Float32Array, pair: Pair | undefined, width: number): Float32Array {
  if (pair?.part !== 'cross') return rows
  return placeRows(rows, { columns: width, first: 0, width, length: partLength(pair) })
}
