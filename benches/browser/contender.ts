// A worker with one runtime in it, ropescope or onnxruntime-web, on the CPU or a GPU. It runs when it is told to, and says how long that took.

import { start } from '../../web/engine/protocol/sharing'
import type { Surface, WasmEngine } from '../../web/engine/worker/handler'
import { HelperPool } from '../../web/engine/client/helpers'
import { startThreads } from '../../web/engine/worker/kernels'

export interface Contender {
  name: string
  runtime: 'ropescope' | 'onnxruntime-web'
  backend: 'cpu' | 'gpu'
  threads: number
  /** Of ropescope: whether it may use relaxed SIMD. */
  relaxed: boolean
  /** The model's folder, or onnxruntime-web's graph. */
  path: string
  /** A graph of nothing, which starts onnxruntime-web. */
  empty: string
  ids: number[]
  row: number
}

/** Milliseconds from nothing to a runtime that can load a model, and from a model's bytes to one that can run. */
export interface Ready {
  start: number
  load: number
}

export interface Ran {
  milliseconds: number
  /** The five likeliest tokens, for a check that all computed the same. */
  topIds: number[]
  /** Of ropescope: its own report. Of a GPU: what was dispatched. */
  report: Partial<Record<'dispatches' | 'bytesAllocated' | 'bytesReadBack', number>>
  /** Of ropescope: its adapter's vendor and architecture. */
  adapter: string
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
    ): Promise<{ run(feeds: object): Promise<{ logits: { getData(): Promise<Float32Array> } }> }>
  }
  Tensor: new (type: string, data: BigInt64Array, shape: number[]) => object
}

type Outcome = Omit<Ran, 'milliseconds'>
type Run = () => Promise<() => Outcome>

const scope = self as unknown as {
  onmessage: (event: MessageEvent<Contender | 'run'>) => void
  postMessage(message: Ready | Ran): void
}

const bytes = async (path: string) => new Uint8Array(await (await fetch(path)).arrayBuffer())

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const begun = performance.now()
  const result = await work()
  return [result, performance.now() - begun]
}

async function ropescope(contender: Contender): Promise<[Run, Ready]> {
  const { backend, threads, relaxed, path, ids, row } = contender
  const [bindings, place] = ['/web/wasm/ropescope.js', '/web/wasm/ropescope_shared.js']
  const [{ wasm, engine }, started] = await timed(async () => {
    const wasm = (await import(bindings)) as Bindings
    const { sharedAt } = (await import(place)) as { sharedAt: number }
    const { set } = WebAssembly.Table.prototype
    // What the engine has inside is put into its table.
    if (!relaxed) WebAssembly.Table.prototype.set = () => {}
    const memory = await start(wasm.default, { url: '/web/wasm/ropescope_bg.wasm', sharedAt })
    WebAssembly.Table.prototype.set = set
    wasm.giveShaders(backend === 'gpu' ? await (await fetch('/web/wasm/shaders.wgsl')).text() : '')
    const engine = await wasm.Engine.open(backend, (message) => {
      throw new Error(message)
    })
    return { wasm: { ...wasm, memory }, engine }
  })
  const weights = await bytes(`${path}/model.safetensors`)
  const config = await (await fetch(`${path}/config.json`)).text()
  const [, load] = await timed(async () => {
    const header = weights.subarray(0, wasm.headerBytes(weights.subarray(0, 8)))
    const loading = await engine.begin(config, header, weights.length, 'f32')
    loading.push(weights.subarray(header.length))
    engine.adopt(loading)
  })
  if (threads > 1) {
    const plain = '/web/wasm/threads_plain.wasm'
    const files = { plain, relaxed: relaxed ? '/web/wasm/threads_relaxed.wasm' : plain }
    const helpers = new HelperPool(() => new Worker('/target/bench/helper.js', { type: 'module' }))
    const found = await startThreads(wasm, threads, files, helpers)
    if (found !== threads) throw new Error(`${found} threads in place of ${threads}`)
  }
  return [runsOf(engine, ids, row), { start: started, load }]
}

function runsOf(engine: WasmEngine, ids: number[], row: number): Run {
  const { vendor, architecture } = JSON.parse(engine.adapter()) as Record<string, string | undefined>
  const adapter = `${vendor ?? ''} ${architecture ?? ''}`.trim()
  return async () => {
    const unchanged = engine.change([], new Int32Array(), '', false, undefined, false)
    const rows = Uint32Array.of(row)
    const run = await engine.run(Uint32Array.from(ids), rows, 5, 'decoder', 0, 0, 0, unchanged, () =>
      Promise.resolve(true),
    )
    return () => ({ topIds: Array.from(run.topIds), report: JSON.parse(run.report) as Ran['report'], adapter })
  }
}

async function onnxruntime(contender: Contender): Promise<[Run, Ready]> {
  const { backend, threads, path, empty, ids, row } = contender
  const folder = '/benches/node_modules/onnxruntime-web/dist/'
  const runtime = `${folder}ort.${backend === 'gpu' ? 'webgpu' : 'wasm'}.min.mjs`
  const options = { executionProviders: [backend === 'gpu' ? 'webgpu' : 'wasm'], graphOptimizationLevel: 'all' }
  const dispatched = backend === 'gpu' ? watchGpu() : undefined
  const nothing = await bytes(empty)
  const [ort, started] = await timed(async () => {
    const ort = (await import(runtime)) as Ort
    ort.env.wasm.numThreads = threads
    ort.env.wasm.wasmPaths = folder
    await ort.InferenceSession.create(nothing, options)
    return ort
  })
  const graph = await bytes(path)
  const [session, load] = await timed(() => ort.InferenceSession.create(graph, options))
  const feeds = {
    ids: new ort.Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
    rows: new ort.Tensor('int64', BigInt64Array.of(BigInt(row)), [1]),
  }
  const run: Run = async () => {
    const before = dispatched?.count ?? 0
    const data = await (await session.run(feeds)).logits.getData()
    return () => ({
      topIds: [...data.keys()].sort((a, b) => (data[b] ?? 0) - (data[a] ?? 0) || a - b).slice(0, 5),
      report: dispatched ? { dispatches: dispatched.count - before } : {},
      adapter: '',
    })
  }
  return [run, { start: started, load }]
}

/** Counts dispatches, and asks no adapter for subgroups: of fewer than eight lanes onnxruntime-web's attention computes something else. */
function watchGpu(): { count: number } {
  const counted = { count: 0 }
  const { dispatchWorkgroups, dispatchWorkgroupsIndirect } = GPUComputePassEncoder.prototype
  GPUComputePassEncoder.prototype.dispatchWorkgroups = function (...sizes) {
    counted.count++
    return dispatchWorkgroups.apply(this, sizes)
  }
  GPUComputePassEncoder.prototype.dispatchWorkgroupsIndirect = function (...from) {
    counted.count++
    return dispatchWorkgroupsIndirect.apply(this, from)
  }
  const { requestDevice } = GPUAdapter.prototype
  GPUAdapter.prototype.requestDevice = function (asked) {
    const requiredFeatures = [...(asked?.requiredFeatures ?? [])].filter((name) => !name.startsWith('subgroup'))
    return requestDevice.call(this, { ...asked, requiredFeatures })
  }
  return counted
}

let run: Run

scope.onmessage = async ({ data }) => {
  if (data === 'run') {
    const [told, milliseconds] = await timed(run)
    scope.postMessage({ milliseconds, ...told() })
  } else {
    const [made, ready] = await (data.runtime === 'ropescope' ? ropescope(data) : onnxruntime(data))
    run = made
    scope.postMessage(ready)
  }
}
