// The store of models from the hub: a folder for each model and commit, with files in parts. A part is complete or missing, so a crash loses at
// most one.
import { failure, textOf } from '../../engine/protocol/failure'
import { t } from './messages.en'
import type { HubFile, Listing } from './listing'

/** This name stays: the records of former visits have it. */
export const revisions = 'asked'

/** A stored model, which may be incomplete: its listing, and the files that make it up. */
export interface ModelRecord extends Listing {
  needed: readonly HubFile[]
  /** Revisions that were this commit when they were fetched. */
  [revisions]: readonly string[]
}

export type ModelCommit = Pick<Listing, 'owner' | 'name' | 'commit'>

export interface Store {
  /** Whether its models are there at the next visit. */
  readonly isPersistent: boolean
  all(): Promise<ModelRecord[]>
  /** @throws {Failure} `hub-full` */
  write(record: ModelRecord): Promise<void>
  /** Stored bytes of a file, from its start without a gap. */
  size(place: ModelCommit, path: string): Promise<number>
  /** Writes a part that starts at this byte. @throws {Failure} `hub-full` */
  append(place: ModelCommit, path: string, start: number, bytes: readonly Uint8Array<ArrayBuffer>[]): Promise<void>
  /** The stored bytes of a file, which are not read. */
  open(place: ModelCommit, path: string): Promise<Blob>
  drop(place: ModelCommit, path: string): Promise<void>
  remove(place: ModelCommit): Promise<void>
}

/** The part of the browser's file system that the store uses; `values` is missing in some type libraries. */
export type Directory = Pick<FileSystemDirectoryHandle, 'getDirectoryHandle' | 'getFileHandle' | 'removeEntry'> & {
  values(): AsyncIterable<Pick<FileSystemHandle, 'kind' | 'name'>>
}

const recordName = 'model.json'
/** Not in the names of owners, models or files. */
const separator = '~'

const folderOf = ({ owner, name, commit }: ModelCommit) => [owner, name, commit].join(separator)

/** In a directory of the origin's private file system. */
export class FolderStore implements Store {
  readonly isPersistent = true
  readonly #root: () => Promise<Directory>

  constructor(root: () => Promise<Directory>) {
    this.#root = root
  }

  async all(): Promise<ModelRecord[]> {
    const found: ModelRecord[] = []
    const root = await this.#root()
    for await (const { kind, name } of root.values()) {
      if (kind !== 'directory') continue
      const record = await readRecord((await root.getDirectoryHandle(name)) as Directory)
      if (record) found.push(record)
    }
    return found.sort((one, other) => folderOf(one).localeCompare(folderOf(other)))
  }

  async write(record: ModelRecord): Promise<void> {
    const folder = await this.#folder(record, true)
    await writeFile(folder, recordName, [JSON.stringify(record)])
  }

  async size(place: ModelCommit, path: string): Promise<number> {
    const parts = await this.#parts(place, path)
    return parts.reduce((sum, { size }) => sum + size, 0)
  }

  async append(
    place: ModelCommit,
    path: string,
    start: number,
    bytes: readonly Uint8Array<ArrayBuffer>[],
  ): Promise<void> {
    const folder = await this.#folder(place, true)
    await writeFile(folder, `${path}${separator}${start}`, bytes)
  }

  async open(place: ModelCommit, path: string): Promise<Blob> {
    return new Blob(await this.#parts(place, path))
  }

  async drop(place: ModelCommit, path: string): Promise<void> {
    const folder = await this.#folder(place, false)
    if (!folder) return
    for (const name of await namesIn(folder)) {
      if (name.startsWith(path + separator)) await folder.removeEntry(name)
    }
  }

  async remove(place: ModelCommit): Promise<void> {
    await (await this.#root()).removeEntry(folderOf(place), { recursive: true }).catch(() => {})
  }

  #folder(place: ModelCommit, create: true): Promise<Directory>
  #folder(place: ModelCommit, create: false): Promise<Directory | undefined>
  async #folder(place: ModelCommit, create: boolean): Promise<Directory | undefined> {
    try {
      return (await (await this.#root()).getDirectoryHandle(folderOf(place), { create })) as Directory
    } catch (error) {
      if (!create) return undefined
      throw writeFailure(error)
    }
  }

  /** The parts that follow each other without a gap; others are left from an interrupted download. */
  async #parts(place: ModelCommit, path: string): Promise<File[]> {
    const folder = await this.#folder(place, false)
    if (!folder) return []
    const starts = (await namesIn(folder))
      .filter((name) => name.startsWith(path + separator))
      .map((name) => Number(name.slice(path.length + separator.length)))
    const parts = new Map<number, string>(starts.map((start) => [start, `${path}${separator}${start}`]))
    const found: File[] = []
    let at = 0
    for (let name = parts.get(0); name !== undefined; name = parts.get(at)) {
      const file = await (await folder.getFileHandle(name)).getFile()
      if (file.size === 0) break
      found.push(file)
      at += file.size
    }
    return found
  }
}

/** In memory, for a browser without storage. */
export class MemoryStore implements Store {
  readonly isPersistent = false
  readonly #records = new Map<string, ModelRecord>()
  readonly #files = new Map<string, Blob>()

  async all(): Promise<ModelRecord[]> {
    return [...this.#records.values()]
  }

  async write(record: ModelRecord): Promise<void> {
    this.#records.set(folderOf(record), record)
  }

  async size(place: ModelCommit, path: string): Promise<number> {
    return this.#files.get(this.#key(place, path))?.size ?? 0
  }

  async append(
    place: ModelCommit,
    path: string,
    start: number,
    bytes: readonly Uint8Array<ArrayBuffer>[],
  ): Promise<void> {
    const before = (await this.open(place, path)).slice(0, start)
    this.#files.set(this.#key(place, path), new Blob([before, ...bytes]))
  }

  async open(place: ModelCommit, path: string): Promise<Blob> {
    return this.#files.get(this.#key(place, path)) ?? new Blob()
  }

  async drop(place: ModelCommit, path: string): Promise<void> {
    this.#files.delete(this.#key(place, path))
  }

  async remove(place: ModelCommit): Promise<void> {
    const prefix = this.#key(place, '')
    this.#records.delete(folderOf(place))
    for (const key of [...this.#files.keys()]) if (key.startsWith(prefix)) this.#files.delete(key)
  }

  #key(place: ModelCommit, path: string): string {
    return folderOf(place) + separator + path
  }
}

async function namesIn(folder: Directory): Promise<string[]> {
  const names: string[] = []
  for await (const { kind, name } of folder.values()) if (kind === 'file') names.push(name)
  return names
}

async function readRecord(folder: Directory): Promise<ModelRecord | undefined> {
  try {
    const file = await (await folder.getFileHandle(recordName)).getFile()
    const read = JSON.parse(await file.text()) as ModelRecord
    return Array.isArray(read.needed) && Array.isArray(read[revisions]) ? read : undefined
  } catch {
    return undefined
  }
}

/** The file appears when the stream is closed, so it is complete or missing. */
async function writeFile(
  folder: Directory,
  name: string,
  data: readonly (string | Uint8Array<ArrayBuffer>)[],
): Promise<void> {
  try {
    const stream = await (await folder.getFileHandle(name, { create: true })).createWritable()
    try {
      for (const piece of data) await stream.write(piece)
      await stream.close()
    } catch (error) {
      await stream.abort().catch(() => {})
      throw error
    }
  } catch (error) {
    await folder.removeEntry(name).catch(() => {})
    throw writeFailure(error)
  }
}

/** A full disk or quota, or another failure. */
function writeFailure(error: unknown): unknown {
  const full = error instanceof Error && error.name === 'QuotaExceededError'
  return full
    ? failure('hub-full', () => t().failures.full, true)
    : failure('hub-store', () => t().failures.notWritten(textOf(error)), true)
}
