// A model's files in the store: fetched from the hub, in one tab at a time, removed, counted, and opened for the engine.
import { failure, isFailure } from '../../engine/protocol/failure'
import type { ModelSource } from '../../engine/protocol/protocol'
import { t } from './messages.en'
import { cancelFailure } from './client'
import { download, type DownloadContext, FileDigest } from './download'
import type { HubFile, Listing } from './listing'
import { revisions, type ModelRecord, type ModelCommit, type Store } from './store'

export type Locks = Pick<LockManager, 'request'>

interface HubContext extends Omit<DownloadContext, 'onBytes' | 'signal'> {
  locks: Locks | undefined
  /** Names the site's locks among those of the origin. */
  scope: string
}

export interface FetchOptions {
  onBytes: (path: string, bytes: number) => void
  /** Another tab is fetching the model: the download waits for it. */
  onWait: () => void
  signal: AbortSignal
}

const lockOf = (scope: string, { owner, name, commit }: ModelCommit) => `ropescope ${scope} ${owner}/${name}@${commit}`

/** Fetches those of the `needed` files that the store lacks. `texts`: files that are in memory. @throws {Failure} */
export async function fetchModel(
  listing: Listing,
  needed: readonly HubFile[],
  texts: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
  context: HubContext,
  { onBytes, onWait, signal }: FetchOptions,
): Promise<ModelRecord> {
  const { store, locks, scope } = context
  const work = async (): Promise<ModelRecord> => {
    const stored = (await store.all()).find((model) => lockOf(scope, model) === lockOf(scope, listing))
    const known = [...(stored?.[revisions] ?? []), listing.revision]
    const record: ModelRecord = { ...listing, needed, [revisions]: [...new Set(known)] }
    await store.write(record)
    for (const file of needed) {
      const text = texts.get(file.path)
      if (text && isFile(file, text) && (await store.size(listing, file.path)) !== file.size) {
        await store.drop(listing, file.path)
        await store.append(listing, file.path, 0, [text])
      }
      await download(listing, file, { ...context, onBytes, signal })
    }
    return record
  }
  if (!locks) return work()
  const name = lockOf(scope, listing)
  const first = await locks.request(name, { ifAvailable: true }, (lock) => (lock ? work() : undefined))
  if (first) return first
  onWait()
  try {
    return await locks.request(name, { signal }, work)
  } catch (error) {
    if (signal.aborted && !isFailure(error)) throw cancelFailure()
    throw error
  }
}

function isFile(file: HubFile, bytes: Uint8Array): boolean {
  const digest = new FileDigest(file)
  digest.add(bytes)
  return bytes.length === file.size && digest.matches()
}

/** @throws {Failure} `hub-fetching` while a tab fetches the model */
export async function removeModel(
  place: ModelCommit,
  { store, locks, scope }: Pick<HubContext, 'store' | 'locks' | 'scope'>,
): Promise<void> {
  if (!locks) return store.remove(place)
  const removed = await locks.request(lockOf(scope, place), { ifAvailable: true }, async (lock) => {
    if (lock) await store.remove(place)
    return lock !== null
  })
  if (!removed) throw failure('hub-fetching', () => t().failures.fetching, true)
}

export async function storedBytesOf(model: ModelCommit & Pick<ModelRecord, 'needed'>, store: Store): Promise<number> {
  const sizes = await Promise.all(
    model.needed.map(async ({ path, size }) => Math.min(size, await store.size(model, path))),
  )
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

/** A stored model for the engine. @throws {Failure} `hub-gone` where a file is incomplete */
export async function sourceOf(model: ModelRecord, store: Store): Promise<Extract<ModelSource, { kind: 'hub' }>> {
  const files = model.needed.map(async ({ path, size }) => {
    const file = await store.open(model, path)
    if (file.size !== size) throw failure('hub-gone', () => t().failures.gone(path))
    return { path, file }
  })
  const { owner, name, commit } = model
  return { kind: 'hub', name: `${owner}/${name}`, revision: commit, files: await Promise.all(files) }
}
