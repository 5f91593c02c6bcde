// Threads for the CPU's kernels: helpers are workers with the kernels' module (`kernels/relaxed/src/threads.rs`) on the engine's memory.
import { threadsFor } from '../protocol/sharing'
import type { Surface } from './handler'

/** The one message to a helper. */
export interface HelperStart {
  module: WebAssembly.Module
  memory: WebAssembly.Memory
  /** The address of the thread pool. */
  pool: number
  /** 1 for the first helper. */
  thread: number
}

export interface Kernels {
  run_job: (job: number) => void
  work(pool: number, thread: number, jobs: number): number
  fail(pool: number): void
}

/**
 * The engine's thread waits by it for the helpers' last chunks, which take milliseconds. It throws after two timeouts of `timeout` milliseconds
 * in a row: a helper has ended.
 */
export function waitFunction(numbers: Int32Array, timeout: number): (address: number, whileItIs: number) => void {
  let timeouts = 0
  return (address, whileItIs) => {
    // A machine that slept has one timeout.
    timeouts = Atomics.wait(numbers, address / 4, whileItIs, timeout) === 'timed-out' ? timeouts + 1 : 0
    if (timeouts === 2) throw new Error('helper-lost')
  }
}

/** Of one thread. */
function createKernels(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  const numbers = new Int32Array(memory.buffer)
  const env = {
    memory,
    wait: waitFunction(numbers, 20_000),
    wake: (address: number) => Atomics.notify(numbers, address / 4),
  }
  return new WebAssembly.Instance(module, { env }).exports as unknown as Kernels
}

// The worker itself; the page’s types know it as a window.
const scope = globalThis as unknown as {
  postMessage(message: 'ready'): void
  onmessage: (event: MessageEvent<HelperStart>) => void
}

/** Makes this worker a helper, which runs only the kernels' module. */
export function startHelper(): void {
  scope.onmessage = ({ data }) => runHelper(data)
  scope.postMessage('ready')
}

/** Runs until the worker is terminated. @throws where a kernel fails */
function runHelper({ module, memory, pool, thread }: HelperStart): never {
  const numbers = new Int32Array(memory.buffer)
  const kernels = createKernels(module, memory)
  let jobs = 0
  try {
    for (;;) {
      jobs = kernels.work(pool, thread, jobs)
      // The second field of the thread pool: the number of jobs so far.
      Atomics.wait(numbers, pool / 4 + 1, jobs)
    }
  } catch (error) {
    kernels.fail(pool)
    throw error
  }
}

/** The kernels' modules, and the helpers' code. */
interface ThreadFiles {
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
    const pool = surface.useKernels(createKernels(module, memory).run_job)
    // The first field of the thread pool (`kernels/src/pool.rs`): the next job has scratch for all helpers.
    Atomics.store(new Int32Array(memory.buffer), pool / 4, helpers.length)
    helpers.forEach((helper, at) => helper.postMessage({ module, memory, pool, thread: 1 + at } satisfies HelperStart))
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
