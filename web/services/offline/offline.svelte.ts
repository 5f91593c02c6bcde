// What the page knows of its service worker: what is kept, what is on its way, and whether a newer build waits.

import { failure, textOf } from '../../engine/protocol/failure'
import { t } from './reasons.en'
import { wire, type FromServiceWorker, type StoredState, type ToServiceWorker } from './messages'
import { ownCaches } from './stores'

/** What of the browser it needs. */
export interface Surroundings {
  /** None: the development server, or a browser or an address without service workers. */
  container: Pick<ServiceWorkerContainer, 'register' | 'ready' | 'addEventListener'> | undefined
  caches: Pick<CacheStorage, 'keys' | 'delete'>
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Where the page lies. */
  base: URL
  reload: () => void
  /** Whether a reload that the visitor did not ask for in this tab loses nothing; else it is the page that asks for it. */
  mayReload: () => boolean
  /** Asks the browser not to throw away what is kept when it needs room. */
  persist: () => Promise<unknown>
}

const stored = 'ropescope.offline'

export class Offline {
  readonly #in: Surroundings
  #registration: Promise<ServiceWorkerRegistration> | undefined
  /** What was kept, or could not be, in this visit: it is not tried again by itself. */
  readonly #tried = new Set<string>()
  /** Whether the visitor wants the newer build in this tab. */
  #takesOver = false
  /** Nothing is kept before the first result. `removed`: the visitor wants nothing kept. */
  state: 'unavailable' | 'removed' | 'starting' | 'ready' = $state('starting')
  stored: StoredState | undefined = $state.raw()
  progress: { loaded: number; total: number } | undefined = $state.raw()
  #error: unknown = $state.raw()
  /** Whether another build is there whole, and waits until this one is shown nowhere. */
  hasUpdate = $state(false)

  constructor(surroundings: Surroundings) {
    this.#in = surroundings
    if (!surroundings.container) this.state = 'unavailable'
    else if (this.#isRemoved) this.state = 'removed'
    // Where another tab has let the newer build take over, this one has files of the older one that are no longer kept.
    surroundings.container?.addEventListener('controllerchange', () => {
      if (this.#takesOver || surroundings.mayReload()) surroundings.reload()
    })
  }

  /** Why something could not be stored; empty where nothing failed. */
  get failed(): string {
    return this.#error === undefined ? '' : textOf(this.#error)
  }

  /** Keeps the page, and the model that was fetched for it, once in a visit; empty: one of the visitor's own. */
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

  /** Nothing stays on the machine, and nothing is kept again unasked. */
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

  /** Has the page isolated from now on, or not any more, and reloads it this once: whether that worked is seen afterwards. */
  async isolate(isolated: boolean): Promise<void> {
    this.#error = undefined
    try {
      const active = (await this.#registration)?.active
      if (!active) throw failure('offline', () => t().notRunning)
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
      if (!active) throw failure('offline', () => t().notRunning)
      const state = await this.#ask(active, { type: 'keep', models })
      // Removed in the meantime.
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
    if (!container) throw failure('offline', () => t().noWorkers)
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
      // A browser may end a worker that takes too long.
      port1.addEventListener('close', () => reject(failure('offline', () => t().ended)))
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
      // A browser that stores nothing keeps nothing either.
    }
  }
}

/** Of this page, as it was built. */
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
