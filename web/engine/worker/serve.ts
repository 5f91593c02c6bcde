// The engine's worker: a host between its messages and the WASM.
import { Host } from './host'
import type { Compiled, FromWorker, ToWorker } from '../protocol/messages'
import type { Surface } from './surface'

// `self` as a worker sees it; the page's types know it as a window.
const scope = self as unknown as {
  postMessage(message: FromWorker, transfer?: Transferable[]): void
  onmessage: ((event: MessageEvent<ToWorker | Compiled>) => void) | null
  addEventListener(type: 'error', listener: (event: ErrorEvent) => void): void
  addEventListener(type: 'unhandledrejection', listener: (event: PromiseRejectionEvent) => void): void
}

export interface ServeOptions {
  /** Compiles and starts the WASM at the first call. */
  surface: () => Promise<Surface>
  /** Names this version of the engine. */
  build: string | undefined
  /** Starts threads for products, where the page is isolated. */
  threads: (surface: Surface) => Promise<number>
  receiveModule?: (module: WebAssembly.Module | undefined) => void
}

export function serve({ surface, build, threads, receiveModule }: ServeOptions): void {
  const channel = new MessageChannel()
  const resumes: (() => void)[] = []
  channel.port1.onmessage = () => resumes.shift()?.()
  const host = new Host({
    post: (message, transfer = []) => scope.postMessage(message, transfer),
    surface,
    surroundings: { gpu: navigator.gpu, secure: isSecureContext },
    memory: (navigator as { deviceMemory?: number }).deviceMemory,
    threads: crossOriginIsolated ? threads : undefined,
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
  scope.onmessage = ({ data }) => (data.type === 'module' ? receiveModule?.(data.module) : host.receive(data))
}
