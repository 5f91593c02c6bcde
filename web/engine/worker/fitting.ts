// Which format of weights fits into memory.
import type { Backend, ModelRope } from '../protocol/protocol'
import type { StoredFormat, WeightBytes } from '../protocol/weights'

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
export function fitting(bytes: WeightBytes, backend: Backend, memory: number | undefined): StoredFormat {
  if (bytes.f32 <= small) return 'f32'
  const room = Math.min(backend === 'cpu' ? roomOnCpu : roomOnGpu, ((memory ?? 8) / 2) * 1e9)
  return (['stored', 'int8'] as const).find((format) => bytes[format] <= room) ?? 'int4'
}
