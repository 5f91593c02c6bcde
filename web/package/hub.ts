// Fetches a model of the hub into memory. Storing it between visits is up to the developer.
import type { ModelSource } from '../engine/protocol/protocol'
import { readAddress } from '../services/hub/address'
import { HubClient } from '../services/hub/client'
import { fetchModel, sourceOf } from '../services/hub/modelFiles'
import { neededFiles } from '../services/hub/listing'
import { pause } from '../services/hub/download'
import { MemoryStore } from '../services/hub/store'
import { t } from '../services/hub/messages.en'
import type { Progress } from './engine'
import { error } from './errors'

export interface FetchOptions {
  onProgress: ((progress: Progress) => void) | undefined
  signal: AbortSignal | undefined
}

/** @throws {Failure} */
export async function fromHub(name: string, { onProgress, signal }: FetchOptions): Promise<ModelSource> {
  const address = readAddress(name)
  if (typeof address === 'string') throw error('hub-name', t().misread[address])
  const hub = new HubClient((url, options) => fetch(url, options))
  const stop = signal ?? new AbortController().signal
  const listing = await hub.listing(address, stop)
  const needed = neededFiles(listing.files)
  const store = new MemoryStore()
  const sizes = new Map(needed.map(({ path, size }) => [path, size]))
  const stored = await fetchModel(
    listing,
    needed,
    new Map(),
    { hub, store, locks: undefined, scope: '', wait: pause },
    {
      onBytes: (file, loaded) => onProgress?.({ file, loaded, total: sizes.get(file) ?? 0 }),
      onWait: () => {},
      signal: stop,
    },
  )
  return sourceOf(stored, store)
}
