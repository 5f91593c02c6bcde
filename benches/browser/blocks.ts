// Rows of numbers as llama.cpp stores them: halves, and blocks of 32 with a scale each, after its reference code.

export const formats = ['f16', 'q8_0', 'q4_0'] as const
export type Format = (typeof formats)[number]

/** How a file names a format, and the bytes that so many numbers take. */
export const kinds: Record<Format | 'f32', { type: number; numbers: number; bytes: number }> = {
  f32: { type: 0, numbers: 1, bytes: 4 },
  f16: { type: 1, numbers: 1, bytes: 2 },
  q4_0: { type: 2, numbers: 32, bytes: 18 },
  q8_0: { type: 8, numbers: 32, bytes: 34 },
}

const scratch = new DataView(new ArrayBuffer(4))

/** The nearest half, ties to even. */
export function half(number: number): number {
  scratch.setFloat32(0, number)
  const bits = scratch.getUint32(0)
  const sign = (bits >>> 16) & 0x8000
  const magnitude = Math.abs(number)
  if (Number.isNaN(number)) return 0x7e00
  if (magnitude >= 65520) return sign | 0x7c00
  // Below the least normal half they lie 2⁻²⁴ apart.
  if (magnitude < 2 ** -14) return sign | even(magnitude * 2 ** 24)
  const exponent = ((bits >>> 23) & 255) - 127
  return sign | (((exponent + 15) << 10) + even((magnitude / 2 ** exponent - 1) * 1024))
}

function even(number: number): number {
  const below = Math.floor(number)
  const rest = number - below
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below
}

/** The number that a half stands for. */
export function whole(half: number): number {
  const [sign, exponent, fraction] = [half & 0x8000 ? -1 : 1, (half >> 10) & 31, half & 1023]
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25))
}

/** The numbers of whole rows as bytes of that format. */
export function stored(numbers: Float32Array, format: Format): Uint8Array {
  if (format === 'f16') return new Uint8Array(Uint16Array.from(numbers, half).buffer)
  const { bytes } = kinds[format]
  const out = new Uint8Array((numbers.length / 32) * bytes)
  const view = new DataView(out.buffer)
  for (let block = 0; block < numbers.length / 32; block++) {
    const [of, at] = [numbers.subarray(32 * block, 32 * block + 32), block * bytes]
    const largest = of.reduce((most, number) => (Math.abs(number) > Math.abs(most) ? number : most), 0)
    if (format === 'q8_0') {
      const scale = Math.fround(Math.abs(largest) / 127)
      view.setUint16(at, half(scale), true)
      of.forEach((number, index) => view.setInt8(at + 2 + index, scale ? Math.round(number / scale) : 0))
    } else {
      const scale = Math.fround(largest / -8)
      view.setUint16(at, half(scale), true)
      const code = (index: number) => (scale ? Math.min(15, Math.trunc((of[index] ?? 0) / scale + 8.5)) : 8)
      for (let index = 0; index < 16; index++) out[at + 2 + index] = code(index) | (code(index + 16) << 4)
    }
  }
  return out
}
