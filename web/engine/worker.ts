// The worker that holds the engine: the page's only door to the WASM.

import init, * as wasm from '../wasm/ropescope.js'
import build from '../wasm/ropescope_bg.wasm?url'
import shaders from '../wasm/shaders.wgsl?url'
import { Desk } from './desk'
import type { FromWorker, ToWorker } from './messages'
import type { Surface } from './surface'

// `self` as a worker sees it; the page's types know it as a window.
const scope = self as unknown as {
  postMessage(message: FromWorker, transfer?: Transferable[]): void
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null
  addEventListener(type: 'error', listener: (event: ErrorEvent) => void): void
  addEventListener(type: 'unhandledrejection', listener: (event: PromiseRejectionEvent) => void): void
}

const breath = new MessageChannel()
const breathing: (() => void)[] = []
breath.port1.onmessage = () => breathing.shift()?.()

/** Fetched and compiled while the page is still being made; what fails is tried again when the engine is asked for. */
let ready: Promise<void> | undefined = begin()
ready.catch(() => (ready = undefined))

/** The shaders are a file of their own: only a browser with WebGPU fetches it. */
async function begin(): Promise<void> {
  const [texts] = await Promise.all([navigator.gpu ? fetchText(shaders) : '', init()])
  wasm.giveShaders(texts)
}

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.text()
}

const desk = new Desk({
  post: (message, transfer = []) => scope.postMessage(message, transfer),
  async surface() {
    await (ready ??= begin())
    return wasm satisfies Surface
  },
  surroundings: { gpu: navigator.gpu, secure: isSecureContext },
  memory: (navigator as { deviceMemory?: number }).deviceMemory,
  // A built page names the file by what is in it.
  build: import.meta.env.PROD ? build : undefined,
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
scope.onmessage = (event) => desk.receive(event.data)
