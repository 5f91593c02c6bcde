// A worker that holds the engine: a host between its messages and the WASM.
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

/** What a worker answers with. */
export interface ServeOptions {
  /** Compiles and starts the WASM at the first call. */
  surface: () => Promise<Surface>
  /** What tells this engine from other versions of it. */
  build: string | undefined
  /** Has its products made by several threads, where the page is isolated. */
  threads: (surface: Surface) => Promise<number>
  /** Takes the module that the page compiled. */
  receiveModule?: (module: WebAssembly.Module | undefined) => void
}

/** Answers this worker's messages. */
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
    // A message to oneself lets others in without the delay that timers have.
    yieldToEventLoop: () =>
      new Promise((resolve) => {
        resumes.push(resolve)
        channel.port2.postMessage(null)
      }),
    now: () => performance.now(),
  })
  // A panic inside a future reaches nobody who awaits it.
  scope.addEventListener('error', (event) => host.crash(event.error ?? event.message))
  scope.addEventListener('unhandledrejection', (event) => host.crash(event.reason))
  scope.onmessage = ({ data }) => (data.type === 'module' ? receiveModule?.(data.module) : host.receive(data))
}

export async function fetchText(url: string | URL): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.text()
}
