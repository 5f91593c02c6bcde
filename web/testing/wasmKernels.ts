// The CPU kernels as WebAssembly has them, for tests of them: `kernels/relaxed/src/test_exports.rs`, compiled with and without relaxed SIMD.
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

interface Exports {
  memory: WebAssembly.Memory
  allocate(numbers: number): number
  linear_layer(linear: number): void
  attend(attention: number): void
  norm(norms: number): void
  gemm_rows(
    out: number,
    left: number,
    right: number,
    stride: number,
    rows: number,
    inner: number,
    columns: number,
    scale: number,
  ): void
}

export const builds = ['plain', 'relaxed'] as const

/** A word of a kernel’s arguments: a whole number, an address, 0 for none; or an f32. */
type Word = number | { f32: number }

export class WasmKernels {
  readonly exports: Exports

  constructor(build: (typeof builds)[number]) {
    // Browsers have it; Node's engine has it behind a flag at first.
    setFlagsFromString('--experimental-wasm-relaxed-simd')
    const module = new WebAssembly.Module(readFileSync(`web/wasm/test_kernels_${build}.wasm`))
    this.exports = new WebAssembly.Instance(module).exports as unknown as Exports
  }

  /** Numbers in its memory. */
  numbers(at: number, count: number): Float32Array {
    return new Float32Array(this.exports.memory.buffer, at, count)
  }

  /** Copies the numbers into its memory. @returns their address. */
  put(values: Float32Array): number {
    const at = this.exports.allocate(values.length)
    this.numbers(at, values.length).set(values)
    return at
  }

  /** Calls a kernel with a struct of 32-bit words. */
  call(name: 'linear_layer' | 'attend' | 'norm', words: Word[]): void {
    const at = this.exports.allocate(words.length)
    const view = new DataView(this.exports.memory.buffer, at)
    words.forEach((word, index) => {
      if (typeof word === 'number') view.setUint32(4 * index, word, true)
      else view.setFloat32(4 * index, word.f32, true)
    })
    this.exports[name](at)
  }
}

/** Numbers below 1.5. */
export function randomNumbers(count: number, seed: number): Float32Array {
  return Float32Array.from({ length: count }, (_, at) => Math.sin(at * 12.9898 + seed * 78.233) * 1.5)
}

/** A sum of products in f64, and the tolerance of the same sum in f32. */
export function sum(
  inner: number,
  x: (k: number) => number,
  w: (k: number) => number,
): { expected: number; off: number } {
  let [expected, magnitudes] = [0, 0]
  for (let k = 0; k < inner; k++) {
    expected += x(k) * w(k)
    magnitudes += Math.abs(x(k) * w(k))
  }
  return { expected, off: 4e-6 * magnitudes }
}
