// The kernels' module for several threads (`kernels/relaxed/src/threads.rs`), on the engine's memory.

/** What a helper is given, once. */
export interface Helping {
  module: WebAssembly.Module
  memory: WebAssembly.Memory
  /** Where what the threads share lies. */
  team: number
  /** 1 for the first helper. */
  thread: number
}

export interface Kernels {
  run_job: (job: number) => void
  help(team: number, thread: number, known: number): number
  fail(team: number): void
}

/** An instance for one thread. */
export function kernelsOn(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  const numbers = new Int32Array(memory.buffer)
  const env = {
    memory,
    wait: (address: number, whileItIs: number) => Atomics.wait(numbers, address / 4, whileItIs),
    wake: (address: number) => Atomics.notify(numbers, address / 4),
  }
  return new WebAssembly.Instance(module, { env }).exports as unknown as Kernels
}

// `self` as a worker sees it; the page's types know it as a window.
const scope = self as unknown as {
  postMessage(message: 'ready'): void
  onmessage: (event: MessageEvent<Helping>) => void
}

/** Makes this worker a helper. It runs nothing of the engine but the kernels' module. */
export function beHelper(): void {
  scope.onmessage = ({ data }) => help(data)
  scope.postMessage('ready')
}

/** Until the thread is ended. @throws what ended it otherwise. */
function help({ module, memory, team, thread }: Helping): never {
  const numbers = new Int32Array(memory.buffer)
  const kernels = kernelsOn(module, memory)
  let known = 0
  try {
    for (;;) {
      known = kernels.help(team, thread, known)
      // Second of what the team shares: jobs that there were.
      Atomics.wait(numbers, team / 4 + 1, known)
    }
  } catch (error) {
    kernels.fail(team)
    throw error
  }
}
