// Threads for products on the CPU: helpers, each a worker with the product's module on the engine's memory. Fetched where the page is isolated,
// behind the first result.

import { threadsFor } from './cores'
import { productOn, type Helping } from './product'
import type { Surface } from './surface'
import plain from '../wasm/threads_plain.wasm?url'
import relaxed from '../wasm/threads_relaxed.wasm?url'

/** Starts helpers for this engine. Gives the number of threads once they can help, 1 where there is no use for any. */
export async function startThreads(surface: Surface, cores: number): Promise<number> {
  const [threads, { memory }] = [threadsFor(cores), surface]
  // The browser may have refused to share it.
  if (threads === 1 || !(memory?.buffer instanceof SharedArrayBuffer)) return 1
  const module = await compiled()
  const workers = await Promise.all(Array.from({ length: threads - 1 }, helper))
  const team = surface.useProduct(productOn(module, memory).multiply_panels)
  // First of what the team shares, `kernels/src/team.rs`: from the next product on it has room for all of them.
  Atomics.store(new Int32Array(memory.buffer), team / 4, workers.length)
  workers.forEach((worker, at) => worker.postMessage({ module, memory, team, thread: 1 + at } satisfies Helping))
  return threads
}

/** With relaxed SIMD where the browser has it. */
async function compiled(): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compileStreaming(fetch(relaxed))
  } catch {
    return WebAssembly.compileStreaming(fetch(plain))
  }
}

/** A worker that has its code. */
async function helper(): Promise<Worker> {
  const worker = new Worker(new URL('./helper.ts', import.meta.url), { type: 'module', name: 'ropescope helper' })
  await new Promise((resolve, reject) => {
    worker.onmessage = resolve
    worker.onerror = reject
  })
  return worker
}
