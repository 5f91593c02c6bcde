// The page's side of the service worker: what is stored, what is loading, and whether a newer build waits.

import { failure, textOf } from '../../engine/protocol/failure'
import { t } from '../messages.en'
import { ownCaches, wire, type FromServiceWorker, type StoredState, type ToServiceWorker } from './stores'

/** The parts of the browser that it uses. */
export interface Surroundings {
  /** Undefined on the development server, and where there are no service workers. */
  container: Pick<ServiceWorkerContainer, 'register' | 'ready' | 'addEventListener'> | undefined
  caches: Pick<CacheStorage, 'keys' | 'delete'>
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  base: URL
  reload: () => void
  /** Whether a reload loses nothing of this tab; if it does, the page asks the visitor. */
  mayReload: () => boolean
  /** Asks the browser not to delete the stored files when it needs room. */
  persist: () => Promise<unknown>
}

const stored = 'ropescope.offline'

export class Offline {
  readonly #in: Surroundings
  #registration: Promise<ServiceWorkerRegistration> | undefined
  /** Models of this visit whose storage was tried, which is not repeated by itself. */
  readonly #tried = new Set<string>()
  /** Whether the visitor chose the newer build in this tab. */
  #takesOver = false
  /** Nothing is stored before the first result. `removed`: the visitor chose to store nothing. */
  state: 'unavailable' | 'removed' | 'starting' | 'ready' = $state('starting')
  stored: StoredState | undefined = $state.raw()
  progress: { loaded: number; total: number } | undefined = $state.raw()
  #error: unknown = $state.raw()
  /** Whether a newer build waits until no tab shows this one. */
  hasUpdate = $state(false)

  constructor(surroundings: Surroundings) {
    this.#in = surroundings
    if (!surroundings.container) this.state = 'unavailable'
    else if (this.#isRemoved) this.state = 'removed'
    // Another tab has switched to the newer build, and the files of this tab's build are deleted.
    surroundings.container?.addEventListener('controllerchange', () => {
      if (this.#takesOver || surroundings.mayReload()) surroundings.reload()
    })
  }

  /** Why something could not be stored; empty where nothing failed. */
  get failed(): string {
    return this.#error === undefined ? '' : textOf(this.#error)
  }

  /** Stores the page and its model, once in a visit; empty: a model of the visitor. */
  async use(folder: string): Promise<void> {
    if (this.state === 'unavailable' || this.state === 'removed' || this.#isRemoved || this.#tried.has(folder)) return
    this.#tried.add(folder)
    await this.#store(folder === '' ? [] : [folder])
  }

  async storeEverything(): Promise<void> {
    this.#remember(true)
    void this.#in.persist().catch(() => {})
    await this.#store('all')
  }

  /** Deletes everything, and stores nothing again until the visitor chooses it. */
  async remove(): Promise<void> {
    const { caches, base } = this.#in
    this.#remember(false)
    this.#tried.clear()
    await (await this.#registration)?.unregister()
    this.#registration = undefined
    await Promise.all(ownCaches(await caches.keys(), base).map((name) => caches.delete(name)))
    this.stored = undefined
    this.#error = undefined
    this.hasUpdate = false
    this.state = 'removed'
  }

  /** Sets whether the page is isolated, and reloads it. */
  async isolate(isolated: boolean): Promise<void> {
    this.#error = undefined
    try {
      const active = (await this.#registration)?.active
      if (!active) throw failure('offline', () => t().offline.notRunning)
      this.stored = await this.#ask(active, { type: 'isolate', [wire.isolated]: isolated })
      this.#in.reload()
    } catch (error) {
      this.#error = error
    }
  }

  async update(): Promise<void> {
    this.#takesOver = true
    ;(await this.#registration)?.waiting?.postMessage({ type: 'takeOver' } satisfies ToServiceWorker)
  }

  async #store(models: readonly string[] | 'all'): Promise<void> {
    this.#error = undefined
    try {
      this.#registration ??= this.#register()
      const { active } = await this.#registration
      if (!active) throw failure('offline', () => t().offline.notRunning)
      const state = await this.#ask(active, { type: 'keep', models })
      // The visitor has removed everything meanwhile.
      if (this.#isRemoved) return
      this.stored = state
      this.state = 'ready'
    } catch (error) {
      this.#registration = undefined
      this.#error = error
    }
    this.progress = undefined
  }

  async #register(): Promise<ServiceWorkerRegistration> {
    const { container, base } = this.#in
    if (!container) throw failure('offline', () => t().offline.noWorkers)
    await container.register(new URL('sw.js', base), { updateViaCache: 'none' })
    const registration = await container.ready
    const look = () => (this.hasUpdate = registration.waiting !== null)
    look()
    registration.addEventListener('updatefound', () => {
      registration.installing?.addEventListener('statechange', look)
    })
    return registration
  }

  #ask(worker: Pick<ServiceWorker, 'postMessage'>, message: ToServiceWorker): Promise<StoredState> {
    const { port1, port2 } = new MessageChannel()
    return new Promise<StoredState>((resolve, reject) => {
      port1.onmessage = ({ data }: MessageEvent<FromServiceWorker>) => {
        if (data.type === 'progress') this.progress = { loaded: data.loaded, total: data.total }
        else if (data.type === 'kept') resolve(data[wire.stored])
        else reject(new Error(data.reason))
      }
      // Browsers end a worker that takes too long.
      port1.addEventListener('close', () => reject(failure('offline', () => t().offline.ended)))
      worker.postMessage(message, [port2])
    }).finally(() => port1.close())
  }

  get #isRemoved(): boolean {
    try {
      return this.#in.storage.getItem(stored) === 'removed'
    } catch {
      return false
    }
  }

  #remember(isolated: boolean): void {
    try {
      if (isolated) this.#in.storage.removeItem(stored)
      else this.#in.storage.setItem(stored, 'removed')
    } catch {
      // A browser without local storage has no service worker either.
    }
  }
}

export function createOffline(mayReload: () => boolean): Offline {
  const built = import.meta.env.PROD && 'serviceWorker' in navigator
  return new Offline({
    container: built ? navigator.serviceWorker : undefined,
    get caches() {
      return caches
    },
    get storage() {
      return localStorage
    },
    base: new URL('.', document.baseURI),
    reload: () => location.reload(),
    mayReload,
    persist: () => navigator.storage.persist(),
  })
}
