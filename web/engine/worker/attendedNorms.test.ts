// Attention and norms as WebAssembly has them, both builds, against plain sums in f64.
import { beforeAll, describe, expect, it } from 'vitest'
import { WasmKernels, builds, randomNumbers } from '../../testing/wasmKernels'

/** f32::MIN, which masks are made of. */
const lowest = -(2 - 2 ** -23) * 2 ** 127

interface Attention {
  batch: number
  length: number
  keys: number
  heads: number
  keyHeads: number
  headSize: number
  /** Whether masks hide keys, and in the last of several sequences all of them. */
  masks: boolean
  past: number
  causal: boolean
  window: number
}

const plain = { batch: 1, heads: 2, keyHeads: 2, masks: false, past: 0, causal: false, window: 2 ** 32 - 1 }

/** Blocks of queries and of keys and what is left of both, head sizes that are no whole panels, one query, keys that nobody of a block sees. */
const attentions: Attention[] = [
  { ...plain, length: 1, keys: 1, headSize: 12 },
  { ...plain, length: 2, keys: 9, headSize: 20, masks: true },
  { ...plain, length: 33, keys: 33, headSize: 13, masks: true },
  { ...plain, length: 5, keys: 5, headSize: 128, heads: 4, keyHeads: 1, causal: true },
  { ...plain, length: 70, keys: 261, headSize: 24, heads: 3, keyHeads: 1, past: 191, causal: true, masks: true },
  { ...plain, length: 1, keys: 301, headSize: 64, heads: 4, past: 300, causal: true, window: 50 },
  { ...plain, length: 70, keys: 140, headSize: 36, past: 70, causal: true, window: 17, masks: true },
  { ...plain, length: 67, keys: 67, headSize: 40, window: 9, masks: true },
  { ...plain, length: 35, keys: 150, headSize: 12, batch: 2, past: 115, causal: true, window: 3, masks: true },
  { ...plain, length: 34, keys: 34, headSize: 7, batch: 2, causal: true, masks: true },
]

interface Norms {
  rows: number
  width: number
  centres: boolean
  has: { gain: boolean; shift: boolean; residual: boolean }
}

const norms: Norms[] = [1, 3, 17].flatMap((rows) =>
  [1, 7, 8, 24, 133].map((width, at) => ({
    rows,
    width,
    centres: at % 2 === 0,
    has: { gain: at > 0, shift: at > 1, residual: at > 2 },
  })),
)

describe.each(builds)('the %s build', (build) => {
  let kernels: WasmKernels
  beforeAll(() => {
    kernels = new WasmKernels(build)
  })

  it('attends at odd shapes', () => {
    for (const of of attentions) {
      const [distance, scale] = [3, 0.25]
      const { batch, length, keys, heads, keyHeads, headSize, past, causal, window } = of
      const [width, keyWidth] = [heads * headSize + distance, keyHeads * headSize + distance]
      const query = randomNumbers(batch * length * width, 1)
      const [key, value] = [
        randomNumbers(batch * (keys + 1) * keyWidth, 2),
        randomNumbers(batch * (keys + 1) * keyWidth, 3),
      ]
      const mask = new Float32Array(batch * keys)
      if (of.masks)
        mask.forEach((_, at) => (mask[at] = at % 5 === 1 || at >= Math.max(1, batch - 1) * keys ? lowest : 0))
      const context = kernels.put(randomNumbers(batch * length * heads * headSize, 4))
      const statistics = kernels.put(randomNumbers(batch * length * heads * 2, 5))
      const matrices = [context, statistics, ...[query, key, value, mask].map((numbers) => kernels.put(numbers))]
      const sizes = [batch, length, keys, heads, keyHeads, headSize, distance, past, Number(causal), window]
      kernels.call('attend', [...matrices, ...sizes, { f32: scale }])
      const found = kernels.numbers(context, batch * length * heads * headSize)
      const stored = kernels.numbers(statistics, batch * length * heads * 2)
      const close = (what: string, at: number, number: number | undefined, expected: number, off: number) => {
        if (number === undefined || !(Math.abs(number - expected) <= off)) {
          expect.fail(`${JSON.stringify(of)}: ${what} ${at} is ${number}, not ${expected}`)
        }
      }
      for (let row = 0; row < batch * length * heads; row++) {
        const [sequence, token, head] = [
          Math.floor(row / heads / length),
          Math.floor(row / heads) % length,
          row % heads,
        ]
        const [q, group] = [
          (sequence * length + token) * width + head * headSize,
          Math.floor(head / (heads / keyHeads)),
        ]
        const at = (k: number) => (sequence * (keys + 1) + k) * keyWidth + group * headSize
        const scores = Array.from({ length: keys }, (_, k) => {
          const far = past + token - k >= window || (causal ? k > past + token : k - past - token >= window)
          if (far) return lowest
          let score = 0
          for (let c = 0; c < headSize; c++) score += (query[q + c] ?? NaN) * (key[at(k) + c] ?? NaN)
          return Math.fround(score * scale + (mask[sequence * keys + k] ?? NaN))
        })
        const largest = Math.max(...scores)
        const weights = scores.map((score) => Math.exp(score - largest))
        const total = weights.reduce((sum, weight) => sum + weight)
        close('the largest of row', row, stored[2 * row], largest, largest === lowest ? 0 : 2e-5)
        close('the sum of row', row, stored[2 * row + 1], total, 3e-5 * total)
        for (let c = 0; c < headSize; c++) {
          const weighed = weights.reduce((sum, weight, k) => sum + weight * (value[at(k) + c] ?? NaN), 0)
          close('number', row * headSize + c, found[row * headSize + c], weighed / total, 3e-5)
        }
      }
    }
  })

  it('norms rows at odd widths', () => {
    for (const { rows, width, centres, has } of norms) {
      const [x, residual, gain, shift] = [
        randomNumbers(rows * width, 1),
        randomNumbers(rows * width, 2),
        randomNumbers(width, 3),
        randomNumbers(width, 4),
      ]
      const [out, epsilon] = [kernels.put(randomNumbers(rows * width, 5)), 1e-3]
      const put = (there: boolean, numbers: Float32Array) => (there ? kernels.put(numbers) : 0)
      const others = [put(has.residual, residual), put(has.gain, gain), put(has.shift, shift)]
      kernels.call('norm', [out, kernels.put(x), ...others, rows, width, Number(centres), { f32: epsilon }])
      kernels.numbers(out, rows * width).forEach((number, at) => {
        const row = [...x.subarray(at - (at % width), at - (at % width) + width)]
        const mean = centres ? row.reduce((sum, x) => sum + x) / width : 0
        const variance = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / width
        const normed = ((x[at] ?? NaN) - mean) / Math.sqrt(variance + epsilon)
        const scaled =
          normed * (has.gain ? (gain[at % width] ?? NaN) : 1) + (has.shift ? (shift[at % width] ?? NaN) : 0)
        const expected = scaled + (has.residual ? (residual[at] ?? NaN) : 0)
        if (!(Math.abs(number - expected) <= 1e-5)) {
          expect.fail(`${rows} × ${width}: number ${at} is ${number}, not ${expected}`)
        }
      })
    }
  })
})
