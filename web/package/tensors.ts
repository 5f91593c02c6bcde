// Tensors of a run, as the engine's safetensors file holds them: 8 bytes of length, a JSON header, the numbers.
import { textOf } from '../engine/protocol/failure'
import { everyTap, isOf, type LayerTap, type TensorOf } from '../engine/protocol/site'
import { taps as tensorsOfTap } from '../engine/protocol/siteNames'
import { messages } from './messages.en'
import { error } from './errors'

export interface Tensor {
  /** Row-major. */
  data: Float32Array
  shape: number[]
}

interface Entry {
  dtype: string
  shape: number[]
  data_offsets: [number, number]
}

/** The f32 tensors of a file by name. Tensors of other types (ids, masks) are left out. @throws {RopescopeError} */
export function readTensors(file: Uint8Array): Record<string, Tensor> {
  try {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
    const start = 8 + Number(view.getBigUint64(0, true))
    const header = JSON.parse(new TextDecoder().decode(file.subarray(8, start))) as Record<string, Entry>
    const floats = Object.entries(header).filter(([name, { dtype }]) => name !== '__metadata__' && dtype === 'F32')
    return Object.fromEntries(
      floats.map(([name, { shape, data_offsets: offsets }]) => {
        const [from, to] = offsets
        // A copy: an offset may be no multiple of four, and one tensor should not keep the whole file in memory.
        const bytes = file.slice(start + from, start + to)
        return [name, { data: new Float32Array(bytes.buffer), shape }]
      }),
    )
  } catch (reason) {
    throw error('internal', messages.badFile(textOf(reason)))
  }
}

/** The tensors of each tap by name: "attentions.0", of an encoder–decoder "encoder_attentions.0". */
export type TensorsByTap<T extends LayerTap> = { [K in T]: Record<TensorOf<(typeof tensorsOfTap)[K]>, Tensor> }

/** @throws {RopescopeError} where a name is no tap */
export function checkTaps(taps: readonly LayerTap[]): void {
  for (const tap of taps) {
    if (!everyTap.includes(tap)) throw error('no-tap', messages.noSuchTap(String(tap), everyTap.join(', ')))
  }
}

export function tensorsByTap<T extends LayerTap>(
  tensors: Readonly<Record<string, Tensor>>,
  taps: readonly T[],
): TensorsByTap<T> {
  const ofTap = (tap: LayerTap) => Object.entries(tensors).filter(([name]) => isOf(tensorsOfTap[tap], name))
  return Object.fromEntries(taps.map((tap) => [tap, Object.fromEntries(ofTap(tap))])) as TensorsByTap<T>
}

/** How hidden states become one vector: their mean, the first token's, or the last token's. */
export type Pooling = 'mean' | 'first' | 'last'

/** One vector of hidden states (1, length, hidden_size), not normalised. */
export function pool({ data, shape }: Tensor, pooling: Pooling): Float32Array {
  const size = shape.at(-1) ?? 0
  const length = size === 0 ? 0 : data.length / size
  const row = (at: number) => data.slice(at * size, (at + 1) * size)
  if (pooling === 'first') return row(0)
  if (pooling === 'last') return row(length - 1)
  return Float32Array.from({ length: size }, (_, column) => {
    let sum = 0
    for (let at = 0; at < length; at++) sum += data[at * size + column] ?? 0
    return sum / length
  })
}
