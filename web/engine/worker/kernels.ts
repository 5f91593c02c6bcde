// The kernels' module for several threads (`kernels/relaxed/src/threads.rs`), on the engine's memory.

/** The one message to a helper. */
export interface HelperStart {
  module: WebAssembly.Module
  memory: WebAssembly.Memory
  /** The address of the thread pool. */
  team: number
  /** 1 for the first helper. */
  thread: number
}

export interface Kernels {
  run_job: (job: number) => void
  help(team: number, thread: number, jobs: number): number
  fail(team: number): void
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
export function createKernels(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
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
function runHelper({ module, memory, team, thread }: HelperStart): never {
  const numbers = new Int32Array(memory.buffer)
  const kernels = createKernels(module, memory)
  let jobs = 0
  try {
    for (;;) {
      jobs = kernels.help(team, thread, jobs)
      // The second field of the thread pool: the number of jobs so far.
      Atomics.wait(numbers, team / 4 + 1, jobs)
    }
  } catch (error) {
    kernels.fail(team)
    throw error
  }
}
