// A host over a fake engine, whose calls the test ends.

import { setImmediate as turn } from 'node:timers/promises'
import { Host } from '../engine/worker/host'
import type { FromWorker, ToWorker } from '../engine/protocol/messages'
import type { ModelSource } from '../engine/protocol/protocol'
import type { Params, RequestKind, RunRequest } from '../engine/protocol/requests'
import type { Surface, WasmChange, WasmEngine, WasmRun } from '../engine/worker/handler'

/** The engine's methods as a test writes them: with typed arrays, and with any object in place of a handle. */
type Fake<E> = {
  [M in keyof E]: E[M] extends (...args: infer Args) => unknown
    ? (...args: { [I in keyof Args]: Exclude<Args[I], number[]> }) => unknown
    : E[M]
}

export function deferred<T>() {
  let resolve!: (value: T) => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<T>((yes, no) => ([resolve, reject] = [yes, no]))
  return { promise, resolve, reject }
}

/** Waits some turns of the event loop, until all that does not wait for the test has happened. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await turn()
}

interface Call {
  name: string
  engine: number
}

/** Of the model in the engine. */
export const sizes = '{"num_hidden_layers":2,"num_attention_heads":2,"head_size":2,"eos_token_ids":[1]}'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

export function setUp(
  options: {
    refuse?: string
    readsChunks?: boolean
    begin?: (config: string) => Promise<unknown>
    check?: () => Promise<void>
    adapter?: string
    panic?: boolean
    /** Why the WASM does not start. */
    noSurface?: Error
    threads?: () => Promise<number>
    /** Each run overwrites the results of the former one. */
    overwrites?: boolean
  } = {},
) {
  const { readsChunks = true } = options
  const posted: FromWorker[] = []
  const calls: Call[] = []
  const runs: { ids: number[]; end: ReturnType<typeof deferred<void>>; pause: () => Promise<boolean> }[] = []
  /** Pending tokens of generations. */
  const steps: (ReturnType<typeof deferred<string>> & { pause: () => Promise<boolean> })[] = []
  /** What the next reads do before they answer. */
  const looks: ((pause: () => Promise<boolean>) => Promise<void>)[] = []
  /** Arguments of `predictScores`. */
  const predictions: Parameters<Surface['predictScores']>[] = []
  const engines: { backend: string; lose: (message: string) => void }[] = []
  /** The numbers of the newest run, and of the newest without interventions. */
  let newest = 0
  let unchanged = 0
  /** And of the comparison's. */
  let comparison = 0
  const isStored = (number: number) =>
    number === newest || (number === unchanged && !options.overwrites) || (comparison > 0 && number === comparison)
  const result = (ids: Uint32Array, number = newest): WasmRun => ({
    number,
    changed: number !== unchanged,
    attention: new Float32Array(ids.length ** 2),
    query: new Float32Array(2),
    key: new Float32Array(2),
    topIds: new Uint32Array(),
    topProbabilities: new Float32Array(),
    logits: new Float32Array(),
    logitsShape: new Uint32Array(),
    losses: Float32Array.of(0.5),
    theta: Float64Array.of(1),
    report: '{"dispatches":34}',
    free() {},
  })
  const surface = {
    Engine: {
      async open(backend: 'gpu' | 'cpu', lose: (message: string) => void): Promise<WasmEngine> {
        if (backend === 'gpu' && options.refuse)
          throw { code: options.refuse, message: 'limits too small', retryable: false }
        const engine = engines.push({ backend, lose })
        const note = (name: string) => void calls.push({ name, engine })
        const noteText = async (
          name: string,
          change: WasmChange,
          pause: () => Promise<boolean>,
          ...args: unknown[]
        ) => {
          const [interventions, labels] = (change as unknown as { change: unknown[] }).change
          note([name, ...args, interventions, labels, await pause()].map(String).join(' '))
        }
        const answer = async (run: number, pause: () => Promise<boolean>, ...args: unknown[]) => {
          note(['look', run, ...args].map(String).join(' ').trim())
          await looks.shift()?.(pause)
          return isStored(run) ? Float32Array.of(1, 2, 3, 4, 5, 6) : undefined
        }
        const fake: Fake<WasmEngine> = {
          adapter: () => options.adapter ?? '{"adapter":"test adapter"}',
          async check() {
            note('check')
            await options.check?.()
          },
          async begin(config, header, length, weights) {
            note(`begin ${text(header)} of ${length}${weights === 'f32' ? '' : ` as ${weights}`}`)
            await options.begin?.(config)
            return { push: (chunk: Uint8Array) => note(`push ${text(chunk)}`), free: () => note('loading freed') }
          },
          adopt() {
            note('adopt')
            return sizes
          },
          async run(ids, _rows, _k, part, _layer, _head, offset, change, pause) {
            note(part === 'decoder' ? 'run' : `run ${part}`)
            const { change: changeArgs } = change as unknown as { change: Parameters<WasmEngine['change']> }
            const number = ++newest
            const end = deferred<void>()
            runs.push({ ids: Array.from(ids), end, pause })
            await end.promise
            if (offset === 0 && changeArgs[0].length === 0) unchanged = number
            return result(ids)
          },
          async head(run, part) {
            note(part === 'decoder' ? 'head' : `head ${part}`)
            return isStored(run) ? { ...result(new Uint32Array(1)), query: Float32Array.of(run) } : undefined
          },
          change: (...change) => {
            if (change[5]) note('beyond its length')
            return {
              change,
              after(source: Uint32Array) {
                note(`after ${source.join()}`)
              },
              free() {},
            }
          },
          map: (run, part, kind, layer, head, most, pause) => answer(run, pause, 'map', part, kind, layer, head, most),
          meanMap: (run, part, weighing, heads, pause) => answer(run, pause, 'meanMap', part, weighing, heads),
          headRows: (run, part, layer, pause) => answer(run, pause, 'headRows', part, layer),
          statistics: (run, part, layer, tokens, pause) => answer(run, pause, 'statistics', part, layer, tokens),
          contacts: (run, pause) => answer(run, pause, 'contacts'),
          async loss(ids, batch, change, pause) {
            await noteText('loss', change, pause, ids, batch)
            return Float64Array.of(2.5, 2)
          },
          async lens(ids, rows, topK, offset, change, pause) {
            await noteText('lens', change, pause, ids, rows, topK, offset)
            return Float64Array.of(7, 0.5, 8, 0.25, 9, 0.125)
          },
          async flow(ids, _part, offset, change, pause) {
            await noteText('flow', change, pause, ids, offset)
            // Of 2 tokens, 2 layers, 2 heads.
            return Float64Array.from({ length: 4 + 6 + 4 + 4 }, (_, at) => at)
          },
          async differences(ids, isShift, offset, change, pause) {
            await noteText('differences', change, pause, ids, isShift, offset)
            return Float64Array.of(0.5, 1, 0, 7, 8, 2.5)
          },
          async explanation(ids, offset, change, at, pause) {
            await noteText('explanation', change, pause, ids, offset, at)
            return JSON.stringify({ name: '', at, value: 0.5, recomputed: 0.5, formula: 'x', operands: [], rest: null })
          },
          async siteNumbers(ids, offset, sites, change, pause) {
            await noteText('siteNumbers', change, pause, ids, offset, sites)
            return sites.map((_, at) => Float32Array.of(at, at + 0.5))
          },
          async siteNorms(ids, offset, sites, change, pause) {
            await noteText('siteNorms', change, pause, ids, offset, sites)
            return sites.map((_, at) => Float32Array.of(at))
          },
          async attribution(ids, offset, change, row, id, pause) {
            await noteText('attribution', change, pause, ids, offset, row, id)
            return JSON.stringify({ logit: 0.5, terms: [] })
          },
          async neurons(ids, part, layer, row, count, offset, change, pause) {
            await noteText('neurons', change, pause, ids, part, layer, row, count, offset)
            return JSON.stringify([{ neuron: 7, value: -0.5, inner: -2, gate: null, activated: -0.5 }])
          },
          async neuron(ids, part, layer, neuron, count, offset, change, pause) {
            await noteText('neuron', change, pause, ids, part, layer, neuron, count, offset)
            return JSON.stringify({ values: [0.5, -0.5], reads: [{ id: 3, number: 1.5 }], writes: null })
          },
          async tensorFile(ids, offset, change, pause) {
            await noteText('tensorFile', change, pause, ids, offset)
            return Uint8Array.of(7, 8)
          },
          async secondText(ids, offset, change, pause) {
            await noteText('secondText', change, pause, ids, offset)
            comparison = comparison === 0 ? 900 : comparison - 1
            return comparison
          },
          async trial(what, length, headSize, pause) {
            await pause()
            note(`trial ${what} ${length} ${headSize}`)
            // A run's milliseconds, bytes stored and held, and a number.
            return Float64Array.of(4, 32, 64, 0.5)
          },
          async candidates(settings, pause) {
            note(`candidates ${settings}`)
            await looks.shift()?.(pause)
            return '{"candidates":[{"id":7,"before":0.5,"after":0.75}],"left":1}'
          },
          generate(ids, settings) {
            note(`generate ${ids.join()} ${settings}`)
            return {
              async next(pause: () => Promise<boolean>) {
                note('next')
                const token = deferred<string>()
                steps.push({ ...token, pause })
                return token.promise
              },
              free: () => note('freed'),
            }
          },
          attach: () => note('attach'),
          layout: () => note('layout'),
          gridPixels: () => Promise.reject(new Error('not here')),
          device: () => ({ lose() {} }),
          panic() {
            throw new WebAssembly.RuntimeError('unreachable')
          },
          free: () => note('engine freed'),
        }
        return fake as unknown as WasmEngine
      },
    },
    // The fake header is eight bytes long.
    headerBytes: (start: Uint8Array) => start.length,
    beforeWeights: (config: string) => {
      if (config.includes('unheard')) throw { code: 'config', message: 'unheard of', retryable: false }
      const bytes = { f32: 1000, f16: 500, bf16: 500, int8: 280, int4: 160, stored: 500 }
      return JSON.stringify({ bytes, rope: { theta: [1, 0.5], context: 128 } })
    },
    palette: () => new Uint8Array(768),
    // r̄, then a score and a weight at the one distance, five numbers of the one pair, a row of each.
    predictScores: (...args: Parameters<Surface['predictScores']>) => {
      predictions.push(args)
      return Float64Array.of(0.5, 1, 0.25, 4, 0.75, 0.5, 0, 1, 0, 0, 0, 0)
    },
    frequencies: () => Float64Array.of(1, 0.5),
  }
  const gpu = { requestAdapter: async () => ({ info: { isFallbackAdapter: false } }) as GPUAdapter }
  const host = new Host({
    post(message) {
      posted.push(message)
      if (message.type === 'chunk' && readsChunks)
        void turn().then(() => host.receive({ type: 'more', id: message.id }))
    },
    async surface() {
      if (options.noSurface) throw options.noSurface
      return surface as unknown as Surface
    },
    surroundings: { gpu, secure: true },
    build: 'this one',
    yieldToEventLoop: () => turn(),
    now: () => performance.now(),
    threads: options.threads,
  })
  /** The posted messages in short: answers by kind and id of their request, others by type. */
  const log = () =>
    posted.map((message) => {
      if (message.type === 'chunk') return `${message.kind} ${message.id} part`
      if (message.type === 'dropped') return `${message.kind} ${message.id} ${message.reason}`
      return message.type === 'result' ? `${message.kind} ${message.id}` : message.type
    })
  /** All requests have one requester unless `slot` names another. */
  const ask = <K extends RequestKind>(id: number, kind: K, params: Params<K>, slot = 1) =>
    host.receive({ type: 'request', id, kind, params: params, slot } as Parameters<Host['receive']>[0])
  const run = (id: number, ids = [id], model = 1) => ask(id, 'run', { model, request: request(...ids) })
  return { host, ask, run, posted, log, calls, runs, steps, looks, predictions, engines }
}

export const source = (config = '{}', ...more: File[]): ModelSource => ({
  kind: 'files',
  name: 'test',
  files: [
    new File([config], 'config.json'),
    new File(['headeigh', 'weights'], 'model.safetensors'),
    new File(['[UNK]'], 'vocab.txt'),
    ...more,
  ],
})
/** The engine's calls while it loads this model. */
export const loadCalls = ['begin headeigh of 15', 'push weights', 'adopt']
export const request = (...ids: number[]): RunRequest => ({
  ids: Uint32Array.from(ids),
  rows: new Uint32Array(),
  topK: 5,
  layer: 0,
  head: 0,
  positionOffset: 0,
})

/** The worker's name for the adapter of these tests. */
export const trustedAdapter = '["","","","test adapter","this one"]'

/** A host with a model; the page trusts its adapter by default. */
export async function started(
  options: Parameters<typeof setUp>[0] & Partial<Extract<ToWorker, { type: 'start' }>> = {},
) {
  const world = setUp(options)
  const { trusted = [trustedAdapter], simulate } = options
  world.host.receive({
    type: 'start',
    backend: 'auto',
    trusted,
    ...(simulate ? { simulate } : {}),
  })
  world.host.receive({ type: 'load', id: 1, source: source() })
  await settle()
  return world
}

/** With a model that has run a text. */
export async function ran() {
  const world = await started()
  world.run(2)
  await settle()
  world.runs[0]?.end.resolve()
  await settle()
  return world
}
