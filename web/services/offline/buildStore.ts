// Stores the files of a build, and answers requests from them.

import {
  addressOf,
  isolation,
  modelStores,
  outdated,
  pageStore,
  placeOf,
  sumOfBytes,
  type Build,
  type ListedFile,
  type PageRequest,
  type Store,
  wire,
  type StoredState,
} from './stores'

export interface Surroundings {
  /** The site's path. */
  scope: URL
  caches: Pick<CacheStorage, 'open' | 'delete' | 'keys' | 'has'>
  fetch: (url: URL, options: { cache: RequestCache }) => Promise<Response>
}

/** Called with newly loaded bytes; negative where a file starts again. */
type Progress = (bytes: number) => void

export class BuildStore {
  readonly #build: Build
  readonly #in: Surroundings

  constructor(build: Build, surroundings: Surroundings) {
    this.#build = build
    this.#in = surroundings
  }

  /** Stores the page completely, or not at all. @throws where a file is missing or belongs to another build */
  async install(): Promise<void> {
    await this.#fill(pageStore(this.#build, this.#in.scope), () => {})
  }

  /** Deletes the caches that only former builds used. */
  async activate(): Promise<void> {
    const { caches, scope } = this.#in
    const names = outdated(await caches.keys(), this.#build, scope)
    await Promise.all(names.map((name) => caches.delete(name)))
  }

  /** The response to a request; undefined at once, or as the result, leaves it to the network. */
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

  /** Sets whether the page is isolated from its next load on, which shared memory needs. */
  async isolate(isIsolated: boolean): Promise<void> {
    const { caches, scope } = this.#in
    await (isIsolated ? caches.open(isolation(scope)) : caches.delete(isolation(scope)))
  }

  /** Adds the headers that isolate the page, where the visitor chose that. */
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

  /** Fetches the missing ones of these models, or of all. @throws where a file cannot be fetched */
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

  /** Whether all files are stored: a browser may end the worker between two of them. */
  async #isComplete({ name, files }: Store): Promise<boolean> {
    const { caches } = this.#in
    // `open` would create the cache.
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

  /** A file of this build: from the browser's cache, where the page may have left it, or from the server. */
  async #fetched(file: ListedFile, progress: Progress): Promise<Response> {
    let loaded = 0
    const count = (bytes: number) => ((loaded += bytes), progress(bytes))
    const stored = await this.#attempt(file, 'force-cache', count).catch(() => undefined)
    if (stored) return stored
    progress(-loaded)
    return this.#attempt(file, 'reload', progress)
  }

  async #attempt({ path, sha256 }: ListedFile, cache: RequestCache, progress: Progress): Promise<Response> {
    const url = addressOf(path, this.#in.scope)
    const response = await this.#in.fetch(url, { cache })
    if (!response.ok || !response.body) throw new Error(`${url.pathname}: HTTP ${response.status}`)
    const bytes = await read(response.body, progress)
    if ((await digest(bytes)) !== sha256) throw new Error(`${url.pathname}: SHA-256`)
    // The body is decompressed and complete: the server's length and encoding do not apply.
    const headers = new Headers({ 'content-length': String(bytes.byteLength) })
    // A page that its server isolates refuses workers without these headers.
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
