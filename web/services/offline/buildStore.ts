// Keeps what a build consists of, and answers with it. Knows the browser only through what it is given.

import { sumOfBytes, type Build, type Listed } from './build'
import { wire, type StoredState } from './messages'
import { addressOf, isolation, modelStores, outdated, pageStore, placeOf, type PageRequest, type Store } from './stores'

export interface Surroundings {
  /** The path that the site lies under. */
  scope: URL
  caches: Pick<CacheStorage, 'open' | 'delete' | 'keys' | 'has'>
  fetch: (url: URL, options: { cache: RequestCache }) => Promise<Response>
}

/** Bytes of one file so far. */
type Progress = (bytes: number) => void

export class BuildStore {
  readonly #build: Build
  readonly #in: Surroundings

  constructor(build: Build, surroundings: Surroundings) {
    this.#build = build
    this.#in = surroundings
  }

  /** Fetches the page, all of it or nothing. @throws where a file is missing or is another build's. */
  async install(): Promise<void> {
    await this.#fill(pageStore(this.#build, this.#in.scope), () => {})
  }

  /** Deletes what only builds of before had a use for. */
  async activate(): Promise<void> {
    const { caches, scope } = this.#in
    const names = outdated(await caches.keys(), this.#build, scope)
    await Promise.all(names.map((name) => caches.delete(name)))
  }

  /** What a request is answered with; undefined leaves it to the network. Whether it may be answered is known at once. */
  answer(request: PageRequest): Promise<Response | undefined> | undefined {
    const { scope, caches } = this.#in
    const place = placeOf(request, this.#build, scope)
    if (!place) return undefined
    const { store, file } = place
    return (async () => {
      if (!(await this.#isComplete(store))) return undefined
      return (await caches.open(store.name)).match(addressOf(file.path, scope))
    })()
  }

  /** Chooses whether the page is isolated from its next load on, so that it may share memory with threads. */
  async isolate(isIsolated: boolean): Promise<void> {
    const { caches, scope } = this.#in
    await (isIsolated ? caches.open(isolation(scope)) : caches.delete(isolation(scope)))
  }

  /** A response of the site with the headers that isolate the page, where that is wanted. */
  async isolated(response: Response): Promise<Response> {
    if (response.type === 'opaqueredirect' || !(await this.#isolates())) return response
    const headers = new Headers(response.headers)
    headers.set('cross-origin-opener-policy', 'same-origin')
    headers.set('cross-origin-embedder-policy', 'require-corp')
    const { status, statusText } = response
    return new Response(response.body, { status, statusText, headers })
  }

  #isolates(): Promise<boolean> {
    return this.#in.caches.has(isolation(this.#in.scope))
  }

  /** Fetches these models, or all; those that are there already are left as they are. @throws where one cannot be had. */
  async storeModels(
    folders: readonly string[] | 'all',
    onBytes: (loaded: number, total: number) => void,
  ): Promise<void> {
    const missing: Store[] = []
    const stores = modelStores(this.#build, this.#in.scope).filter(
      ({ folder }) => folders === 'all' || folders.includes(folder),
    )
    for (const store of [pageStore(this.#build, this.#in.scope), ...stores]) {
      if (!(await this.#isComplete(store))) missing.push(store)
    }
    const total = missing.reduce((sum, { files }) => sum + sumOfBytes(files), 0)
    let loaded = 0
    for (const store of missing) {
      await this.#fill(store, (bytes) => onBytes((loaded += bytes), total))
    }
  }

  async stored(): Promise<StoredState> {
    const { scope } = this.#in
    const page = pageStore(this.#build, scope)
    const models = modelStores(this.#build, scope).map(async (store) => ({
      folder: store.folder,
      bytes: sumOfBytes(store.files),
      [wire.complete]: await this.#isComplete(store),
    }))
    return {
      page: { bytes: sumOfBytes(page.files), [wire.complete]: await this.#isComplete(page) },
      models: await Promise.all(models),
      isolates: await this.#isolates(),
    }
  }

  /** Whether every file is there: a browser may stop between two of them. */
  async #isComplete({ name, files }: Store): Promise<boolean> {
    const { caches } = this.#in
    // Asking for a cache by its name alone would make it.
    if (!(await caches.has(name))) return false
    return (await (await caches.open(name)).keys()).length === files.length
  }

  async #fill({ name, files }: Store, progress: Progress): Promise<void> {
    const { caches, scope } = this.#in
    await caches.delete(name)
    const cache = await caches.open(name)
    try {
      await Promise.all(
        files.map(async (file) => cache.put(addressOf(file.path, scope), await this.#fetched(file, progress))),
      )
    } catch (error) {
      await caches.delete(name)
      throw error
    }
  }

  /** A file of this very build: first from the browser's own cache, where the page has left it, then anew. */
  async #fetched(file: Listed, progress: Progress): Promise<Response> {
    let loaded = 0
    const count = (bytes: number) => ((loaded += bytes), progress(bytes))
    const stored = await this.#attempt(file, 'force-cache', count).catch(() => undefined)
    if (stored) return stored
    // What was counted of the other bytes is taken back.
    progress(-loaded)
    return this.#attempt(file, 'reload', progress)
  }

  async #attempt({ path, sha256 }: Listed, cache: RequestCache, progress: Progress): Promise<Response> {
    const url = addressOf(path, this.#in.scope)
    const response = await this.#in.fetch(url, { cache })
    if (!response.ok || !response.body) throw new Error(`${url.pathname}: HTTP ${response.status}`)
    const bytes = await read(response.body, progress)
    if ((await digest(bytes)) !== sha256) throw new Error(`${url.pathname}: SHA-256`)
    // Unpacked already, and whole: the server's own length or packing would no longer be true.
    const headers = new Headers({ 'content-length': String(bytes.byteLength) })
    // A worker without the last one's is refused where the page is isolated by its server.
    for (const name of ['content-type', 'cross-origin-opener-policy', 'cross-origin-embedder-policy']) {
      const value = response.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    return new Response(bytes, { headers })
  }
}

async function read(body: ReadableStream<Uint8Array>, progress: Progress): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value as Uint8Array<ArrayBuffer>)
    progress(value.byteLength)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
