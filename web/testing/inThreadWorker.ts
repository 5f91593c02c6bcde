// The engine on the CPU in this thread, behind the messages of a worker, and a bench with it and a model.
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { setImmediate as turn } from 'node:timers/promises'
import * as wasm from '../wasm/ropescope.js'
import type { FromWorker, ToWorker } from '../engine/protocol/messages'
import type { RequestKind } from '../engine/protocol/requests'
import { Host } from '../engine/worker/host'
import type { Surface } from '../engine/worker/handler'
import { flushSync } from 'svelte'
import { vi } from 'vitest'
import type { WorkerLike } from '../engine/client/client'
import { bundledModels, filesOf } from '../services/bundled'
import { fakePlace } from './fakeBench'
import { Bench } from '../session/bench.svelte'
import { EngineState } from '../session/engine.svelte'

/** A worker that notes its messages, and says when all is answered. */
export abstract class NotedWorker implements WorkerLike {
  readonly sent: ToWorker[] = []
  readonly received: FromWorker[] = []
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null = null
  onerror: ((event: ErrorEvent) => void) | null = null

  protected abstract send(message: ToWorker): void

  protected receive(message: FromWorker): void {
    this.received.push(message)
    this.onmessage?.({ data: message } as MessageEvent<FromWorker>)
  }

  postMessage(message: ToWorker): void {
    this.sent.push(message)
    this.send(message)
  }

  terminate(): void {
    this.onmessage = null
  }

  /** The number of requests of a kind. */
  count(kind: RequestKind): number {
    return this.sent.filter((message) => message.type === 'request' && message.kind === kind).length
  }

  /** Waits until every request is answered, and no answer led to another request. */
  async idle(): Promise<void> {
    for (let sent = -1; sent !== this.sent.length || !this.#settled;) {
      sent = this.sent.length
      // The page asks in turns of its own after an answer.
      for (let turns = 0; turns < 5; turns++) await turn()
    }
  }

  get #settled(): boolean {
    const ended = this.received.flatMap((message) =>
      message.type === 'result' || message.type === 'dropped' || message.type === 'failed' ? [message.id] : [],
    )
    return this.sent.every((message) => message.type !== 'request' || ended.includes(message.id))
  }
}

/** As the page's worker, but for its thread and the start of its WASM: `RealWorker` has those, too, and is bundled first. */
export class InThreadWorker extends NotedWorker {
  readonly #host = new Host({
    post: (message) => void this.#post(structuredClone(message)),
    surface: async () => surface(),
    surroundings: { gpu: undefined, secure: true },
    build: undefined,
    yieldToEventLoop: () => turn(),
    now: () => performance.now(),
  })

  protected override send(message: ToWorker): void {
    // Node does not clone files.
    const copy = message.type === 'load' ? message : structuredClone(message)
    void turn().then(() => this.#host.receive(copy))
  }

  async #post(message: FromWorker): Promise<void> {
    await turn()
    this.receive(message)
  }
}

let started: Surface | undefined

/** The WASM, which is started once. */
function surface(): Surface {
  if (!started) {
    // Browsers have it; Node's engine has it behind a flag at first.
    setFlagsFromString('--experimental-wasm-relaxed-simd')
    const { memory } = wasm.initSync({ module: readFileSync('web/wasm/ropescope_bg.wasm') })
    wasm.giveShaders('')
    started = { ...wasm, memory }
  }
  return started
}

/** Files of a model that comes with the page. @param edit changes them */
export const bundledFiles = (folder: string, edit: (bytes: Buffer) => Buffer = (bytes) => bytes): File[] =>
  bundledModels
    .filter((model) => model.folder === folder)
    .flatMap(filesOf)
    .map((name) => new File([Uint8Array.from(edit(readFileSync(`models/${folder}/${name}`)))], name))

/** @param worker whose `idle` waits until every request is answered */
export async function openBench<W extends WorkerLike & { idle(): Promise<void> }>(
  worker: W,
  name: string,
  text: string,
  files = bundledFiles(name),
) {
  const hash = `#${new URLSearchParams({ text, backend: 'cpu', model: '' })}`
  const bench = new Bench(new EngineState(() => worker), fakePlace(hash).place)
  bench.engine.load({ kind: 'files', name, files })
  /** Waits until the text has its result and no request is open. */
  const complete = async () => {
    flushSync()
    await vi.waitUntil(() => bench.current, { timeout: 30_000 })
    await worker.idle()
    flushSync()
  }
  await complete()
  return { bench, worker, complete }
}
