// The engine's memory, shared with other threads where the page is cross-origin isolated.

/** wasm-bindgen's start of a module. */
type Init = (source: {
  module_or_path: Promise<Response> | string | URL
}) => Promise<{ readonly memory: WebAssembly.Memory }>

/** Starts a module that lies at `url`. `sharedAt`: its bindings say it. */
export async function start(init: Init, url: string | URL, sharedAt: number): Promise<WebAssembly.Memory> {
  if (globalThis.crossOriginIsolated) {
    try {
      return (await init({ module_or_path: fetch(url).then((response) => shared(response, sharedAt)) })).memory
    } catch {
      // Shared memory takes all of its room beforehand, which not every browser gives: one thread does without.
    }
  }
  return (await init({ module_or_path: url })).memory
}

/** A module on its way, with its memory shared. */
export function shared(response: Response, at: number): Response {
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
