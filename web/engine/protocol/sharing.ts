// The engine's memory, shared with other threads where the page is cross-origin isolated.

/** wasm-bindgen's start of a module. */
type Init = (source: {
  module_or_path: WebAssembly.Module | Promise<Response> | string | URL
}) => Promise<{ readonly memory: WebAssembly.Memory }>

/** Where a module lies, and which of its bytes makes its memory shared. */
export interface ModuleFile {
  url: string | URL
  sharedAt: number
}

/** Compiles a module while it arrives, with its memory shared where that can be. */
export function compile({ url, sharedAt }: ModuleFile): Promise<WebAssembly.Module> {
  const response = fetch(url)
  return WebAssembly.compileStreaming(
    globalThis.crossOriginIsolated ? response.then((response) => withSharedMemory(response, sharedAt)) : response,
  )
}

/** Starts a module: as it was compiled, or as it lies there. */
export async function start(
  init: Init,
  { url, sharedAt }: ModuleFile,
  compiled?: WebAssembly.Module,
): Promise<WebAssembly.Memory> {
  const sources: Parameters<Init>[0]['module_or_path'][] = compiled ? [compiled] : []
  if (globalThis.crossOriginIsolated && !compiled)
    sources.push(fetch(url).then((response) => withSharedMemory(response, sharedAt)))
  for (const source of sources) {
    try {
      return (await init({ module_or_path: source })).memory
    } catch {
      // Shared memory takes all of its room beforehand, which not every browser gives: one thread does without.
    }
  }
  return (await init({ module_or_path: url })).memory
}

/** A module on its way, with its memory shared. */
export function withSharedMemory(response: Response, at: number): Response {
  let passed = 0
  const change = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(bytes, stream) {
      if (bytes[at - passed] === 1) bytes[at - passed] = 3
      passed += bytes.length
      stream.enqueue(bytes)
    },
  })
  return response.ok && response.body ? new Response(response.body.pipeThrough(change), response) : response
}

/** More threads than these have not been measured. */
const mostThreads = 4

/** Threads that a machine with so many logical cores has for products, the engine's own among them: two of these often share a core. */
export function threadsFor(cores: number): number {
  return Math.max(Math.min(cores, 2), Math.min(cores >> 1, mostThreads), 1)
}
