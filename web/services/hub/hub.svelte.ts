// Models of the hub: the one on the page, its description and download, and the stored ones. Only `describe` and `fetch` contact the hub, and
// only a click calls them.
import { configName } from '../../engine/protocol/folder'
import { failure, isFailure, textOf } from '../../engine/protocol/failure'
import type { Failure, ModelSource } from '../../engine/protocol/protocol'
import { pageOf, readAddress, writeAddress, type HubAddress } from './address'
import { HubClient, type Fetch } from './client'
import { families, isSupported, readModelKind, type ModelKind } from './families'
import { bytesThere, fetchModel, removeModel, sourceOf, type Locks } from './keep'
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
  /** Stored bytes. */
  there: number
}

export type Stage =
  | { kind: 'none' }
  /** The hub was not contacted. */
  | { kind: 'named'; address: HubAddress }
  | { kind: 'asking'; address: HubAddress }
  | { kind: 'described'; address: HubAddress; of: ModelDescription }
  | { kind: 'fetching'; address: HubAddress; of: ModelDescription; waiting: boolean }
  /** `of`: set where the download failed, which can be resumed. */
  | { kind: 'failed'; address: HubAddress; of: ModelDescription | undefined; why: Failure }

export interface StoredModel {
  keeping: ModelRecord
  /** Of its config.json, once that is stored. */
  facts: ModelFacts
  /** Whether the browser can read its files. */
  isReadable: boolean
  there: number
  all: number
}

/** The parts of the browser that it uses. */
export interface Surroundings {
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
  readonly #in: Surroundings
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

  constructor(surroundings: Surroundings, opened: (source: ModelSource) => void) {
    this.#in = surroundings
    this.#client = new HubClient(surroundings.fetch)
    this.#onOpen = opened
    if (surroundings.channel) surroundings.channel.onmessage = () => void this.refresh()
  }

  /** Why a stored model could not be opened or deleted; empty where nothing failed. */
  get trouble(): string {
    return this.#error === undefined ? '' : textOf(this.#error)
  }

  get lasting(): boolean {
    return this.#in.store.lasting
  }

  /** The stored model of a link; else its address, about which the page asks; undefined for an invalid name. */
  async follow(link: string): Promise<ModelSource | HubAddress | undefined> {
    const address = readAddress(link.slice(hubPrefix.length))
    if (typeof address === 'string') return undefined
    const stored = await this.find(address)
    if (stored) return sourceOf(stored, this.#in.store)
    this.name(address)
    return address
  }

  /** The complete stored model of this address: of the commit, or of the revision when it was fetched. */
  async find({ owner, name, revision }: HubAddress): Promise<ModelRecord | undefined> {
    await this.refresh()
    const found = this.stored?.find(
      ({ keeping, there, all }) =>
        keeping.owner === owner &&
        keeping.name === name &&
        (keeping.commit === revision || keeping[revisions].includes(revision)) &&
        there === all,
    )
    return found?.keeping
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
    const at = (this.#abort = new AbortController())
    this.stage = { kind: 'asking', address }
    try {
      const listing = await this.#client.listing(address, at.signal)
      const of = await this.#describe(listing, at.signal)
      this.room = await this.#in.room().catch(() => undefined)
      if (this.#abort === at) this.stage = { kind: 'described', address, of }
    } catch (error) {
      this.#fail(at, address, undefined, error)
    }
  }

  /** Fetches the missing files of the described model, and opens it. */
  async fetch(): Promise<void> {
    const { stage } = this
    const of = stage.kind === 'described' || stage.kind === 'failed' ? stage.of : undefined
    if (stage.kind === 'none' || !of || of.refusal) return
    const { address } = stage
    const at = (this.#abort = new AbortController())
    const { signal } = at
    const moved = (waiting: boolean) => {
      if (this.#abort === at) this.stage = { kind: 'fetching', address, of, waiting }
    }
    moved(false)
    this.progress = new Map()
    await this.#persist()
    const onBytes = (path: string, bytes: number) => {
      const size = of.needed.find((file) => file.path === path)?.size ?? 0
      const moves = Math.abs(bytes - (this.progress.get(path) ?? -Infinity))
      if (this.#abort !== at || (bytes !== size && moves < size / steps)) return
      if (this.stage.kind === 'fetching' && this.stage.waiting) moved(false)
      this.progress = new Map(this.progress).set(path, bytes)
    }
    try {
      const watching = { onBytes, waiting: () => moved(true), signal }
      const world = { ...this.#in, hub: this.#client }
      const keeping = await fetchModel(of.listing, of.needed, of.texts, world, watching)
      const source = await sourceOf(keeping, this.#in.store)
      this.#changed()
      if (this.#abort !== at) return
      this.stage = { kind: 'none' }
      this.#onOpen(source)
    } catch (error) {
      const there = await bytesThere({ ...of.listing, needed: of.needed }, this.#in.store).catch(() => of.there)
      this.#changed()
      this.#fail(at, address, { ...of, there }, error)
    }
  }

  /** Fetches its description and then the model at one click, unless it is refused or has no room. */
  async take(address: HubAddress): Promise<void> {
    await this.describe(address)
    const { stage, room } = this
    if (stage.kind !== 'described' || stage.address !== address) return
    const { needed, there } = stage.of
    if (room === undefined || bytesOf(needed) - there <= room) await this.fetch()
  }

  /** What has arrived stays. */
  cancel(): void {
    this.#abort?.abort()
  }

  async open({ keeping }: StoredModel): Promise<void> {
    this.#error = undefined
    try {
      const source = await sourceOf(keeping, this.#in.store)
      this.forget()
      this.#onOpen(source)
    } catch (error) {
      this.#error = error
      this.#changed()
    }
  }

  /** Resumes a download, by its stored listing. */
  async resume({ keeping, there }: StoredModel): Promise<void> {
    this.#stop()
    const of = {
      listing: keeping,
      needed: keeping.needed,
      modelKind: undefined,
      refusal: undefined,
      texts: new Map(),
      there,
    }
    this.stage = { kind: 'described', address: keeping, of }
    await this.fetch()
  }

  async remove({ keeping }: StoredModel): Promise<void> {
    this.#error = undefined
    try {
      await removeModel(keeping, this.#in)
    } catch (error) {
      this.#error = error
    }
    this.#changed()
  }

  /** Reads the store. */
  async refresh(): Promise<void> {
    const { store } = this.#in
    const all = await store.all().catch(() => [])
    const stored = all.map(async (keeping): Promise<StoredModel> => {
      const unreadable = () => undefined
      const facts = await this.#facts(keeping).catch(unreadable)
      const there = await bytesThere(keeping, store).catch(unreadable)
      return {
        keeping,
        facts: facts ?? unknownFacts,
        isReadable: facts !== undefined && there !== undefined,
        there: there ?? 0,
        all: bytesOf(keeping.needed),
      }
    })
    this.stored = await Promise.all(stored)
  }

  /** @throws where the browser has the config.json and cannot read it */
  async #facts(keeping: ModelRecord): Promise<ModelFacts> {
    const config = keeping.needed.find(({ path }) => path === configName)
    const file = config && (await this.#in.store.open(keeping, configName))
    if (!file || file.size !== config.size) return unknownFacts
    return readFacts(await file.text())
  }

  async #describe(listing: Listing, signal: AbortSignal): Promise<ModelDescription> {
    const nothing = { listing, modelKind: undefined, texts: new Map<string, Uint8Array<ArrayBuffer>>(), there: 0 }
    const refuse = (refusal: Failure, modelKind?: ModelKind): ModelDescription => ({
      ...nothing,
      needed: [],
      modelKind,
      refusal,
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
    const there = await bytesThere({ ...listing, needed }, this.#in.store).catch(() => 0)
    return { listing, needed, modelKind, refusal: undefined, texts: new Map([[configName, config]]), there }
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
    const { storage, persist } = this.#in
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
    this.#in.channel?.postMessage('changed')
  }

  #stop(): void {
    this.#abort?.abort()
    this.#abort = undefined
  }

  #fail(at: AbortController, address: HubAddress, of: ModelDescription | undefined, error: unknown): void {
    if (this.#abort !== at) return
    this.#abort = undefined
    const why = isFailure(error) ? withMessage(error) : failure('hub-failed', textOf(error), true)
    if (why.code !== 'cancelled') this.stage = { kind: 'failed', address, of, why }
    else this.stage = of ? { kind: 'described', address, of } : { kind: 'named', address }
  }
}

const gatedWords = (listing: Listing) => t().failures.gated(writeAddress(listing), pageOf(listing))

/** Of this page. Calls `opened` with every model to load. */
export async function createHub(opened: (source: ModelSource) => void): Promise<Hub> {
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
    opened,
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
