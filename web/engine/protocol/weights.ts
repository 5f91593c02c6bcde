// Formats of weights in memory.

import type * as wasm from '../../wasm/ropescope.js'

/** Formats of matrices; vectors are always f32. */
export const weightFormats = ['f32', 'f16', 'bf16', 'int8', 'int4'] as const satisfies readonly wasm.FormatName[]

export type WeightFormat = (typeof weightFormats)[number]

/** `stored`: 16 bits as in the file, all else f32. */
export type StoredFormat = WeightFormat | 'stored'

/** `auto`: the most exact format that fits. */
export type WeightsChoice = WeightFormat | 'auto'

/** The bytes of a model's weights, by format. */
export type WeightBytes = Readonly<Record<StoredFormat, number>>
