// Runs in a page, which holds nothing else: a causal model of one runtime, opened once and asked again and again. Serialised into the page:
// everything that a function needs is inside.

import type { Surface } from '../../web/engine/worker/handler'
import type { WeightFormat } from '../../web/engine/protocol/protocol'

export interface Opened {
  /** Milliseconds from the fetched files to a model that can run. */
  load: number
}

/** Milliseconds of a prompt and of what is written behind its first token, and the ids that were written where they are told. */
export interface Written {
  first: number
  behind: number
  ids: number[]
}

/** What a page keeps between two calls. */
interface Kept {
  write(prompt: readonly number[], tokens: number): Promise<Written>
}
type Holder = { kept: Kept }

/** The module that wasm-bindgen writes. */
type Ropescope = Surface & { default(): Promise<unknown>; giveShaders(texts: string): void }

/** @param job the model's folder, and how its matrices are kept */
export async function openRopescope(job: { model: string; format: WeightFormat }): Promise<Opened> {
  const path = '/web/wasm/ropescope.js'
  const ropescope = (await import(path)) as Ropescope
  const config = await (await fetch(`${job.model}/config.json`)).text()
  const file = await (await fetch(`${job.model}/model.safetensors`)).blob()
  const start = performance.now()
  await ropescope.default()
  ropescope.giveShaders('')
  const engine = await ropescope.Engine.open('cpu', (message) => {
    throw new Error(message)
  })
  const slice = async (from: number, to: number) => new Uint8Array(await file.slice(from, to).arrayBuffer())
  const header = await slice(0, ropescope.headerBytes(await slice(0, 8)))
  const loading = await engine.begin(config, header, file.size, job.format)
  const reader = file.slice(header.length).stream().getReader()
  for (let { value } = await reader.read(); value; { value } = await reader.read()) loading.push(value)
  engine.adopt(loading)
  const load = performance.now() - start
  const unpaused = () => Promise.resolve(true)
  const write: Kept['write'] = async (prompt, tokens) => {
    const settings = JSON.stringify({
      ...{ temperature: 0, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1, seed: 0 },
      ...{ candidates: 0, maxNewTokens: tokens + 1, stopIds: [], beyondLength: false },
    })
    const generation = engine.generate(Uint32Array.from(prompt), settings)
    const begun = performance.now()
    const ids: number[] = []
    const next = async () => {
      const token = await generation.next(unpaused)
      ids.push((JSON.parse(token ?? '{}') as { id: number }).id)
    }
    await next()
    const first = performance.now()
    for (let token = 0; token < tokens; token++) await next()
    const end = performance.now()
    generation.free()
    return { first: first - begun, behind: end - first, ids }
  }
  ;(globalThis as unknown as Holder).kept = { write }
  return { load }
}

interface Chunk {
  choices: { text: string }[]
}
interface Wllama {
  loadModel(blobs: Blob[], options: object): Promise<void>
  createCompletion(options: object): Promise<void>
}

/** @param job the GGUF file, and the characters that its ids are written as */
export async function openWllama(job: {
  file: string
  characters: readonly (readonly [first: number, count: number])[]
}): Promise<Opened> {
  const folder = '/benches/node_modules/@wllama/wllama/esm'
  const path = `${folder}/index.js`
  const { Wllama } = (await import(path)) as { Wllama: new (paths: object, options: object) => Wllama }
  const blob = await (await fetch(job.file)).blob()
  const start = performance.now()
  const wllama = new Wllama({ default: `${folder}/wasm/wllama.wasm` }, { suppressNativeLog: true })
  await wllama.loadModel([blob], { n_threads: 1, n_gpu_layers: 0, n_ctx: 512, n_parallel: 1, warmup: false })
  const load = performance.now() - start
  const written = job.characters.flatMap(([first, count]) =>
    Array.from({ length: count }, (_, at) => String.fromCodePoint(first + at)),
  )
  const write: Kept['write'] = async (prompt, tokens) => {
    const ids: number[] = []
    let [first, begun] = [NaN, performance.now()]
    const onData = ({ choices }: Chunk) => {
      if (Number.isNaN(first)) first = performance.now()
      ids.push(...Array.from(choices[0]?.text ?? '', (character) => written.indexOf(character)))
    }
    const text = prompt.map((id) => written[id]).join('')
    await wllama.createCompletion({
      ...{ prompt: text, max_tokens: tokens + 1, temperature: 0, top_k: 1, cache_prompt: false, ignore_eos: true },
      ...{ stream: true, onData },
    })
    return { first: first - begun, behind: performance.now() - first, ids }
  }
  ;(globalThis as unknown as Holder).kept = { write }
  return { load }
}

interface Transformers {
  env: {
    allowRemoteModels: boolean
    allowLocalModels: boolean
    localModelPath: string
    useBrowserCache: boolean
    backends: { onnx: { wasm: { numThreads: number; wasmPaths: string } } }
  }
  Tensor: new (type: string, data: BigInt64Array, shape: number[]) => object
  AutoModelForCausalLM: {
    from_pretrained(name: string, options: object): Promise<{ generate(options: object): Promise<unknown> }>
  }
}

/** @param job the folder of the ONNX files, and which of them */
export async function openTransformers(job: { model: string; dtype: string }): Promise<Opened> {
  const folder = '/benches/node_modules/@huggingface/transformers'
  const path = `${folder}/dist/transformers.min.js`
  const { env, Tensor, AutoModelForCausalLM } = (await import(path)) as Transformers
  env.allowRemoteModels = false
  env.allowLocalModels = true
  env.localModelPath = '/'
  env.useBrowserCache = false
  env.backends.onnx.wasm.numThreads = 1
  env.backends.onnx.wasm.wasmPaths = `${location.origin}${folder}/node_modules/onnxruntime-web/dist/`
  const start = performance.now()
  const model = await AutoModelForCausalLM.from_pretrained(job.model, { dtype: job.dtype, device: 'wasm' })
  const load = performance.now() - start
  const numbers = (values: readonly number[]) =>
    new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])
  const write: Kept['write'] = async (prompt, tokens) => {
    const ids: number[] = []
    let [first, begun, calls] = [NaN, performance.now(), 0]
    const streamer = {
      put(values: bigint[][]) {
        // The prompt comes first.
        if (calls++ === 0) return
        if (calls === 2) first = performance.now()
        ids.push(...(values[0] ?? []).map(Number))
      },
      end() {},
    }
    const attention_mask = numbers(prompt.map(() => 1))
    const how = { max_new_tokens: tokens + 1, do_sample: false, eos_token_id: null, streamer }
    await model.generate({ inputs: numbers(prompt), attention_mask, ...how })
    return { first: first - begun, behind: performance.now() - first, ids }
  }
  ;(globalThis as unknown as Holder).kept = { write }
  return { load }
}

export const write = (job: { prompt: readonly number[]; tokens: number }): Promise<Written> =>
  (globalThis as unknown as Holder).kept.write(job.prompt, job.tokens)
