// The page's worker as it is built, in a thread of Node, which lacks WebGPU and a few names of browsers.
import { Worker } from 'node:worker_threads'
import { build } from 'vite'
import type { FromWorker, ToWorker } from '../engine/protocol/messages'
import { NotedWorker } from './inThreadWorker'

/** Bundles the worker, with its WASM in it, into an address. */
export async function bundleWorker(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'esnext',
      assetsInlineLimit: Infinity,
      rolldownOptions: { input: 'web/engine/worker/worker.ts' },
    },
  })
  const [bundle] = [built].flat()
  if (!bundle || !('output' in bundle)) throw new Error('the worker has no bundle')
  return `data:text/javascript;base64,${Buffer.from(bundle.output[0].code).toString('base64')}`
}

/** Names that a worker has in a browser. Node does not clone files: they come as names and bytes. */
const begin = `
  const { parentPort, workerData } = require('node:worker_threads')
  require('node:v8').setFlagsFromString('--experimental-wasm-relaxed-simd')
  globalThis.self = globalThis
  globalThis.navigator = { hardwareConcurrency: 1 }
  globalThis.isSecureContext = true
  globalThis.crossOriginIsolated = false
  globalThis.addEventListener = () => {}
  globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer)
  const revive = ({ files, ...source }) => ({ ...source, files: files.map(({ name, bytes }) => new File([bytes], name)) })
  Object.defineProperty(globalThis, 'onmessage', {
    set: (receive) =>
      parentPort.on('message', (data) => receive({ data: data.type === 'load' ? { ...data, source: revive(data.source) } : data })),
  })
  import(workerData)
`

export class RealWorker extends NotedWorker {
  readonly #thread: Worker

  /** @param bundle of `bundleWorker` */
  constructor(bundle: string) {
    super()
    this.#thread = new Worker(begin, { eval: true, workerData: bundle })
    this.#thread.on('message', (message: FromWorker) => this.receive(message))
    this.#thread.on('error', (error) => this.onerror?.({ message: error.message } as ErrorEvent))
    // The page sends the compiled module. Without one the worker compiles it.
    this.#thread.postMessage({ type: 'module', module: undefined })
  }

  protected override send(message: ToWorker): void {
    if (message.type !== 'load' || message.source.kind !== 'files') return this.#thread.postMessage(message)
    const { files, ...source } = message.source
    const read = files.map(async (file) => ({ name: file.name, bytes: await file.arrayBuffer() }))
    void Promise.all(read).then((files) => this.#thread.postMessage({ ...message, source: { ...source, files } }))
  }

  override terminate(): void {
    super.terminate()
    void this.#thread.terminate()
  }
}
