// The files of a build, as its service worker lists them, the caches that hold them, and what the page asks of it.
/** A file of the build. `path` is relative to the page, whose own path is empty; `sha256` is hexadecimal. */
export interface ListedFile {
  path: string
  sha256: string
  bytes: number
}

/** A bundled model; `version` changes with its files. */
export interface ListedModel {
  folder: string
  version: string
  files: readonly ListedFile[]
}

/** `version` changes with any byte of the files. */
export interface Build {
  version: string
  page: readonly ListedFile[]
  models: readonly ListedModel[]
}

export const sumOfBytes = (files: readonly ListedFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** A cache that is used only if it is complete: the page of one build, or one model. */
export interface Store {
  /** Of the cache, with the site's path, because sites of one origin share their caches. */
  name: string
  files: readonly ListedFile[]
}

/** Paths have no spaces, so no site's prefix begins with another's. */
const prefix = (scope: URL) => `ropescope ${scope.pathname} `

export function pageStore({ version, page }: Build, scope: URL): Store {
  return { name: `${prefix(scope)}page ${version}`, files: page }
}

export function modelStores({ models }: Build, scope: URL): (Store & { folder: string })[] {
  return models.map(({ folder, version, files }) => ({
    folder,
    name: `${prefix(scope)}model ${folder} ${version}`,
    files,
  }))
}

/** An empty cache that exists where the visitor chose an isolated page: service workers have no local storage. */
export const isolation = (scope: URL) => `${prefix(scope)}isolated`

/** The origin's caches of this site, of all builds. */
export function ownCaches(names: readonly string[], scope: URL): string[] {
  return names.filter((name) => name.startsWith(prefix(scope)))
}

/** The site's caches that this build does not use. Unchanged models stay. */
export function outdated(names: readonly string[], build: Build, scope: URL): string[] {
  const stores = [pageStore(build, scope), ...modelStores(build, scope)]
  const needed = new Set([isolation(scope), ...stores.map(({ name }) => name)])
  return ownCaches(names, scope).filter((name) => !needed.has(name))
}

export interface PageRequest {
  method: string
  mode: string
  url: string
  /** The Range header. */
  range: string | null
}

interface StoreEntry {
  store: Store
  file: ListedFile
}

/**
 * The store and file that answer a request; undefined leaves it to the network. The query does not count, because the page reads none.
 */
export function placeOf({ method, mode, url, range }: PageRequest, build: Build, scope: URL): StoreEntry | undefined {
  const address = new URL(url)
  if (method !== 'GET' || range !== null) return undefined
  if (address.origin !== scope.origin || !address.pathname.startsWith(scope.pathname)) return undefined
  const below = address.pathname.slice(scope.pathname.length)
  // A folder is its index.html, but the page itself is listed as the folder.
  const path = below === 'index.html' ? '' : below.replace(/\/$/, '/index.html')
  for (const store of [pageStore(build, scope), ...modelStores(build, scope)]) {
    const file = store.files.find((file) => pathOf(file, scope) === scope.pathname + path)
    // Another file that is opened as a page, as a README, comes from the network.
    if (file) return mode === 'navigate' && !isPage(file) ? undefined : { store, file }
  }
  return undefined
}

const isPage = ({ path }: ListedFile) => path === '' || path.endsWith('.html')

const pathOf = ({ path }: ListedFile, scope: URL) => addressOf(path, scope).pathname

/** The address of a file, which is also its key in the cache. */
export const addressOf = (path: string, scope: URL) => new URL(`./${path}`, scope)

/** These names stay in every build: a page may talk to the service worker of another build. */
export const wire = { isolated: 'wanted', stored: 'kept', complete: 'kept' } as const

/** What the page asks of the service worker, each with a port for the replies. */
export type ToServiceWorker =
  | { type: 'keep'; models: readonly string[] | 'all' }
  /** Sends the headers that isolate the page, or stops sending them. */
  | { type: 'isolate'; [wire.isolated]: boolean }
  /** To a build that waits: replace the former one. */
  | { type: 'takeOver' }

export type FromServiceWorker =
  | { type: 'kept'; [wire.stored]: StoredState }
  | { type: 'progress'; loaded: number; total: number }
  | { type: 'failed'; reason: string }

/** What can be stored, in bytes, and what is. */
export interface StoredState {
  page: { bytes: number; [wire.complete]: boolean }
  models: readonly { folder: string; bytes: number; [wire.complete]: boolean }[]
  /** Whether the visitor chose to isolate the page. */
  isolates: boolean
}
