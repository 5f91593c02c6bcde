/** A tensor as f32, row-major. */
export interface Tensor {
  shape: number[]
  data: Float32Array
}

interface Entry {
  dtype: string
  shape: number[]
  data_offsets: [number, number]
}

/** The tensors of a safetensors file (f32 or f16), by name. */
export function readSafetensors(file: Uint8Array): Map<string, Tensor> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const start = 8 + Number(view.getBigUint64(0, true))
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, start))) as Record<string, Entry>
  const tensors = new Map<string, Tensor>()
  for (const [name, { dtype, shape, data_offsets }] of Object.entries(header)) {
    if (name === '__metadata__') continue
    // A copy: the data need not be aligned in the file.
    const raw = new Uint8Array(file.subarray(start + data_offsets[0], start + data_offsets[1])).buffer
    if (dtype === 'F32') tensors.set(name, { shape, data: new Float32Array(raw) })
    else if (dtype === 'F16') tensors.set(name, { shape, data: Float32Array.from(new Uint16Array(raw), halfToFloat) })
    else throw new Error(`${name}: dtype ${dtype} is not read here`)
  }
  return tensors
}

function halfToFloat(half: number): number {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >> 10) & 31
  const fraction = half & 1023
  if (exponent === 31) return fraction ? NaN : sign * Infinity
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25))
}
