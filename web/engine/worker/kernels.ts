// The kernels' module for several threads (`kernels/relaxed/src/threads.rs`), on the engine's memory.

/** What a helper is given, once. */
export interface HelperStart {
  module: WebAssembly.Module
  memory: WebAssembly.Memory
  /** Where what the threads share lies. */
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
 * How the engine's thread sleeps while helpers are at a job's last chunks, which take milliseconds. It throws where `patience`, in milliseconds,
 * passes twice: a helper was ended in there.
 */
export function waitFunction(numbers: Int32Array, patience: number): (address: number, whileItIs: number) => void {
  let timeouts = 0
  return (address, whileItIs) => {
    // Once it passes by itself where the machine was asleep.
    timeouts = Atomics.wait(numbers, address / 4, whileItIs, patience) === 'timed-out' ? timeouts + 1 : 0
    if (timeouts === 2) throw new Error('helper-lost')
  }
}

/** An instance for one thread. */
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

/** Makes this worker a helper. It runs nothing of the engine but the kernels' module. */
export function startHelper(): void {
  scope.onmessage = ({ data }) => runHelper(data)
  scope.postMessage('ready')
}

/** Until the thread is ended. @throws what ended it otherwise. */
function runHelper({ module, memory, team, thread }: HelperStart): never {
  const numbers = new Int32Array(memory.buffer)
  const kernels = createKernels(module, memory)
  let jobs = 0
  try {
    for (;;) {
      jobs = kernels.help(team, thread, jobs)
      // Second of what the team shares: jobs that there were.
      Atomics.wait(numbers, team / 4 + 1, jobs)
    }
  } catch (error) {
    kernels.fail(team)
    throw error
  }
}
