// Runs in the page, which holds nothing else: a causal model, its matrices kept in several formats, an engine and a WASM of its own each.

import type { Surface } from '../../web/engine/worker/handler'
import type { WeightFormat } from '../../web/engine/protocol/protocol'

export interface Job {
  /** The model's folder, as a path on this server. */
  model: string
  backend: 'cpu' | 'gpu'
  formats: readonly WeightFormat[]
  /** Prompts, one a turn, of which the first warms up. No two begin alike. */
  prompts: number[][]
  /** What is written behind each prompt's first token. */
  tokens: number
}

/** Bytes; milliseconds. */
export interface Generated {
  format: WeightFormat
  load: number
  /** The weights as they are kept. */
  weights: number
  /** Of the WASM's memory, which never shrinks: as large as it ever was until the model was there, and until the last token. */
  memory: { loaded: number; ended: number }
  /** Buffers, bind groups and pipelines created in the first turn, and in all others; bytes of buffers held. */
  gpu: { first: number; later: number; held: number }
  prefills: number[]
  decodes: number[]
  adapter: string
}

/** The module that wasm-bindgen writes. */
type Ropescope = Surface & {
  default(): Promise<{ memory: WebAssembly.Memory }>
  giveShaders(texts: string): void
}

/** Serialised into the page: everything it needs is inside. */
export async function generate(job: Job): Promise<Generated[]> {
  const gpu = { created: 0, held: 0 }
  const wrap = (prototype: object, method: string, after: (self: never, result: never) => void) => {
    const original = Reflect.get(prototype, method) as (...parameters: unknown[]) => never
    Reflect.set(prototype, method, function (this: never, ...parameters: unknown[]) {
      const result = original.apply(this, parameters)
      after(this, result)
      return result
    })
  }
  if (typeof GPUDevice !== 'undefined') {
    for (const method of ['createBuffer', 'createBindGroup', 'createComputePipeline']) {
      wrap(GPUDevice.prototype, method, () => gpu.created++)
    }
    wrap(GPUDevice.prototype, 'createBuffer', (_, buffer: GPUBuffer) => (gpu.held += buffer.size))
    wrap(GPUBuffer.prototype, 'destroy', (buffer: GPUBuffer) => (gpu.held -= buffer.size))
  }

  const config = await (await fetch(`${job.model}/config.json`)).text()
  // As a visitor's file: its bytes are read anew for each format, and held by nobody.
  const file = await (await fetch(`${job.model}/model.safetensors`)).blob()
  const slice = async (from: number, to: number) => new Uint8Array(await file.slice(from, to).arrayBuffer())

  const open = async (format: WeightFormat) => {
    const path = `/web/wasm/ropescope.js?${format}`
    const ropescope = (await import(path)) as Ropescope
    const { memory } = await ropescope.default()
    ropescope.giveShaders(await (await fetch('/web/wasm/shaders.wgsl')).text())
    const engine = await ropescope.Engine.open(job.backend, (message) => {
      throw new Error(message)
    })
    const held = gpu.held
    const start = performance.now()
    const header = await slice(0, ropescope.headerBytes(await slice(0, 8)))
    const loading = await engine.begin(config, header, file.size, format)
    const reader = file.slice(header.length).stream().getReader()
    for (let { value } = await reader.read(); value; { value } = await reader.read()) loading.push(value)
    engine.adopt(loading)
    const { bytes } = JSON.parse(ropescope.beforeWeights(config, header)) as { bytes: Record<WeightFormat, number> }
    const generated: Generated = {
      format,
      load: performance.now() - start,
      weights: bytes[format],
      memory: { loaded: memory.buffer.byteLength, ended: NaN },
      gpu: { first: 0, later: 0, held: gpu.held - held },
      prefills: [],
      decodes: [],
      adapter: engine.adapter(),
    }
    return { engine, memory, generated }
  }

  const contenders = []
  for (const format of job.formats) contenders.push(await open(format))
  const settings = JSON.stringify({
    ...{ temperature: 0, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1, seed: 0 },
    ...{ candidates: 0, maxNewTokens: job.tokens + 1, stopIds: [], beyondLength: false },
  })
  const unpaused = () => Promise.resolve(true)
  for (const [turn, prompt] of job.prompts.entries()) {
    for (const { engine, memory, generated } of contenders) {
      const before = { ...gpu }
      const generation = engine.generate(Uint32Array.from(prompt), settings)
      const start = performance.now()
      await generation.next(unpaused)
      const filled = performance.now()
      for (let token = 0; token < job.tokens; token++) await generation.next(unpaused)
      const end = performance.now()
      generation.free()
      generated.gpu[turn === 0 ? 'first' : 'later'] += gpu.created - before.created
      generated.gpu.held += gpu.held - before.held
      generated.memory.ended = memory.buffer.byteLength
      if (turn === 0) continue
      generated.prefills.push(filled - start)
      generated.decodes.push(end - filled)
    }
  }
  return contenders.map(({ generated }) => generated)
}
