// Threads for the CPU's kernels: helpers are workers with the kernels' module on the engine's memory.

import { threadsFor } from '../protocol/sharing'
import { createKernels, type HelperStart } from './kernels'
import type { Surface } from './surface'

/** The kernels' modules, and the helpers' code. */
export interface ThreadFiles {
  relaxed: string | URL
  /** For browsers without relaxed SIMD. */
  plain: string | URL
  spawn(): Worker
}

/** Starts helpers for this engine. Resolves to the number of threads, with the engine's own. */
export async function startThreads(surface: Surface, cores: number, files: ThreadFiles): Promise<number> {
  const [count, { memory }] = [threadsFor(cores), surface]
  // The browser may have refused shared memory.
  if (count === 1 || !(memory?.buffer instanceof SharedArrayBuffer)) return 1
  const module = await compileKernels(files)
  const helpers = Array.from({ length: count - 1 }, () => files.spawn())
  try {
    await Promise.all(helpers.map(untilReady))
    const team = surface.useKernels(createKernels(module, memory).run_job)
    // The first field of the thread pool (`kernels/src/pool.rs`): the next job has scratch for all helpers.
    Atomics.store(new Int32Array(memory.buffer), team / 4, helpers.length)
    helpers.forEach((helper, at) => helper.postMessage({ module, memory, team, thread: 1 + at } satisfies HelperStart))
  } catch (error) {
    helpers.forEach((helper) => helper.terminate())
    throw error
  }
  return count
}

/** A module of one function: `f32x4.relaxed_madd` of three vectors. */
const relaxedMadd = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 19, 1, 17, 0],
  ...[65, 0, 253, 15, 65, 0, 253, 15, 65, 0, 253, 15, 253, 133, 2, 11],
)

function compileKernels({ relaxed, plain }: ThreadFiles): Promise<WebAssembly.Module> {
  return WebAssembly.compileStreaming(fetch(WebAssembly.validate(relaxedMadd) ? relaxed : plain))
}

/** Resolves when the helper's code runs. */
function untilReady(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.onmessage = () => resolve()
    worker.onerror = (event) => reject(new Error(event.message))
  })
}
