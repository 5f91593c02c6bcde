// A worker that holds the engine: a desk between its messages and the WASM.
import { Desk } from './desk'
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
export interface Serving {
  /** Compiles and starts the WASM at the first call. */
  surface: () => Promise<Surface>
  /** What tells this engine from other versions of it. */
  build: string | undefined
  /** Has its products made by several threads, where the page is isolated. */
  threads: (surface: Surface) => Promise<number>
  /** Takes the module that the page compiled. */
  compiled?: (module: WebAssembly.Module | undefined) => void
}

/** Answers this worker's messages. */
export function serve({ surface, build, threads, compiled }: Serving): void {
  const breath = new MessageChannel()
  const breathing: (() => void)[] = []
  breath.port1.onmessage = () => breathing.shift()?.()
  const desk = new Desk({
    post: (message, transfer = []) => scope.postMessage(message, transfer),
    surface,
    surroundings: { gpu: navigator.gpu, secure: isSecureContext },
    memory: (navigator as { deviceMemory?: number }).deviceMemory,
    threads: crossOriginIsolated ? threads : undefined,
    build,
    // A message to oneself lets others in without the delay that timers have.
    breathe: () =>
      new Promise((resolve) => {
        breathing.push(resolve)
        breath.port2.postMessage(null)
      }),
    now: () => performance.now(),
  })
  // A panic inside a future reaches nobody who awaits it.
  scope.addEventListener('error', (event) => desk.crash(event.error ?? event.message))
  scope.addEventListener('unhandledrejection', (event) => desk.crash(event.reason))
  scope.onmessage = ({ data }) => (data.type === 'module' ? compiled?.(data.module) : desk.receive(data))
}

export async function fetchText(url: string | URL): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.text()
}
