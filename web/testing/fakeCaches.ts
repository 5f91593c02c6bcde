// A browser's caches and a server, for tests.

import { createHash } from 'node:crypto'
import type { Build, ListedFile } from '../services/offline/stores'

export class FakeCaches {
  readonly stores = new Map<string, Map<string, Response>>()
  /** Whether `put` fails. */
  full = false

  keys = () => Promise.resolve([...this.stores.keys()])
  has = (name: string) => Promise.resolve(this.stores.has(name))
  delete = (name: string) => Promise.resolve(this.stores.delete(name))

  open = (name: string): Promise<Cache> => {
    const store = this.stores.get(name) ?? new Map<string, Response>()
    this.stores.set(name, store)
    const cache = {
      put: (url: URL, response: Response) => {
        if (this.full) return Promise.reject(new Error('the disk is full'))
        store.set(url.href, response)
        return Promise.resolve()
      },
      match: (url: URL) => Promise.resolve(store.get(url.href)?.clone()),
      keys: () => Promise.resolve([...store.keys()].map((url) => new Request(url))),
    }
    return Promise.resolve(cache as unknown as Cache)
  }
}

/** A server with texts by path, which records its requests. */
export class FakeServer {
  readonly requests: { path: string; cache: RequestCache }[] = []
  /** Texts in the browser's cache. */
  stale: Record<string, string> = {}

  constructor(
    readonly scope: URL,
    public files: Record<string, string>,
  ) {}

  /** Headers of a server that isolates the page. */
  isolation: Record<string, string> = {}

  fetch = (url: URL, { cache }: { cache: RequestCache }): Promise<Response> => {
    const path = decodeURI(url.pathname).slice(decodeURI(this.scope.pathname).length)
    this.requests.push({ path, cache })
    const body = (cache === 'force-cache' ? this.stale[path] : undefined) ?? this.files[path]
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip', ...this.isolation }
    return Promise.resolve(body === undefined ? new Response('', { status: 404 }) : new Response(body, { headers }))
  }
}

const listed = ([path, text]: [string, string]): ListedFile => ({
  path,
  sha256: createHash('sha256').update(text).digest('hex'),
  bytes: text.length,
})

/** A build of these files; those in `models/` are models. */
export function buildOf(version: string, files: Record<string, string>): Build {
  const all = Object.entries(files).map(listed)
  const folders = [...new Set(all.flatMap(({ path }) => /^models\/([^/]+)\//.exec(path)?.[1] ?? []))]
  return {
    version,
    page: all.filter(({ path }) => !path.startsWith('models/')),
    models: folders.map((folder) => {
      const own = all.filter(({ path }) => path.startsWith(`models/${folder}/`))
      return { folder, version: own.map(({ sha256 }) => sha256.slice(0, 4)).join(''), files: own }
    }),
  }
}
