// The engine's worker, of the page and of the package: a host between its messages and the WASM, which it starts.
import { Host } from './host'
import type { FromWorker, HelperRequest, HelpersMessage, ModuleMessage, ToWorker } from '../protocol/messages'
import type { Surface } from './handler'
import type { Helpers } from './kernels'
import { start } from '../protocol/sharing'
import init, * as wasm from '../../wasm/ropescope.js'
import { sharedAt } from '../../wasm/ropescope_shared.js'

// `self` as a worker sees it; the page's types know it as a window.
const scope = self as unknown as {
  postMessage(message: FromWorker | HelperRequest, transfer?: Transferable[]): void
  onmessage: ((event: MessageEvent<ToWorker | ModuleMessage | HelpersMessage>) => void) | null
  addEventListener(type: 'error', listener: (event: ErrorEvent) => void): void
  addEventListener(type: 'unhandledrejection', listener: (event: PromiseRejectionEvent) => void): void
}

interface ServeOptions {
  /** Compiles and starts the WASM at the first call. */
  surface: () => Promise<Surface>
  /** Names this version of the engine. */
  build: string | undefined
  /** Starts threads for products, where the page is isolated. */
  threads: (surface: Surface, helpers: Helpers) => Promise<number>
  receiveModule?: (module: WebAssembly.Module | undefined) => void
}

export function serve({ surface, build, threads, receiveModule }: ServeOptions): void {
  const channel = new MessageChannel()
  const resumes: (() => void)[] = []
  channel.port1.onmessage = () => resumes.shift()?.()
  let receiveHelpers: ((created: boolean) => void) | undefined
  const helpers: Helpers = {
    create: (count) =>
      new Promise((resolve) => {
        receiveHelpers = resolve
        scope.postMessage({ type: 'createHelpers', count })
      }),
    start: (starts) => scope.postMessage({ type: 'startHelpers', starts }),
    end: () => scope.postMessage({ type: 'endHelpers' }),
  }
  const host = new Host({
    post: (message, transfer = []) => scope.postMessage(message, transfer),
    surface,
    surroundings: { gpu: navigator.gpu, secure: isSecureContext },
    memory: (navigator as { deviceMemory?: number }).deviceMemory,
    threads: crossOriginIsolated ? (surface) => threads(surface, helpers) : undefined,
    build,
    // A message to itself yields without the delay of a timer.
    yieldToEventLoop: () =>
      new Promise((resolve) => {
        resumes.push(resolve)
        channel.port2.postMessage(null)
      }),
    now: () => performance.now(),
  })
  // A panic inside a future does not reject its promise.
  scope.addEventListener('error', (event) => host.crash(event.error ?? event.message))
  scope.addEventListener('unhandledrejection', (event) => host.crash(event.reason))
  scope.onmessage = ({ data }) => {
    if (data.type === 'module') receiveModule?.(data.module)
    else if (data.type === 'helpers') receiveHelpers?.(data.created)
    else host.receive(data)
  }
}

interface WasmFiles {
  wasm: string | URL
  /** Fetched where the browser has an adapter. */
  shaders: string | URL
}

/** @param compiled the module, if the page compiles it while the worker starts */
export async function startWasm(
  files: WasmFiles,
  compiled?: Promise<WebAssembly.Module | undefined>,
): Promise<Surface> {
  const shaders = new Shaders(files.shaders)
  const memory = await start(init, { url: files.wasm, sharedAt }, await compiled)
  return { ...wasm, memory, Engine: engineWith(shaders) }
}

/** The engine, which gets the shaders before it opens a GPU. */
const engineWith = (shaders: Shaders): Surface['Engine'] => ({
  async open(backend, onLost) {
    if (backend === 'gpu') await shaders.give()
    return wasm.Engine.open(backend, onLost)
  },
})

/** The text of all shaders. */
class Shaders {
  readonly #url: string | URL
  #text: Promise<string | undefined>

  /** Fetches them while the WASM starts, if there is an adapter. */
  constructor(url: string | URL) {
    this.#url = url
    this.#text = this.#fetchForAdapter().catch(() => undefined)
  }

  /** Fetches them again where that failed, or where there was no adapter yet. */
  async give(): Promise<void> {
    const text = (await this.#text) ?? (await fetchText(this.#url))
    this.#text = Promise.resolve(text)
    wasm.giveShaders(text)
  }

  async #fetchForAdapter(): Promise<string | undefined> {
    const adapter = await navigator.gpu?.requestAdapter()
    return adapter ? fetchText(this.#url) : undefined
  }
}

async function fetchText(url: string | URL): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.text()
}
