// A safetensors file of f32 tensors as the engine writes it: 8 bytes of length, a JSON header, the numbers.
import { textOf } from '../engine/protocol/failure'
import { said } from '../i18n/package'
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

/** The f32 tensors of a file, by name; those of other types (ids, masks) are left out. @throws {RopescopeError} */
export function readTensors(file: Uint8Array): Record<string, Tensor> {
  try {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
    const start = 8 + Number(view.getBigUint64(0, true))
    const header = JSON.parse(new TextDecoder().decode(file.subarray(8, start))) as Record<string, Entry>
    const floats = Object.entries(header).filter(([name, { dtype }]) => name !== '__metadata__' && dtype === 'F32')
    return Object.fromEntries(
      floats.map(
        ([
          name,
          {
            shape,
            data_offsets: [from, to],
          },
        ]) => {
          // A copy: its numbers may lie at an odd place, and the file need not be kept for one of them.
          const bytes = file.slice(start + from, start + to)
          return [name, { data: new Float32Array(bytes.buffer), shape }]
        },
      ),
    )
  } catch (reason) {
    throw error('internal', said.badFile(textOf(reason)))
  }
}
