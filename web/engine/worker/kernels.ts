// Threads for the CPU's kernels: helpers are workers with the kernels' module (`kernels/relaxed/src/threads.rs`) on the engine's memory.
import type { HelperStart } from '../protocol/messages'
import { threadsFor } from '../protocol/sharing'
import type { Surface } from './handler'

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

/** The kernels' modules. */
interface KernelFiles {
  relaxed: string | URL
  /** For browsers without relaxed SIMD. */
  plain: string | URL
}

/** The helpers, which the page creates (`web/engine/client/helpers.ts`). */
export interface Helpers {
  /** Resolves when all of them run their code; to false where one does not, and there is none. */
  create(count: number): Promise<boolean>
  start(starts: HelperStart[]): void
  end(): void
}

/** Starts helpers for this engine. Resolves to the number of threads, with the engine's own. */
export async function startThreads(
  surface: Surface,
  cores: number,
  files: KernelFiles,
  helpers: Helpers,
): Promise<number> {
  const [count, { memory }] = [threadsFor(cores), surface]
  // The browser may have refused shared memory.
  if (count === 1 || !(memory?.buffer instanceof SharedArrayBuffer)) return 1
  const module = await compileKernels(files)
  if (!(await helpers.create(count - 1))) return 1
  try {
    const pool = surface.useKernels(createKernels(module, memory).run_job)
    // The first field of the thread pool (`kernels/src/pool.rs`): the next job has scratch for all helpers.
    Atomics.store(new Int32Array(memory.buffer), pool / 4, count - 1)
    helpers.start(Array.from({ length: count - 1 }, (_, index) => ({ module, memory, pool, thread: 1 + index })))
  } catch (error) {
    helpers.end()
    throw error
  }
  return count
}

/** A module of one function: `f32x4.relaxed_madd` of three vectors. */
const relaxedMadd = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 19, 1, 17, 0],
  ...[65, 0, 253, 15, 65, 0, 253, 15, 65, 0, 253, 15, 253, 133, 2, 11],
)

function compileKernels({ relaxed, plain }: KernelFiles): Promise<WebAssembly.Module> {
  return WebAssembly.compileStreaming(fetch(WebAssembly.validate(relaxedMadd) ? relaxed : plain))
}
