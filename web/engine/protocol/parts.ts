// The parts of an encoder–decoder, and the positions of their numbers among the tokens of the views.

import type { PartName } from '../../wasm/ropescope.js'
import type { ModelInfo } from './protocol'

export type { PartName }
export const partNames: readonly PartName[] = ['encoder', 'decoder', 'cross']

/**
 * The input of an encoder–decoder: a source and a text with its start token. Views show the heads and tokens of `part`: the source's, the
 * text's, or for cross-attention the source's and then the text's.
 */
export interface Pair {
  source: Uint32Array
  text: Uint32Array
  part: PartName
}

/** The sizes of a part, as of a model. */
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

/** The position of the text's first token among the tokens of the views. */
export const textStart = ({ source, part }: Pair): number => (part === 'cross' ? source.length : 0)

/** Of cross-attention: the tokens of the source, which come before those of the text. */
export const sourceOf = (pair: Pair | undefined): number | undefined =>
  pair?.part === 'cross' ? pair.source.length : undefined

/** How many tokens the views show. */
export function partLength({ source, text, part }: Pair): number {
  if (part === 'cross') return source.length + text.length
  return part === 'encoder' ? source.length : text.length
}

/** Puts rows of `columns` numbers into (length, width), from row `first` on; the rest is 0. */
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

/** A map of a part for the tokens of the views: (length, length). */
export function mapOfPart(map: Float32Array, pair: Pair | undefined): Float32Array {
  if (pair?.part !== 'cross') return map
  const length = partLength(pair)
  return placeRows(map, { columns: pair.source.length, first: pair.source.length, width: length, length })
}

/** Query rows of a part for the tokens of the views. */
export function queriesOfPart(rows: Float32Array, pair: Pair | undefined, width: number): Float32Array {
  if (pair?.part !== 'cross') return rows
  return placeRows(rows, { columns: width, first: pair.source.length, width, length: partLength(pair) })
}

/** Key rows of a part for the tokens of the views. */
export function keysOfPart(rows: Float32Array, pair: Pair | undefined, width: number): Float32Array {
  if (pair?.part !== 'cross') return rows
  return placeRows(rows, { columns: width, first: 0, width, length: partLength(pair) })
}
