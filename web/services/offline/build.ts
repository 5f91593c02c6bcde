// What a build consists of, as its service worker knows it.

/** A file by its path from the page; the page itself is the empty path. `sha256` in hexadecimal digits. */
export interface Listed {
  path: string
  sha256: string
  bytes: number
}

/** A model that comes with the page; another `version` is another model under the same name. */
export interface ListedModel {
  folder: string
  version: string
  files: readonly Listed[]
}

/** Everything that is published together: `version` changes when any byte of it does. */
export interface Build {
  version: string
  page: readonly Listed[]
  models: readonly ListedModel[]
}

export const sumOfBytes = (files: readonly Listed[]) => files.reduce((sum, { bytes }) => sum + bytes, 0)
