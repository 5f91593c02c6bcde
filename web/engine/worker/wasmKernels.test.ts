// The CPU kernels as WebAssembly has them, both builds, against plain sums; and the relaxed one that the engine has inside.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { sharedAt } from '../../wasm/ropescope_shared.js'
import type { Kernels } from './kernels'
import { WasmKernels, builds, randomNumbers, sum } from '../../testing/wasmKernels'

const read = (name: string) => readFileSync(`web/wasm/${name}.wasm`)

const shapes = [
  ...[1, 2, 3, 4, 5, 17].flatMap((rows) =>
    [1, 3, 4, 37, 64].flatMap((inner) => [1, 7, 8, 9, 43].map((columns) => ({ rows, inner, columns }))),
  ),
  // Ten blocks, the last one with a tail, and several chunks.
  ...[1, 2, 3].map((rows) => ({ rows, inner: 301, columns: 300 })),
]

/** The ways a weight is stored, the largest error of a number below 1.5 in each, and whether x is rounded, too. */
const storages = [
  { storage: 0, name: 'as f32', off: 0, roundsX: false },
  { storage: 1, name: 'in panels', off: 0, roundsX: false },
  { storage: 2, name: 'as f16', off: 2 ** -11, roundsX: false },
  { storage: 3, name: 'as bf16', off: 2 ** -8, roundsX: false },
  { storage: 4, name: 'as int8', off: 0.51 * (1.5 / 127), roundsX: true },
  { storage: 5, name: 'as int4', off: 0.51 * (1.5 / 7), roundsX: true },
]

/** x (rows, inner) as the integers of its blocks of 32 stand for it: the largest number of a block is 127 steps. */
function inBlocks(x: Float32Array, inner: number): Float32Array {
  const rounded = x.slice()
  for (let row = 0; row < x.length; row += inner) {
    for (let first = row; first < row + inner; first += 32) {
      const block = rounded.subarray(first, Math.min(first + 32, row + inner))
      const step = Math.fround(block.reduce((largest, number) => Math.max(largest, Math.abs(number)), 0) / 127)
      const inverse = Math.fround(1 / step)
      block.forEach((number, at) => (block[at] = roundToEven(Math.fround(number * inverse)) * step))
    }
  }
  return rounded
}

/** The nearest integer, of two the even one. */
function roundToEven(number: number): number {
  const below = Math.floor(number)
  const rest = number - below
  return rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1
}

/** What may follow a product: nothing, or a bias, an activation by its code, and a residual. */
const activations: ((x: number) => number)[] = [
  (x) => x,
  (x) => (x / 2) * (1 + erf(x / Math.SQRT2)),
  (x) => Math.max(0, x),
  (x) => x / (1 + Math.exp(-x)),
  (x) => (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
]

/** By a series whose terms have one sign; beyond 6 it is 1 to the last digit. */
function erf(x: number): number {
  if (Math.abs(x) > 6) return Math.sign(x)
  let [total, term] = [0, x]
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(total) && n < 400; n++) {
    total += term
    term *= (2 * x * x) / (2 * n + 1)
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * total
}

describe.each(builds)('the %s build', (build) => {
  let kernels: WasmKernels
  beforeAll(() => {
    kernels = new WasmKernels(build)
  })

  it.each(storages)('multiplies by a weight $name, at odd shapes, with its epilogue', ({ storage, off, roundsX }) => {
    for (const [at, { rows, inner, columns }] of shapes.entries()) {
      const [x, weight, bias] = [
        randomNumbers(rows * inner, 1),
        randomNumbers(columns * inner, 2),
        randomNumbers(columns, 4),
      ]
      const residual = randomNumbers(rows * columns, 5)
      const [out, w] = [kernels.put(randomNumbers(rows * columns, 3)), kernels.put(weight)]
      const ends = at % 6
      const [activation, isSeparate] = [ends % 5, ends > 0]
      const end = [isSeparate ? kernels.put(bias) : 0, activation, isSeparate ? kernels.put(residual) : 0]
      kernels.call('linear_layer', [out, kernels.put(x), w, storage, rows, inner, columns, ...end])
      const [found, weights] = [kernels.numbers(out, rows * columns), kernels.numbers(w, columns * inner)]
      const factors = roundsX ? inBlocks(x, inner) : x
      weights.forEach((number, at) => {
        if (!(Math.abs(number - (weight[at] ?? NaN)) <= off)) expect.fail(`number ${at} of the weight is ${number}`)
      })
      found.forEach((number, at) => {
        const [row, column] = [Math.floor(at / columns), at % columns]
        const product = sum(
          inner,
          (k) => factors[row * inner + k] ?? NaN,
          (k) => weights[column * inner + k] ?? NaN,
        )
        const biased = product.expected + (isSeparate ? (bias[column] ?? NaN) : 0)
        const expected = (activations[activation]?.(biased) ?? NaN) + (isSeparate ? (residual[at] ?? NaN) : 0)
        // No activation is steeper than 1.2; and it, and what is added, are rounded.
        const off = 1.2 * product.off + (isSeparate ? 2e-6 * (2 + Math.abs(biased)) : 0)
        if (!(Math.abs(number - expected) <= off)) {
          expect.fail(
            `${rows} × ${inner} × ${columns}, ${activation}: (${row}, ${column}) is ${number}, not ${expected}`,
          )
        }
      })
    }
  })

  it('multiplies matrices whose rows are further apart than their length', () => {
    for (const { rows, inner, columns } of [...shapes, { rows: 5, inner: 261, columns: 19 }]) {
      const stride = Math.max(inner, columns) + 3
      const [left, right, before] = [
        randomNumbers(rows * stride, 1),
        randomNumbers(inner * stride, 2),
        randomNumbers(rows * stride, 3),
      ]
      const out = kernels.put(before)
      kernels.exports.gemm_rows(out, kernels.put(left), kernels.put(right), stride, rows, inner, columns, 0.5)
      kernels.numbers(out, rows * stride).forEach((number, at) => {
        const [row, column] = [Math.floor(at / stride), at % stride]
        const product = sum(
          inner,
          (k) => left[row * stride + k] ?? NaN,
          (k) => (right[k * stride + column] ?? NaN) / 2,
        )
        const { expected, off } = column < columns ? product : { expected: before[at] ?? NaN, off: 0 }
        if (!(Math.abs(number - expected) <= off)) {
          expect.fail(`${rows} × ${inner} × ${columns}: (${row}, ${column}) is ${number}, not ${expected}`)
        }
      })
    }
  })
})

describe('the module that the engine has inside', () => {
  it('asks for nothing but a memory, and gives one function', () => {
    const module = new WebAssembly.Module(read('relaxed'))
    expect(WebAssembly.Module.imports(module)).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }])
    const functions = WebAssembly.Module.exports(module).filter(({ kind }) => kind !== 'global')
    expect(functions).toEqual([{ name: 'run_job', kind: 'function' }])
    expect(read('ropescope_bg').includes(read('relaxed'))).toBe(true)
  })

  it('computes what the engine computes without it', async () => {
    const set = WebAssembly.Table.prototype.set
    let refused = 0
    const out = await output('f32')
    const refusing = vi.spyOn(WebAssembly.Table.prototype, 'set').mockImplementation(function (
      this: WebAssembly.Table,
      index: number,
      value: unknown,
    ) {
      if (typeof value === 'function') refused++
      else set.call(this, index, value)
    })
    const plain = await output('f32')
    refusing.mockRestore()
    expect(refused, 'functions that the engine is given').toBe(1)
    expect(out.ids).toEqual(plain.ids)
    expect(out.numbers).toHaveLength(plain.numbers.length)
    out.numbers.forEach((number, at) => expect(Math.abs(number - (plain.numbers[at] ?? NaN))).toBeLessThan(1e-5))
  })
})

describe.each(builds)('the %s module for threads', (build) => {
  const module = () => new WebAssembly.Module(read(`threads_${build}`))

  it('asks for shared memory and for a way to sleep', () => {
    expect(WebAssembly.Module.imports(module())).toEqual([
      { module: 'env', name: 'memory', kind: 'memory' },
      { module: 'env', name: 'wake', kind: 'function' },
      { module: 'env', name: 'wait', kind: 'function' },
    ])
    const functions = WebAssembly.Module.exports(module()).flatMap(({ kind, name }) => (kind === 'global' ? [] : name))
    expect(functions.sort()).toEqual(['fail', 'run_job', 'work'])
  })

  // A row of an int4 weight is multiplied in parts of neighbouring chunks.
  it.each(['f32', 'int4'] as const)(
    'computes the same in %s alone and with a helper for all chunks',
    async (format) => {
      let jobs = 0
      const withWorkers = (workers: number) =>
        output(format, (engine, memory) => {
          const instance = (wake: () => void) => {
            const wait = () => expect.fail('a thread that waits for itself')
            return new WebAssembly.Instance(module(), { env: { memory, wait, wake } }).exports as unknown as Kernels
          }
          const helper = instance(() => expect.fail('nobody sleeps'))
          // It helps as soon as it is woken, before the engine's thread takes a chunk.
          const own = instance(() => {
            jobs = helper.work(pool, 1, jobs)
            // Fields of `ThreadPool`: as if both threads had taken as many chunks, so that the next job is shared too.
            const [next, ownRequests] = [pool / 4 + 4, pool / 4 + 5]
            numbers[ownRequests] = (numbers[next] ?? 0) >> 1
          })
          const numbers = new Int32Array(memory.buffer)
          const pool = engine.useKernels(own.run_job)
          numbers[pool / 4] = workers
        })
      const alone = await withWorkers(0)
      expect(jobs).toBe(0)
      expect(await withWorkers(1)).toEqual(alone)
      expect(jobs, 'jobs that were shared').toBeGreaterThan(10)
      const engineAlone = await output(format)
      expect(alone.ids).toEqual(engineAlone.ids)
      // Without relaxed SIMD sums round otherwise, and with them some integers of x.
      const digits = format === 'f32' ? 5 : 1
      if (build === 'relaxed') expect(alone.numbers).toEqual(engineAlone.numbers)
      else alone.numbers.forEach((number, at) => expect(number).toBeCloseTo(engineAlone.numbers[at] ?? NaN, digits))
    },
  )
})

type Bindings = typeof import('../../wasm/ropescope.js')

/** What a fresh engine says of a sentence of the bundled model. `share`: on shared memory, to which it may do something first. */
async function output(
  format: 'f32' | 'int4',
  share?: (engine: Bindings, memory: WebAssembly.Memory) => void,
): Promise<{ ids: number[]; numbers: number[] }> {
  vi.resetModules()
  const ropescope = await import('../../wasm/ropescope.js')
  const module = read('ropescope_bg')
  expect(module[sharedAt]).toBe(1)
  if (share) module[sharedAt] = 3
  const { memory } = ropescope.initSync({ module })
  expect(memory.buffer instanceof SharedArrayBuffer).toBe(share !== undefined)
  share?.(ropescope, memory)
  const engine = await ropescope.Engine.open('cpu', () => undefined)
  const folder = 'models/roformer-english'
  const weights = readFileSync(`${folder}/model.safetensors`)
  const header = weights.subarray(0, ropescope.headerBytes(weights.subarray(0, 8)))
  const loading = await engine.begin(readFileSync(`${folder}/config.json`, 'utf8'), header, weights.length, format)
  loading.push(weights.subarray(header.length))
  engine.adopt(loading)
  const unchanged = engine.change([], new Int32Array(), '', false, undefined, false)
  const ids = Uint32Array.from({ length: 13 }, (_, at) => 5 + at * 97)
  const run = await engine.run(ids, Uint32Array.of(6), 5, 'decoder', 0, 0, 0, unchanged, () => Promise.resolve(true))
  return { ids: Array.from(run.topIds), numbers: [...run.topProbabilities, ...run.attention] }
}
