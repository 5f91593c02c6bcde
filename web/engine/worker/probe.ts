import { textOf } from '../protocol/failure'
import type { BackendChoice, EngineInfo, Simulation } from '../protocol/protocol'

/** The worker's environment, which decides on the backend. */
export interface Surroundings {
  gpu: Pick<GPU, 'requestAdapter'> | undefined
  secure: boolean
  simulate: Simulation | undefined
}

/** The backend to open, and why. The device may still be refused. */
export async function chooseBackend(choice: BackendChoice, surroundings: Surroundings): Promise<EngineInfo> {
  if (choice === 'cpu') return { backend: 'cpu', reason: 'choice' }
  const { gpu, secure, simulate } = surroundings
  if (!gpu || simulate === 'no-webgpu') {
    return { backend: 'cpu', reason: secure ? 'no-webgpu' : 'insecure-context' }
  }
  let adapter: GPUAdapter | null = null
  let detail: string | undefined
  try {
    if (simulate !== 'no-adapter') adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' })
  } catch (error) {
    detail = textOf(error)
  }
  const simulatesRefusal = simulate === 'device-refused' || simulate === 'wrong-numbers'
  const software = simulate === 'fallback-adapter' || (adapter !== null && isFallback(adapter) && !simulatesRefusal)
  if (software && choice === 'auto') {
    return { backend: 'cpu', reason: 'fallback-adapter', ...adapterInfo(adapter), fallbackAdapter: true }
  }
  // Simulated refusals need no adapter.
  if (!adapter && !simulatesRefusal) {
    return { backend: 'cpu', reason: 'no-adapter', ...(detail === undefined ? {} : { detail }) }
  }
  return {
    backend: 'gpu',
    reason: choice === 'gpu' ? 'choice' : 'hardware-adapter',
    ...adapterInfo(adapter),
    ...(software ? { fallbackAdapter: true } : {}),
  }
}

/** `isFallbackAdapter` moved from the adapter to its info. */
function isFallback(adapter: GPUAdapter): boolean {
  const older = adapter as GPUAdapter & { isFallbackAdapter?: boolean }
  return adapter.info?.isFallbackAdapter ?? older.isFallbackAdapter ?? false
}

function adapterInfo(adapter: GPUAdapter | null): Pick<EngineInfo, 'adapter' | 'vendor' | 'architecture'> {
  const info = adapter?.info
  return knownNames({ adapter: info?.description, vendor: info?.vendor, architecture: info?.architecture })
}

/** The name of an adapter in the list of trusted ones; undefined where the browser does not name it. `build`: of the engine. */
export function adapterKey(names: Readonly<Record<string, unknown>>, build: string | undefined): string | undefined {
  const fields = ['vendor', 'architecture', 'device', 'adapter'].map((name) => names[name] ?? '')
  return build === undefined || fields.join('') === '' ? undefined : JSON.stringify([...fields, build])
}

/** Without empty names. */
export function knownNames(
  names: Record<'adapter' | 'vendor' | 'architecture', unknown>,
): Pick<EngineInfo, 'adapter' | 'vendor' | 'architecture'> {
  return Object.fromEntries(Object.entries(names).filter(([, name]) => typeof name === 'string' && name !== ''))
}
