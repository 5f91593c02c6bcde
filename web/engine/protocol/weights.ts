// Formats of weights in memory.

import type { FormatName as StoredFormat } from '../../wasm/ropescope.js'

/** Formats of matrices; vectors are always f32. */
export type WeightFormat = Exclude<StoredFormat, 'stored'>
export const weightFormats: readonly WeightFormat[] = ['f32', 'f16', 'bf16', 'int8', 'int4']

/** `stored`: 16 bits as in the file, all else f32. */
export type { StoredFormat }

/** `auto`: the most exact format that fits. */
export type WeightsChoice = WeightFormat | 'auto'

/** The bytes of a model's weights, by format. */
export type WeightBytes = Readonly<Record<StoredFormat, number>>
