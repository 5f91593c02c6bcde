// A worker with one runtime in it: ropescope or onnxruntime-web on so many threads. It runs when it is told to, and says how long that took.

import { start } from '../../web/engine/sharing'
import type { Surface } from '../../web/engine/surface'
import { startThreads } from '../../web/engine/threads'

export interface Contender {
  runtime: 'ropescope' | 'onnxruntime-web'
  threads: number
  /** Of ropescope: whether it may use relaxed SIMD. */
  relaxed: boolean
  /** The model's folder, or onnxruntime-web's graph. */
  path: string
  ids: number[]
  row: number
}

type Bindings = Surface & {
  default: Parameters<typeof start>[0]
  giveShaders(texts: string): void
}

interface Ort {
  env: { wasm: { numThreads: number; wasmPaths: string } }
  InferenceSession: {
    create(
      graph: Uint8Array,
      options: object,
    ): Promise<{ run(feeds: object): Promise<{ logits: { data: Float32Array } }> }>
  }
  Tensor: new (type: string, data: BigInt64Array, shape: number[]) => object
}

const scope = self as unknown as {
  onmessage: (event: MessageEvent<Contender | 'run'>) => void
  postMessage(message: { milliseconds: number; topIds: number[] }): void
}

const bytes = async (path: string) => new Uint8Array(await (await fetch(path)).arrayBuffer())

async function ropescope({ threads, relaxed, path, ids, row }: Contender): Promise<() => Promise<number[]>> {
  const [bindings, place] = ['/web/wasm/ropescope.js', '/web/wasm/ropescope_shared.js']
  const wasm = (await import(bindings)) as Bindings
  const { sharedAt } = (await import(place)) as { sharedAt: number }
  const { set } = WebAssembly.Table.prototype
  // What the engine has inside is put into its table.
  if (!relaxed) WebAssembly.Table.prototype.set = () => {}
  const memory = await start(wasm.default, { url: '/web/wasm/ropescope_bg.wasm', sharedAt })
  WebAssembly.Table.prototype.set = set
  wasm.giveShaders('')
  const engine = await wasm.Engine.open('cpu', (message) => {
    throw new Error(message)
  })
  const weights = await bytes(`${path}/model.safetensors`)
  const header = weights.subarray(0, wasm.headerBytes(weights.subarray(0, 8)))
  const loading = await engine.begin(await (await fetch(`${path}/config.json`)).text(), header, weights.length, 'f32')
  loading.push(weights.subarray(header.length))
  engine.adopt(loading)
  if (threads > 1) {
    const plain = '/web/wasm/threads_plain.wasm'
    const files = { plain, relaxed: relaxed ? '/web/wasm/threads_relaxed.wasm' : plain }
    const spawn = () => new Worker('/target/bench/helper.js', { type: 'module' })
    const found = await startThreads({ ...wasm, memory }, threads, { ...files, spawn })
    if (found !== threads) throw new Error(`${found} threads in place of ${threads}`)
  }
  const none = new Uint32Array()
  return async () => {
    const unchanged = engine.change(none, none, new Int32Array(), '', false, false, undefined, undefined, false, '')
    const rows = Uint32Array.of(row)
    const run = await engine.run(Uint32Array.from(ids), rows, 5, 0, 0, 0, unchanged, () => Promise.resolve(true))
    return Array.from(run.topIds)
  }
}

async function onnxruntime({ threads, path, ids, row }: Contender): Promise<() => Promise<number[]>> {
  const runtime = '/benches/node_modules/onnxruntime-web/dist/ort.wasm.min.mjs'
  const ort = (await import(runtime)) as Ort
  ort.env.wasm.numThreads = threads
  ort.env.wasm.wasmPaths = '/benches/node_modules/onnxruntime-web/dist/'
  const options = { executionProviders: ['wasm'], graphOptimizationLevel: 'all' }
  const session = await ort.InferenceSession.create(await bytes(path), options)
  const feeds = {
    ids: new ort.Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
    rows: new ort.Tensor('int64', BigInt64Array.of(BigInt(row)), [1]),
  }
  return async () => {
    const { data } = (await session.run(feeds)).logits
    return [...data.keys()].sort((a, b) => (data[b] ?? 0) - (data[a] ?? 0) || a - b).slice(0, 5)
  }
}

let run: () => Promise<number[]>

scope.onmessage = async ({ data }) => {
  const begun = performance.now()
  let topIds: number[] = []
  if (data === 'run') topIds = await run()
  else run = await (data.runtime === 'ropescope' ? ropescope(data) : onnxruntime(data))
  scope.postMessage({ milliseconds: performance.now() - begun, topIds })
}
