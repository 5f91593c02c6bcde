// How a model's weights are kept in memory: as asked for, or as fits.

import type * as wasm from '../../wasm/ropescope.js'

/** Formats of the matrices; vectors are kept as f32 whatever it is. */
export const weightFormats = ['f32', 'f16', 'bf16', 'int8', 'int4'] as const satisfies readonly wasm.FormatName[]

export type WeightFormat = (typeof weightFormats)[number]

/** `stored`: 16 bits stay 16 bits, all else is kept as f32. */
export type StoredFormat = WeightFormat | 'stored'

/** What the visitor asks for; `auto`: what fits. */
export type WeightsChoice = WeightFormat | 'auto'

/** What the weights of a model take, in bytes, by how they are kept. */
export type WeightBytes = Readonly<Record<StoredFormat, number>>
