import { describe, expect, it, vi } from 'vitest'
import { HubClient } from './client'
import { bytesOfSeed, FakeDirectory, FakeHub } from '../../testing/fakeHub'
import { storedBytesOf, fetchModel, removeModel, sourceOf, type Locks } from './modelFiles'
import { readListing, neededFiles } from './listing'
import { FolderStore, MemoryStore, type Store } from './store'

const address = { owner: 'a', name: 'b', revision: 'main' }

/** The locks of one browser: as many tabs as like share them. */
class FakeLocks {
  readonly #locks = new Map<string, Promise<unknown>>()

  request = async (name: string, ...rest: unknown[]): Promise<unknown> => {
    const work = rest.at(-1) as (lock: object | null) => unknown
    const { ifAvailable, signal } = rest.length > 1 ? (rest[0] as LockOptions) : ({} as LockOptions)
    const before = this.#locks.get(name)
    if (before && ifAvailable) return work(null)
    if (before) {
      const aborted = new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
      )
      await Promise.race([before.catch(() => {}), aborted])
    }
    return this.#hold(name, work)
  }

  async #hold(name: string, work: (lock: object | null) => unknown): Promise<unknown> {
    const locks = Promise.resolve(work({ name }))
    this.#locks.set(name, locks)
    try {
      return await locks
    } finally {
      if (this.#locks.get(name) === locks) this.#locks.delete(name)
    }
  }
}

/** Tabs of one browser with one hub. */
function browser(store: Store = new FolderStore(new FakeDirectory().root)) {
  const files = {
    'config.json': bytesOfSeed(40, 2),
    'vocab.txt': bytesOfSeed(300, 3),
    'model.safetensors': bytesOfSeed(9000),
  }
  const hub = new FakeHub(files)
  const listing = readListing(hub.listing(), address)
  const world = {
    hub: new HubClient(hub.fetch),
    store,
    locks: new FakeLocks() as unknown as Locks,
    scope: '/',
    wait: () => Promise.resolve(),
  }
  const tab = (signal = new AbortController().signal, over: Partial<typeof world> = {}) => {
    const onWait = vi.fn()
    const progress = new Map<string, number>()
    const done = fetchModel(
      listing,
      neededFiles(listing.files),
      new Map(),
      { ...world, ...over },
      { onBytes: (path, bytes) => void progress.set(path, bytes), onWait, signal },
    )
    return { done, onWait, progress }
  }
  const requests = () => hub.requests.map(({ path }) => path.split('/').at(-1))
  return { files, hub, listing, world, tab, requests, store }
}

describe('a model from the hub', () => {
  for (const [kind, make] of [
    ['on the disk', () => new FolderStore(new FakeDirectory().root)],
    ['in memory', () => new MemoryStore()],
  ] as const) {
    it(`is kept by its commit, and opens from there (${kind})`, async () => {
      const at = browser(make())
      const record = await at.tab().done
      expect(at.requests()).toEqual(['config.json', 'vocab.txt', 'model.safetensors'])
      expect(await at.store.all()).toEqual([record])
      expect(record).toMatchObject({ commit: at.hub.commit, ['asked']: ['main'], licence: 'mit' })
      expect(await storedBytesOf(record, at.store)).toBe(9340)
      const source = await sourceOf(record, at.store)
      expect(source).toMatchObject({ kind: 'hub', name: 'a/b', revision: at.hub.commit })
      for (const { path, file } of source.files) {
        expect(new Uint8Array(await file.arrayBuffer())).toEqual(at.files[path as keyof typeof at.files])
      }
      await removeModel(record, at.world)
      expect(await at.store.all()).toEqual([])
      expect(await storedBytesOf(record, at.store)).toBe(0)
    })
  }

  it('is fetched once where two tabs want it', async () => {
    const at = browser()
    const one = at.tab()
    const other = at.tab()
    const [first, second] = await Promise.all([one.done, other.done])
    expect(at.requests()).toEqual(['config.json', 'vocab.txt', 'model.safetensors'])
    expect(second).toEqual(first)
    expect([one.onWait.mock.calls.length, other.onWait.mock.calls.length]).toEqual([0, 1])
    expect(other.progress.get('model.safetensors')).toBe(9000)
  })

  it('is gone on with by the tab that waited where the first one stops', async () => {
    const at = browser()
    const abort = new AbortController()
    at.hub.faults.set('model.safetensors', [{ endsAt: 4000 }])
    const wait = () => (abort.abort(), Promise.resolve())
    const one = at.tab(abort.signal, { wait })
    const other = at.tab()
    await expect(one.done).rejects.toMatchObject({ code: 'cancelled' })
    await other.done
    expect(at.hub.requests.map(({ from }) => from)).toEqual([0, 0, 0, 4000])
  })

  it('that another tab is fetching is neither waited for after a stop nor deleted', async () => {
    const at = browser()
    const abort = new AbortController()
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    at.hub.faults.set('model.safetensors', ['unreachable'])
    const one = at.tab(undefined, { wait: () => released })
    const other = at.tab(abort.signal)
    await vi.waitFor(() => expect(other.onWait).toHaveBeenCalled())
    abort.abort()
    await expect(other.done).rejects.toMatchObject({ code: 'cancelled' })
    await expect(removeModel(at.listing, at.world)).rejects.toMatchObject({ code: 'hub-fetching' })
    release()
    await one.done
    expect(await at.store.all()).toHaveLength(1)
  })

  it('does without locks where the browser has none', async () => {
    const at = browser()
    await at.tab(undefined, { locks: undefined as unknown as Locks }).done
    expect(await at.store.all()).toHaveLength(1)
    await removeModel(at.listing, { ...at.world, locks: undefined })
    expect(await at.store.all()).toEqual([])
  })

  it('takes what came with its description, and remembers every revision that it was asked for by', async () => {
    const at = browser()
    const texts = new Map([['config.json', at.files['config.json']]])
    const watching = { onBytes: () => {}, onWait: () => {}, signal: new AbortController().signal }
    await fetchModel(at.listing, neededFiles(at.listing.files), texts, at.world, watching)
    const again = { ...at.listing, revision: 'refs/pr/1' }
    const record = await fetchModel(again, neededFiles(again.files), new Map(), at.world, watching)
    expect(at.requests()).toEqual(['vocab.txt', 'model.safetensors'])
    expect(record.asked).toEqual(['main', 'refs/pr/1'])
  })

  it('does not take what came with its description where the hub lists other bytes', async () => {
    const at = browser()
    const texts = new Map([['config.json', bytesOfSeed(40, 9)]])
    const watching = { onBytes: () => {}, onWait: () => {}, signal: new AbortController().signal }
    const record = await fetchModel(at.listing, neededFiles(at.listing.files), texts, at.world, watching)
    const config = await at.store.open(record, 'config.json')
    expect(new Uint8Array(await config.arrayBuffer())).toEqual(at.files['config.json'])
  })

  it('of two commits are two', async () => {
    const at = browser()
    const { done } = at.tab()
    await done
    const later = { ...at.listing, commit: 'f'.repeat(40) }
    const watching = { onBytes: () => {}, onWait: () => {}, signal: new AbortController().signal }
    await fetchModel(later, neededFiles(later.files), new Map(), at.world, watching)
    expect((await at.store.all()).map(({ commit }) => commit)).toEqual([at.hub.commit, later.commit])
    expect(at.requests()).toHaveLength(6)
  })

  it('is not listed where its record cannot be read', async () => {
    const disk = new FakeDirectory()
    const at = browser(new FolderStore(disk.root))
    await at.tab().done
    const [folder] = disk.entries.values()
    ;(folder as FakeDirectory).entries.set('model.json', new Blob(['{"owner":']))
    expect(await at.store.all()).toEqual([])
  })
})
