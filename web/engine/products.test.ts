// The CPU kernels as WebAssembly has them, both builds, against plain sums; and the relaxed one that the engine has inside.
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { sharedAt } from '../wasm/ropescope_shared.js'
import type { Kernels } from './kernels'

/** `kernels/relaxed/src/tested.rs`. */
interface Products {
  memory: WebAssembly.Memory
  room(numbers: number): number
  multiply_by(form: number, out: number, x: number, w: number, rows: number, inner: number, columns: number): void
  weigh(
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

// Browsers have it; Node's engine has it behind a flag at first.
beforeAll(() => setFlagsFromString('--experimental-wasm-relaxed-simd'))

const read = (name: string) => readFileSync(`web/wasm/${name}.wasm`)

function made(count: number, seed: number): Float32Array {
  return Float32Array.from({ length: count }, (_, at) => Math.sin(at * 12.9898 + seed * 78.233) * 1.5)
}

/** What a product is compared with: its sum in f64, and how far that of f32 may be from it. */
function sum(inner: number, x: (k: number) => number, w: (k: number) => number): { expected: number; off: number } {
  let [expected, magnitudes] = [0, 0]
  for (let k = 0; k < inner; k++) {
    expected += x(k) * w(k)
    magnitudes += Math.abs(x(k) * w(k))
  }
  return { expected, off: 4e-6 * magnitudes }
}

const shapes = [1, 2, 3, 4, 5, 17].flatMap((rows) =>
  [1, 3, 4, 37, 64].flatMap((inner) => [1, 7, 8, 9, 43].map((columns) => ({ rows, inner, columns }))),
)

/** The forms of a weight, and how far from what it was a number below 1.5 may be in them. */
const forms = [
  { form: 0, name: 'as it lies', off: 0 },
  { form: 1, name: 'in panels', off: 0 },
  { form: 2, name: 'as f16', off: 2 ** -11 },
  { form: 3, name: 'as bf16', off: 2 ** -8 },
  { form: 4, name: 'as int8', off: 0.51 * (1.5 / 127) },
  { form: 5, name: 'as int4', off: 0.51 * (1.5 / 7) },
]

describe.each(['plain', 'relaxed'])('the %s build', (build) => {
  let products: Products
  beforeAll(() => {
    const instance = new WebAssembly.Instance(new WebAssembly.Module(read(`products_${build}`)))
    products = instance.exports as unknown as Products
  })
  const numbers = (at: number, count: number) => new Float32Array(products.memory.buffer, at, count)
  const put = (values: Float32Array) => {
    const at = products.room(values.length)
    numbers(at, values.length).set(values)
    return at
  }

  it.each(forms)('multiplies by a weight $name, at odd shapes', ({ form, off }) => {
    for (const { rows, inner, columns } of shapes) {
      const [x, weight] = [made(rows * inner, 1), made(columns * inner, 2)]
      const [out, w] = [put(made(rows * columns, 3)), put(weight)]
      products.multiply_by(form, out, put(x), w, rows, inner, columns)
      const [found, kept] = [numbers(out, rows * columns), numbers(w, columns * inner)]
      kept.forEach((number, at) => {
        if (!(Math.abs(number - (weight[at] ?? NaN)) <= off)) expect.fail(`number ${at} of the weight is ${number}`)
      })
      found.forEach((number, at) => {
        const [row, column] = [Math.floor(at / columns), at % columns]
        const { expected, off } = sum(
          inner,
          (k) => x[row * inner + k] ?? NaN,
          (k) => kept[column * inner + k] ?? NaN,
        )
        if (!(Math.abs(number - expected) <= off)) {
          expect.fail(`${rows} × ${inner} × ${columns}: (${row}, ${column}) is ${number}, not ${expected}`)
        }
      })
    }
  })

  it('weighs rows that lie apart', () => {
    for (const { rows, inner, columns } of [...shapes, { rows: 5, inner: 261, columns: 19 }]) {
      const stride = Math.max(inner, columns) + 3
      const [left, right, before] = [made(rows * stride, 1), made(inner * stride, 2), made(rows * stride, 3)]
      const out = put(before)
      products.weigh(out, put(left), put(right), stride, rows, inner, columns, 0.5)
      numbers(out, rows * stride).forEach((number, at) => {
        const [row, column] = [Math.floor(at / stride), at % stride]
        const weighed = sum(
          inner,
          (k) => left[row * stride + k] ?? NaN,
          (k) => (right[k * stride + column] ?? NaN) / 2,
        )
        const { expected, off } = column < columns ? weighed : { expected: before[at] ?? NaN, off: 0 }
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
    const taken = await output()
    const refusing = vi.spyOn(WebAssembly.Table.prototype, 'set').mockImplementation(function (
      this: WebAssembly.Table,
      index: number,
      value: unknown,
    ) {
      if (typeof value === 'function') refused++
      else set.call(this, index, value)
    })
    const plain = await output()
    refusing.mockRestore()
    expect(refused, 'functions that the engine is given').toBe(1)
    expect(taken.ids).toEqual(plain.ids)
    expect(taken.numbers).toHaveLength(plain.numbers.length)
    taken.numbers.forEach((number, at) => expect(Math.abs(number - (plain.numbers[at] ?? NaN))).toBeLessThan(1e-5))
  })
})

describe.each(['plain', 'relaxed'])('the %s module for threads', (build) => {
  const module = () => new WebAssembly.Module(read(`threads_${build}`))

  it('asks for shared memory and for a way to sleep', () => {
    expect(WebAssembly.Module.imports(module())).toEqual([
      { module: 'env', name: 'memory', kind: 'memory' },
      { module: 'env', name: 'wake', kind: 'function' },
      { module: 'env', name: 'wait', kind: 'function' },
    ])
    const functions = WebAssembly.Module.exports(module()).flatMap(({ kind, name }) => (kind === 'global' ? [] : name))
    expect(functions.sort()).toEqual(['fail', 'help', 'run_job'])
  })

  it('computes what the engine computes without it, all chunks by a helper', async () => {
    const alone = await output()
    let jobs = 0
    const helped = await output((engine, memory) => {
      const instance = (wake: () => void) => {
        const wait = () => expect.fail('a thread that waits for itself')
        return new WebAssembly.Instance(module(), { env: { memory, wait, wake } }).exports as unknown as Kernels
      }
      const helper = instance(() => expect.fail('nobody sleeps'))
      // It helps as soon as it is woken, before the engine's thread takes a chunk.
      const own = instance(() => (jobs = helper.help(team, 1, jobs)))
      const team = engine.useKernels(own.run_job)
      new Int32Array(memory.buffer)[team / 4] = 1
    })
    expect(jobs, 'jobs that were shared').toBeGreaterThan(10)
    expect(helped.ids).toEqual(alone.ids)
    if (build === 'relaxed') expect(helped.numbers).toEqual(alone.numbers)
    else helped.numbers.forEach((number, at) => expect(number).toBeCloseTo(alone.numbers[at] ?? NaN, 5))
  })
})

type Bindings = typeof import('../wasm/ropescope.js')

/** What a fresh engine says of a sentence of the bundled model. `share`: on shared memory, to which it may do something first. */
async function output(
  share?: (engine: Bindings, memory: WebAssembly.Memory) => void,
): Promise<{ ids: number[]; numbers: number[] }> {
  vi.resetModules()
  const ropescope = await import('../wasm/ropescope.js')
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
  const loading = await engine.begin(readFileSync(`${folder}/config.json`, 'utf8'), header, weights.length, 'f32')
  loading.push(weights.subarray(header.length))
  engine.adopt(loading)
  const none = new Uint32Array()
  const unchanged = engine.change(none, none, new Int32Array(), '', false, false, undefined, undefined, false, '')
  const ids = Uint32Array.from({ length: 13 }, (_, at) => 5 + at * 97)
  const run = await engine.run(ids, Uint32Array.of(6), 5, 0, 0, 0, unchanged, () => Promise.resolve(true))
  return { ids: Array.from(run.topIds), numbers: [...run.topProbabilities, ...run.attention] }
}
