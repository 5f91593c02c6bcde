import type { BackendChoice } from '../engine/protocol'

const stored = 'ropescope.backend'

/** The backend that the visitor chose on this machine; undefined where none was. */
export function storedBackend(): BackendChoice | undefined {
  try {
    const value = localStorage.getItem(stored)
    return value === 'gpu' || value === 'cpu' || value === 'auto' ? value : undefined
  } catch {
    return undefined
  }
}

export function storeBackend(backend: BackendChoice): void {
  try {
    localStorage.setItem(stored, backend)
  } catch {
    // A browser that stores nothing still runs it.
  }
}
