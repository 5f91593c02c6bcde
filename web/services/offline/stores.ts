// Which requests are answered from where, and which caches are kept: plain functions of a build and of the path it lies under.

import type { Build, Listed } from './build'

/** A cache that is of use only whole: the page of one build, or one model. */
export interface Store {
  /** Of the cache. Sites of one origin share their caches, so it says which path it belongs to. */
  name: string
  files: readonly Listed[]
}

/** Paths have no spaces, so that no site's names begin with another's. */
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

/** A cache that is there, empty, where the visitor wants the page isolated: a service worker knows no other store of a choice. */
export const isolation = (scope: URL) => `${prefix(scope)}isolated`

/** Of all caches of the origin those of the site under this path, whichever build they are of. */
export function ownCaches(names: readonly string[], scope: URL): string[] {
  return names.filter((name) => name.startsWith(prefix(scope)))
}

/** Of all caches of the origin those that this build has no use for. A model that did not change is kept. */
export function outdated(names: readonly string[], build: Build, scope: URL): string[] {
  const stores = [pageStore(build, scope), ...modelStores(build, scope)]
  const needed = new Set([isolation(scope), ...stores.map(({ name }) => name)])
  return ownCaches(names, scope).filter((name) => !needed.has(name))
}

/** What of a request matters. */
export interface PageRequest {
  method: string
  mode: string
  url: string
  /** Of its Range header. */
  range: string | null
}

export interface Place {
  store: Store
  file: Listed
}

/**
 * The store and file that answer a request; undefined: it is left to the network. Other origins are, and whatever is not listed. The query
 * is never looked at: the page reads none.
 */
export function placeOf({ method, mode, url, range }: PageRequest, build: Build, scope: URL): Place | undefined {
  const address = new URL(url)
  if (method !== 'GET' || range !== null) return undefined
  if (address.origin !== scope.origin || !address.pathname.startsWith(scope.pathname)) return undefined
  const below = address.pathname.slice(scope.pathname.length)
  const path = below === 'index.html' ? '' : below
  for (const store of [pageStore(build, scope), ...modelStores(build, scope)]) {
    const file = store.files.find((file) => pathOf(file, scope) === scope.pathname + path)
    // A file that is opened by itself, as a README, is no part of the page.
    if (file) return mode === 'navigate' && file.path !== '' ? undefined : { store, file }
  }
  return undefined
}

const pathOf = ({ path }: Listed, scope: URL) => addressOf(path, scope).pathname

/** Where a listed file is published, and the key that it is kept under. */
export const addressOf = (path: string, scope: URL) => new URL(`./${path}`, scope)
