// Models of the hub: the one on the page, its description and download, and the stored ones. Only `describe` and `fetch` contact the hub, and
// only a click calls them.
import { configName } from '../../engine/protocol/folder'
import { failure, isFailure, textOf } from '../../engine/protocol/failure'
import type { Failure, ModelSource } from '../../engine/protocol/protocol'
import { pageOf, readAddress, writeAddress, type HubAddress } from './address'
import { HubClient, type Fetch } from './client'
import { families, isSupported, readModelKind, type ModelKind } from './families'
import { storedBytesOf, fetchModel, removeModel, sourceOf, type Locks } from './modelFiles'
import { type HubFile, type Listing, bytesOf, neededFiles } from './listing'
import { pause } from './download'
import { readFacts, unknownFacts, type ModelFacts } from '../modelFacts'
import { revisions, FolderStore, MemoryStore, type Directory, type ModelRecord, type Store } from './store'
import { withMessage } from '../../engine/client/words'
import { t } from './messages.en'
import { hubPrefix } from '../../viewstate/codec'

export interface ModelDescription {
  listing: Listing
  needed: readonly HubFile[]
  modelKind: ModelKind | undefined
  /** Why it cannot be opened. */
  refusal: Failure | undefined
  /** Small files that were fetched for the description. */
  texts: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
  storedBytes: number
}

export type Stage =
  | { kind: 'none' }
  /** The hub was not contacted. */
  | { kind: 'named'; address: HubAddress }
  | { kind: 'describing'; address: HubAddress }
  | { kind: 'described'; address: HubAddress; description: ModelDescription }
  | { kind: 'fetching'; address: HubAddress; description: ModelDescription; waiting: boolean }
  /** `description`: set where the download failed, which can be resumed. */
  | { kind: 'failed'; address: HubAddress; description: ModelDescription | undefined; failure: Failure }

export interface StoredModel {
  record: ModelRecord
  /** Of its config.json, once that is stored. */
  facts: ModelFacts
  /** Whether the browser can read its files. */
  isReadable: boolean
  storedBytes: number
  totalBytes: number
}

/** The parts of the browser that the hub uses. */
export interface HubBrowser {
  fetch: Fetch
  store: Store
  locks: Locks | undefined
  /** Names the site among those of the origin. */
  scope: string
  storage: Pick<Storage, 'getItem' | 'setItem'>
  /** Undefined in a browser without a storage manager. */
  persist: (() => Promise<unknown>) | undefined
  /** Free bytes, where the browser reports them. */
  room: () => Promise<number | undefined>
  /** To other tabs. */
  channel: Pick<BroadcastChannel, 'postMessage' | 'onmessage'> | undefined
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Bytes of a config.json; a larger one is not read. */
const largestConfig = 1 << 20
const persistKey = 'ropescope.persist'

/** Progress of a file is reported in at most so many steps. */
const steps = 200

export class Hub {
  readonly #browser: HubBrowser
  readonly #client: HubClient
  readonly #onOpen: (source: ModelSource) => void
  stage: Stage = $state.raw({ kind: 'none' })
  /** Stored bytes of each file of the download. */
  progress: ReadonlyMap<string, number> = $state.raw(new Map())
  /** Undefined before the store was read. */
  stored: readonly StoredModel[] | undefined = $state.raw()
  #error: unknown = $state.raw()
  /** Free bytes; undefined: unknown. */
  room: number | undefined = $state()
  #abort: AbortController | undefined

  constructor(browser: HubBrowser, onOpen: (source: ModelSource) => void) {
    this.#browser = browser
    this.#client = new HubClient(browser.fetch)
    this.#onOpen = onOpen
    if (browser.channel) browser.channel.onmessage = () => void this.refresh()
  }

  /** Why a stored model could not be opened or deleted; empty where nothing failed. */
  get errorText(): string {
    return this.#error === undefined ? '' : textOf(this.#error)
  }

  get isPersistent(): boolean {
    return this.#browser.store.isPersistent
  }

  /** The stored model of a link; else its address, about which the page asks; undefined for an invalid name. */
  async follow(link: string): Promise<ModelSource | HubAddress | undefined> {
    const address = readAddress(link.slice(hubPrefix.length))
    if (typeof address === 'string') return undefined
    const stored = await this.find(address)
    if (stored) return sourceOf(stored, this.#browser.store)
    this.name(address)
    return address
  }

  /** The complete stored model of this address: of the commit, or of the revision when it was fetched. */
  async find({ owner, name, revision }: HubAddress): Promise<ModelRecord | undefined> {
    await this.refresh()
    const found = this.stored?.find(
      ({ record, storedBytes, totalBytes }) =>
        record.owner === owner &&
        record.name === name &&
        (record.commit === revision || record[revisions].includes(revision)) &&
        storedBytes === totalBytes,
    )
    return found?.record
  }

  /** Shows the question whether to contact the hub about a model. */
  name(address: HubAddress): void {
    if (this.stage.kind === 'fetching' && writeAddress(this.stage.address) === writeAddress(address)) return
    this.#stop()
    this.stage = { kind: 'named', address }
  }

  forget(): void {
    this.#stop()
    this.stage = { kind: 'none' }
  }

  /** Fetches the listing and config.json from the hub. */
  async describe(address: HubAddress): Promise<void> {
    this.#stop()
    const abort = (this.#abort = new AbortController())
    this.stage = { kind: 'describing', address }
    try {
      const listing = await this.#client.listing(address, abort.signal)
      const description = await this.#describe(listing, abort.signal)
      this.room = await this.#browser.room().catch(() => undefined)
      if (this.#abort === abort) this.stage = { kind: 'described', address, description }
    } catch (error) {
      this.#fail(abort, address, undefined, error)
    }
  }

  /** Fetches the missing files of the described model, and opens it. */
  async fetch(): Promise<void> {
    const { stage } = this
    const description = stage.kind === 'described' || stage.kind === 'failed' ? stage.description : undefined
    if (stage.kind === 'none' || !description || description.refusal) return
    const { address } = stage
    const { listing, needed, texts } = description
    const abort = (this.#abort = new AbortController())
    const { signal } = abort
    const showFetching = (waiting: boolean) => {
      if (this.#abort === abort) this.stage = { kind: 'fetching', address, description, waiting }
    }
    showFetching(false)
    this.progress = new Map()
    await this.#persist()
    const onBytes = (path: string, bytes: number) => {
      const size = needed.find((file) => file.path === path)?.size ?? 0
      const change = Math.abs(bytes - (this.progress.get(path) ?? -Infinity))
      if (this.#abort !== abort || (bytes !== size && change < size / steps)) return
      if (this.stage.kind === 'fetching' && this.stage.waiting) showFetching(false)
      this.progress = new Map(this.progress).set(path, bytes)
    }
    try {
      const context = { ...this.#browser, hub: this.#client }
      const options = { onBytes, onWait: () => showFetching(true), signal }
      const record = await fetchModel(listing, needed, texts, context, options)
      const source = await sourceOf(record, this.#browser.store)
      this.#changed()
      if (this.#abort !== abort) return
      this.stage = { kind: 'none' }
      this.#onOpen(source)
    } catch (error) {
      const storedBytes = await storedBytesOf({ ...listing, needed }, this.#browser.store).catch(
        () => description.storedBytes,
      )
      this.#changed()
      this.#fail(abort, address, { ...description, storedBytes }, error)
    }
  }

  /** Fetches the description and then the model at one click, unless it is refused or there is no room. */
  async describeAndFetch(address: HubAddress): Promise<void> {
    await this.describe(address)
    const { stage, room } = this
    if (stage.kind !== 'described' || stage.address !== address) return
    const { needed, storedBytes } = stage.description
    if (room === undefined || bytesOf(needed) - storedBytes <= room) await this.fetch()
  }

  /** Ends the download. The bytes that have arrived stay. */
  cancel(): void {
    this.#abort?.abort()
  }

  async open({ record }: StoredModel): Promise<void> {
    this.#error = undefined
    try {
      const source = await sourceOf(record, this.#browser.store)
      this.forget()
      this.#onOpen(source)
    } catch (error) {
      this.#error = error
      this.#changed()
    }
  }

  /** Resumes a download, by its stored listing. */
  async resume({ record, storedBytes }: StoredModel): Promise<void> {
    this.#stop()
    const description = {
      listing: record,
      needed: record.needed,
      modelKind: undefined,
      refusal: undefined,
      texts: new Map(),
      storedBytes,
    }
    this.stage = { kind: 'described', address: record, description }
    await this.fetch()
  }

  async remove({ record }: StoredModel): Promise<void> {
    this.#error = undefined
    try {
      await removeModel(record, this.#browser)
    } catch (error) {
      this.#error = error
    }
    this.#changed()
  }

  /** Reads the store. */
  async refresh(): Promise<void> {
    const { store } = this.#browser
    const all = await store.all().catch(() => [])
    const stored = all.map(async (record): Promise<StoredModel> => {
      const facts = await this.#facts(record).catch(() => undefined)
      const storedBytes = await storedBytesOf(record, store).catch(() => undefined)
      return {
        record,
        facts: facts ?? unknownFacts,
        isReadable: facts !== undefined && storedBytes !== undefined,
        storedBytes: storedBytes ?? 0,
        totalBytes: bytesOf(record.needed),
      }
    })
    this.stored = await Promise.all(stored)
  }

  /** @throws where the browser has the config.json and cannot read it */
  async #facts(record: ModelRecord): Promise<ModelFacts> {
    const config = record.needed.find(({ path }) => path === configName)
    const file = config && (await this.#browser.store.open(record, configName))
    if (!file || file.size !== config.size) return unknownFacts
    return readFacts(await file.text())
  }

  async #describe(listing: Listing, signal: AbortSignal): Promise<ModelDescription> {
    const refuse = (refusal: Failure, modelKind?: ModelKind): ModelDescription => ({
      listing,
      needed: [],
      modelKind,
      refusal,
      texts: new Map(),
      storedBytes: 0,
    })
    if (listing.gated) return refuse(failure('hub-gated', () => gatedWords(listing)))
    let needed: readonly HubFile[]
    try {
      needed = neededFiles(listing.files)
    } catch (error) {
      if (!isFailure(error)) throw error
      return refuse(withMessage(error))
    }
    const config = await this.#config(listing, needed, signal)
    const modelKind = config && readModelKind(new TextDecoder().decode(config))
    if (!config || !modelKind) return refuse(failure('config', () => t().noConfig))
    if (!isSupported(modelKind)) {
      const { modelType, classes } = modelKind
      return refuse(
        failure('unsupported', () => t().notRead(t().kind(modelType, classes), Object.keys(families))),
        modelKind,
      )
    }
    const texts = new Map([[configName, config]])
    const storedBytes = await storedBytesOf({ ...listing, needed }, this.#browser.store).catch(() => 0)
    return { listing, needed, modelKind, refusal: undefined, texts, storedBytes }
  }

  async #config(
    listing: Listing,
    needed: readonly HubFile[],
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const file = needed.find(({ path }) => path === configName)
    if (!file || file.size > largestConfig) return undefined
    const response = await this.#client.file(listing, configName, 0, signal)
    return new Uint8Array(await response.arrayBuffer())
  }

  /** Asks the browser once: a second request would not change its answer. */
  async #persist(): Promise<void> {
    const { storage, persist } = this.#browser
    try {
      if (storage.getItem(persistKey) !== null) return
      storage.setItem(persistKey, 'asked')
    } catch {
      // A browser without local storage stores no models.
      return
    }
    await persist?.().catch(() => {})
  }

  #changed(): void {
    void this.refresh()
    this.#browser.channel?.postMessage('changed')
  }

  #stop(): void {
    this.#abort?.abort()
    this.#abort = undefined
  }

  #fail(abort: AbortController, address: HubAddress, description: ModelDescription | undefined, error: unknown): void {
    if (this.#abort !== abort) return
    this.#abort = undefined
    const reason = isFailure(error) ? withMessage(error) : failure('hub-failed', textOf(error), true)
    if (reason.code !== 'cancelled') this.stage = { kind: 'failed', address, description, failure: reason }
    else this.stage = description ? { kind: 'described', address, description } : { kind: 'named', address }
  }
}

const gatedWords = (listing: Listing) => t().failures.gated(writeAddress(listing), pageOf(listing))

/** The hub of this page. Calls `onOpen` with every model to load. */
export async function createHub(onOpen: (source: ModelSource) => void): Promise<Hub> {
  const scope = new URL('.', document.baseURI).pathname
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(`ropescope ${scope} hub`) : undefined
  return new Hub(
    {
      fetch: (url, options) => fetch(url, options),
      store: await createStore(scope),
      // Undefined on an insecure address.
      locks: navigator.locks as Locks | undefined,
      scope,
      get storage() {
        return localStorage
      },
      persist: navigator.storage?.persist?.bind(navigator.storage),
      async room() {
        const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {}
        return quota === undefined ? undefined : Math.max(0, quota - (usage ?? 0))
      },
      channel,
      wait: pause,
    },
    onOpen,
  )
}

/** Private windows may have no file system, and older browsers one without writing. */
async function createStore(scope: string): Promise<Store> {
  const writable = 'FileSystemFileHandle' in globalThis && 'createWritable' in FileSystemFileHandle.prototype
  const root = writable ? await navigator.storage?.getDirectory?.().catch(() => undefined) : undefined
  if (!root) return new MemoryStore()
  const name = `ropescope ${encodeURIComponent(scope)} hub`
  return new FolderStore(async () => (await root.getDirectoryHandle(name, { create: true })) as Directory)
}
