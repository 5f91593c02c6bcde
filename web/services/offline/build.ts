// The list of a build's files in its service worker.

/** A file of the build. `path` is relative to the page, whose own path is empty; `sha256` is hexadecimal. */
export interface Listed {
  path: string
  sha256: string
  bytes: number
}

/** A bundled model; `version` changes with its files. */
export interface ListedModel {
  folder: string
  version: string
  files: readonly Listed[]
}

/** `version` changes with any byte of the files. */
export interface Build {
  version: string
  page: readonly Listed[]
  models: readonly ListedModel[]
}

export const sumOfBytes = (files: readonly Listed[]) => files.reduce((sum, { bytes }) => sum + bytes, 0)
