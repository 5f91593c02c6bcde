// Runs in the page, which holds nothing else: one thread, both runtimes in turn.

import type { Surface } from '../../web/engine/surface'

export interface Job {
  /** The model's folder, as a path on this server. */
  model: string
  /** onnxruntime-web's graphs of it, and an empty one that starts the runtime. */
  peers?: { graphs: { name: string; path: string }[]; empty: number[] }
  ids: number[]
  row: number
  runs: number
  backend: 'cpu' | 'gpu'
}

/** Milliseconds. */
export interface Timing {
  name: string
  /** From nothing to a runtime that can load a model. */
  start: number
  /** From a model's bytes to one that can run. */
  load: number
  first: number
  runs: number[]
  /** The five likeliest tokens, for a check that both computed the same. */
  topIds: number[]
}

export interface Measured {
  timings: Timing[]
  /** ropescope's own report of its last run, and its adapter as JSON. */
  report: Partial<Record<'dispatches' | 'bytesHeld' | 'bytesReadBack' | 'created', number>>
  adapter: string
}

interface Contender {
  timing: Timing
  /** Its result gives the five likeliest tokens. */
  run(): Promise<() => number[]>
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

/** The module that wasm-bindgen writes. */
type Ropescope = Surface & { default(): Promise<unknown>; giveShaders(texts: string): void }

/** Serialised into the page: everything it needs is inside. */
export async function measure(job: Job): Promise<Measured> {
  const bytes = async (path: string) => new Uint8Array(await (await fetch(path)).arrayBuffer())
  const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
    const start = performance.now()
    const result = await work()
    return [result, performance.now() - start]
  }
  const contenders: Contender[] = []
  let report: Measured['report'] = {}

  const ropescopePath = '/web/wasm/ropescope.js'
  const [{ ropescope, engine }, start] = await timed(async () => {
    const ropescope = (await import(ropescopePath)) as Ropescope
    await ropescope.default()
    ropescope.giveShaders(await (await fetch('/web/wasm/shaders.wgsl')).text())
    const engine = await ropescope.Engine.open(job.backend, (message) => {
      throw new Error(message)
    })
    return { ropescope, engine }
  })
  const config = new TextDecoder().decode(await bytes(`${job.model}/config.json`))
  const weights = await bytes(`${job.model}/model.safetensors`)
  const [, load] = await timed(async () => {
    const header = weights.subarray(0, ropescope.headerBytes(weights.subarray(0, 8)))
    const loading = await engine.begin(config, header, weights.length, 'f32')
    loading.push(weights.subarray(header.length))
    engine.adopt(loading)
  })
  contenders.push({
    timing: { name: 'ropescope', start, load, first: NaN, runs: [], topIds: [] },
    async run() {
      const rows = Uint32Array.of(job.row)
      const none = new Uint32Array()
      const unchanged = engine.change(none, none, new Int32Array(), '', false, false, undefined, undefined, false, '')
      const ids = Uint32Array.from(job.ids)
      const output = await engine.run(ids, rows, 5, 0, 0, 0, unchanged, () => Promise.resolve(true))
      report = JSON.parse(output.report) as Measured['report']
      return () => Array.from(output.topIds)
    },
  })

  if (job.peers) {
    const options = { executionProviders: ['wasm'], graphOptimizationLevel: 'all' }
    const ortPath = '/benches/node_modules/onnxruntime-web/dist/ort.wasm.min.mjs'
    const empty = Uint8Array.from(job.peers.empty)
    const [ort, start] = await timed(async () => {
      const ort = (await import(ortPath)) as Ort
      ort.env.wasm.numThreads = 1
      ort.env.wasm.wasmPaths = '/benches/node_modules/onnxruntime-web/dist/'
      await ort.InferenceSession.create(empty, options)
      return ort
    })
    const ids = new ort.Tensor('int64', BigInt64Array.from(job.ids, BigInt), [1, job.ids.length])
    const rows = new ort.Tensor('int64', BigInt64Array.of(BigInt(job.row)), [1])
    for (const { name, path } of job.peers.graphs) {
      const graph = await bytes(path)
      const [session, load] = await timed(() => ort.InferenceSession.create(graph, options))
      contenders.push({
        timing: { name, start, load, first: NaN, runs: [], topIds: [] },
        async run() {
          const { data } = (await session.run({ ids, rows })).logits
          const order = () => Array.from(data.keys()).sort((a, b) => (data[b] ?? 0) - (data[a] ?? 0) || a - b)
          return () => order().slice(0, 5)
        },
      })
    }
  }

  for (const { timing, run } of contenders) {
    const [topIds, first] = await timed(run)
    Object.assign(timing, { first, topIds: topIds() })
  }
  for (let turn = 0; turn < job.runs; turn++) {
    for (const { timing, run } of contenders) timing.runs.push((await timed(run))[1])
  }
  return { timings: contenders.map(({ timing }) => timing), report, adapter: engine.adapter() }
}
