// How a model's weights are kept in memory: as asked for, or as fits.

import type { Backend, ModelRope } from './protocol'

/** Formats of the matrices; vectors are kept as f32 whatever it is. */
export const weightFormats = ['f32', 'f16', 'bf16', 'int8', 'int4'] as const

export type WeightFormat = (typeof weightFormats)[number]

/** `stored`: 16 bits stay 16 bits, all else is kept as f32. */
export type KeptAs = WeightFormat | 'stored'

/** What the visitor asks for; `auto`: what fits. */
export type WeightsChoice = WeightFormat | 'auto'

/** What the weights of a model take, in bytes, by how they are kept. */
export type WeightBytes = Readonly<Record<KeptAs, number>>

/** What is known of a model before its weights are there. */
export interface BeforeWeights {
  bytes: WeightBytes
  rope: ModelRope
}

/** f32 is the quickest to read: small models are kept so, whatever their file holds. */
const small = 256e6

/** WASM has 4 GiB in all; texts and what is made of them need room, too. */
const roomOnCpu = 2.5e9
/** No adapter tells how much memory it has: as much as many a laptop lets a page have. */
const roomOnGpu = 4e9

/**
 * How weights are kept where nothing else is asked for: the most exact way that fits; the smallest where none does. memory: of the machine, in
 * GB, as far as the browser tells (8 at most).
 */
export function fitting(bytes: WeightBytes, backend: Backend, memory: number | undefined): KeptAs {
  if (bytes.f32 <= small) return 'f32'
  const room = Math.min(backend === 'cpu' ? roomOnCpu : roomOnGpu, ((memory ?? 8) / 2) * 1e9)
  return (['stored', 'int8'] as const).find((kept) => bytes[kept] <= room) ?? 'int4'
}
