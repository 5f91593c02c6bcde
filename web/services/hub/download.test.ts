import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { HubClient } from './client'
import { download, partBytes, pause } from './download'
import { bytesOfSeed, FakeDirectory, FakeHub } from '../../testing/fakeHub'
import { readListing } from './listing'
import { FolderStore, MemoryStore, type Store } from './store'

const address = { owner: 'a', name: 'b', revision: 'main' }
const size = 5000

function world(store: Store = new FolderStore(new FakeDirectory().root), bytes = bytesOfSeed(size)) {
  const hub = new FakeHub({ 'model.safetensors': bytes })
  const listing = readListing(hub.listing(), address)
  const [file] = listing.files
  if (!file) throw new Error('the hub lists no file')
  const progress: number[] = []
  const waits: number[] = []
  const abort = new AbortController()
  const run = () =>
    download(listing, file, {
      hub: new HubClient(hub.fetch),
      store,
      onBytes: (_, count) => void progress.push(count),
      wait: async (milliseconds, signal) => {
        waits.push(milliseconds)
        if (signal.aborted) throw new Error('aborted')
      },
      signal: abort.signal,
    })
  const there = async () => Buffer.from(await (await store.open(listing, file.path)).arrayBuffer())
  /** Compared as a whole: these are millions of bytes. */
  const complete = async () => (await there()).equals(bytes)
  const mishaps = (...list: Parameters<typeof hub.faults.set>[1]) => hub.faults.set(file.path, list)
  return { hub, listing, file, bytes, progress, waits, abort, run, there, complete, mishaps, store }
}

const froms = ({ hub }: ReturnType<typeof world>) => hub.requests.map(({ from }) => from)

describe('a file from the hub', () => {
  for (const [kind, make] of [
    ['on the disk', () => new FolderStore(new FakeDirectory().root)],
    ['in memory', () => new MemoryStore()],
  ] as const) {
    it(`comes with its bytes counted, and is not fetched again (${kind})`, async () => {
      const at = world(make())
      await at.run()
      expect(await at.complete()).toBe(true)
      expect(at.progress.at(0)).toBe(0)
      expect(at.progress.at(-1)).toBe(size)
      expect([...at.progress].sort((one, other) => one - other)).toEqual(at.progress)
      await at.run()
      expect(at.hub.requests.map(({ path }) => path)).toEqual([`/a/b/resolve/${at.hub.commit}/model.safetensors`])
    })

    it(`goes on where the connection broke (${kind})`, async () => {
      const at = world(make())
      at.mishaps({ endsAt: 1700 }, 'unreachable', { status: 503 }, { endsAt: 1900 })
      await at.run()
      expect(await at.complete()).toBe(true)
      expect(froms(at)).toEqual([0, 1700, 1700, 1700, 1900])
      expect(at.waits).toEqual([500, 1000, 2000, 4000])
    })
  }

  it('is written in parts, so that a crash loses the last one at most', async () => {
    const bytes = bytesOfSeed(2 * partBytes + 10)
    const disk = new FakeDirectory()
    const at = world(new FolderStore(disk.root), bytes)
    await at.run()
    const [folder] = disk.entries.values()
    expect([...(folder as FakeDirectory).entries.keys()]).toEqual(
      [0, partBytes, 2 * partBytes].map((start) => `model.safetensors~${start}`),
    )
    expect(await at.complete()).toBe(true)
    // The second was never closed.
    ;(folder as FakeDirectory).entries.set(`model.safetensors~${partBytes}`, new Blob())
    expect(await at.store.size(at.listing, 'model.safetensors')).toBe(partBytes)
    await at.run()
    expect(froms(at)).toEqual([0, partBytes])
    expect(await at.complete()).toBe(true)
  })

  it('is given up after some tries that bring nothing, and keeps what has come', async () => {
    const at = world()
    at.mishaps({ endsAt: 3000 }, ...Array.from({ length: 4 }, () => 'unreachable' as const))
    await expect(at.run()).rejects.toMatchObject({ code: 'hub-unreachable', retryable: true })
    expect((await at.there()).equals(at.bytes.subarray(0, 3000))).toBe(true)
    await at.run()
    expect(froms(at).at(-1)).toBe(3000)
    expect(await at.complete()).toBe(true)
  })

  it('is said to break again and again where each try brings little', async () => {
    const at = world()
    at.mishaps(...[1000, 2000, 3000, 4000, 4500].map((endsAt) => ({ endsAt })))
    await expect(at.run()).rejects.toMatchObject({ code: 'hub-interruption', retryable: true })
    expect((await at.there()).length).toBe(4500)
  })

  it('goes on where the server gives no ranges', async () => {
    const at = world()
    at.mishaps({ endsAt: 1700 }, 'no-range')
    await at.run()
    expect(await at.complete()).toBe(true)
  })

  for (const length of [size - 500, size + 500]) {
    it(`of another length than listed (${length} of ${size}) is not kept`, async () => {
      const at = world()
      at.mishaps(...Array.from({ length: 9 }, () => ({ length })))
      await expect(at.run()).rejects.toMatchObject({ code: 'hub-length', retryable: true })
      expect((await at.there()).length).toBe(0)
      at.mishaps()
      await at.run()
      expect(await at.complete()).toBe(true)
    })
  }

  for (const [what, mishaps] of [
    ['at once', [{ wrongAt: 2500 }]],
    ['behind a connection that broke', [{ endsAt: 1700 }, { wrongAt: 2500 }]],
    ['before a connection that broke', [{ wrongAt: 2500, endsAt: 2600 }, 'no-range']],
  ] as const) {
    it(`with one wrong byte that came ${what} is not kept, and comes whole at the next try`, async () => {
      const at = world()
      at.mishaps(...mishaps)
      await expect(at.run()).rejects.toMatchObject({
        code: 'hub-digest',
        retryable: true,
        message: expect.stringMatching(/model\.safetensors.*checksum.*again/),
      })
      expect((await at.there()).length).toBe(0)
      expect(at.progress.at(-1)).toBe(0)
      await at.run()
      expect(await at.complete()).toBe(true)
    })
  }

  it('is checked with what an earlier visit left of it', async () => {
    const at = world()
    at.mishaps({ endsAt: 3000 }, ...Array.from({ length: 4 }, () => 'unreachable' as const))
    await expect(at.run()).rejects.toMatchObject({ code: 'hub-unreachable' })
    const part = new Uint8Array(await at.there())
    part[100] = 1 ^ (part[100] ?? 0)
    await at.store.drop(at.listing, at.file.path)
    await at.store.append(at.listing, at.file.path, 0, [part])
    await expect(at.run()).rejects.toMatchObject({ code: 'hub-digest' })
    await at.run()
    expect(await at.complete()).toBe(true)
  })

  it('is there to its end only once it was checked, in however many parts it came', async () => {
    const at = world(undefined, bytesOfSeed(2 * partBytes))
    at.mishaps({ wrongAt: 10 })
    const longest: number[] = []
    const append = at.store.append.bind(at.store)
    at.store.append = async (...input) => {
      await append(...input)
      longest.push((await at.there()).length)
    }
    await expect(at.run()).rejects.toMatchObject({ code: 'hub-digest' })
    expect(longest).toEqual([partBytes])
  })

  it('of which more is there than it has is begun anew', async () => {
    const at = world()
    await at.store.append(at.listing, at.file.path, 0, [bytesOfSeed(size + 1, 9)])
    await at.run()
    expect(await at.complete()).toBe(true)
  })

  it('can be stopped, and what has come stays', async () => {
    const at = world()
    at.mishaps({ endsAt: 2000 })
    const fetched = at.hub.fetch
    at.hub.fetch = (url, options) => {
      if (at.hub.requests.length === 1) at.abort.abort()
      return fetched(url, options)
    }
    await expect(at.run()).rejects.toMatchObject({ code: 'cancelled' })
    expect((await at.there()).length).toBe(2000)
  })

  it('says that the disk is full, and goes on when there is room', async () => {
    const disk = new FakeDirectory('', { room: partBytes })
    const at = world(new FolderStore(disk.root), bytesOfSeed(2 * partBytes))
    await expect(at.run()).rejects.toMatchObject({ code: 'hub-full', retryable: true })
    expect((await at.there()).length).toBe(partBytes)
    disk.disk.room = Infinity
    await at.run()
    expect(froms(at)).toEqual([0, partBytes])
    expect(await at.complete()).toBe(true)
  })

  it('that is refused is refused in words, at once', async () => {
    const cases: [{ status: number; headers?: Record<string, string> }, string, RegExp][] = [
      [{ status: 401 }, 'hub-gated', /gated.*token.*huggingface\.co\/a\/b/],
      [{ status: 403 }, 'hub-gated', /folder/],
      [{ status: 404 }, 'hub-missing', /model\.safetensors/],
      [{ status: 429, headers: { 'retry-after': '30' } }, 'hub-busy', /30 seconds/],
      [{ status: 429, headers: { 'retry-after': '600' } }, 'hub-busy', /10 minutes/],
      [{ status: 429 }, 'hub-busy', /few minutes/],
    ]
    for (const [mishap, code, words] of cases) {
      const at = world()
      at.mishaps(mishap)
      await expect(at.run()).rejects.toMatchObject({ code, message: expect.stringMatching(words) })
      expect(at.hub.requests.length).toBe(1)
    }
  })
})

describe('a model on the hub', () => {
  const ask = (status: number, headers: Record<string, string> = {}) => {
    const hub = new FakeHub({})
    hub.faults.set('api', [{ status, headers }])
    const requests = new HubClient(hub.fetch).listing(
      { ...address, revision: 'refs/pr/1' },
      new AbortController().signal,
    )
    return { hub, requests }
  }

  it('is asked for by its revision', async () => {
    const hub = new FakeHub({ 'config.json': bytesOfSeed(3) })
    const listing = await new HubClient(hub.fetch).listing(
      { ...address, revision: 'refs/pr/1' },
      new AbortController().signal,
    )
    expect(listing).toMatchObject({ commit: hub.commit, revision: 'refs/pr/1', licence: 'mit', gated: false })
    expect(hub.requests).toEqual([{ path: '/api/models/a/b/revision/refs/pr/1', from: 0 }])
  })

  it('that is not there, private, gated or asked for too often is said to be so', async () => {
    await expect(ask(404).requests).rejects.toMatchObject({ code: 'hub-missing', retryable: false })
    await expect(ask(401, { 'x-error-code': 'RepoNotFound' }).requests).rejects.toMatchObject({ code: 'hub-missing' })
    await expect(ask(404, { 'x-error-code': 'RevisionNotFound' }).requests).rejects.toMatchObject({
      code: 'hub-missing',
      message: expect.stringContaining('refs/pr/1'),
    })
    await expect(ask(401, { 'x-error-code': 'GatedRepo' }).requests).rejects.toMatchObject({ code: 'hub-gated' })
    await expect(ask(429).requests).rejects.toMatchObject({ code: 'hub-busy', retryable: true })
    await expect(ask(500).requests).rejects.toMatchObject({ code: 'hub-failed', retryable: true })
  })

  it('is asked for without anything that tells who asks', async () => {
    let options: RequestInit = {}
    const hub = new FakeHub({})
    const client = new HubClient((url, input) => ((options = input), hub.fetch(url, input)))
    await client.listing(address, new AbortController().signal)
    expect(options).toMatchObject({ credentials: 'omit', referrerPolicy: 'no-referrer' })
    expect(options.headers).toBeUndefined()
  })
})

it('a pause that is over leaves nothing at its signal', async () => {
  const stop = new AbortController()
  await pause(0, stop.signal)
  expect(getEventListeners(stop.signal, 'abort')).toEqual([])
})

it('a pause ends with its signal, and does not begin behind it', async () => {
  const stop = new AbortController()
  const waiting = pause(1e9, stop.signal)
  stop.abort()
  await expect(waiting).rejects.toBe(stop.signal.reason)
  await expect(pause(1e9, stop.signal)).rejects.toBe(stop.signal.reason)
})
