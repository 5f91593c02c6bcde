// Compiles the engine's module, with shared memory where the page is cross-origin isolated.

/** wasm-bindgen's `init`. */
type Init = (source: {
  module_or_path: WebAssembly.Module | Promise<Response> | string | URL
}) => Promise<{ readonly memory: WebAssembly.Memory }>

/** The address of a module, and the offset of its byte that makes the memory shared. */
interface ModuleFile {
  url: string | URL
  sharedAt: number
}

export function compile({ url, sharedAt }: ModuleFile): Promise<WebAssembly.Module> {
  const response = fetch(url)
  return WebAssembly.compileStreaming(
    globalThis.crossOriginIsolated ? response.then((response) => withSharedMemory(response, sharedAt)) : response,
  )
}

/** Instantiates the compiled module, or else the file. */
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
      // Shared memory is reserved in full, which some browsers refuse: the next source has none.
    }
  }
  return (await init({ module_or_path: url })).memory
}

/** The response with the byte changed that makes the memory shared. */
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

/** More threads were not measured. */
const mostThreads = 4

/** Threads for products, with the engine's own; two logical cores often share one. */
export function threadsFor(cores: number): number {
  return Math.max(Math.min(cores, 2), Math.min(cores >> 1, mostThreads), 1)
}
