import { flushSync } from 'svelte'
import { describe, expect, it, vi } from 'vitest'
import type { ModelSource } from '../../engine/protocol/protocol'
import { bytesOfSeed, FakeDirectory, FakeHub } from '../../testing/fakeHub'
import { FolderStore, MemoryStore, type ModelCommit, type Store } from './store'
import { Hub } from './hub.svelte'

const encoded = (text: string) => new TextEncoder().encode(text)
const address = { owner: 'a', name: 'b', revision: 'main' }

/** A visit to the page in one browser. */
function visit(
  over: {
    store?: Store
    config?: object
    storage?: Map<string, string>
    hub?: FakeHub
    wait?: () => Promise<void>
  } = {},
) {
  const config = encoded(JSON.stringify(over.config ?? { model_type: 'llama', architectures: ['LlamaForCausalLM'] }))
  const hub =
    over.hub ??
    new FakeHub({ 'config.json': config, 'vocab.txt': bytesOfSeed(30), 'model.safetensors': bytesOfSeed(5000) })
  const store = over.store ?? new FolderStore(new FakeDirectory().root)
  const stored = over.storage ?? new Map<string, string>()
  const opened: ModelSource[] = []
  const persist = vi.fn(() => Promise.resolve(true))
  const channel = { postMessage: vi.fn(), onmessage: null }
  const state = new Hub(
    {
      fetch: hub.fetch,
      store,
      locks: undefined,
      scope: '/',
      storage: { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => void stored.set(key, value) },
      persist,
      room: () => Promise.resolve(4000),
      channel,
      wait: over.wait ?? (() => Promise.resolve()),
    },
    (source) => void opened.push(source),
  )
  const requests = () => hub.requests.map(({ path }) => path.split('/').at(-1))
  return { state, hub, store, stored, opened, persist, channel, requests }
}

describe('a model of the hub', () => {
  it('is named, looked up and fetched, each at a call of its own', async () => {
    const at = visit()
    expect(await at.state.follow('hub:a/b')).toEqual(address)
    expect(at.state.stage).toEqual({ kind: 'named', address })
    expect(at.requests()).toEqual([])
    await at.state.describe(address)
    expect(at.state.stage).toMatchObject({ kind: 'described', description: { refusal: undefined, storedBytes: 0 } })
    expect(at.requests()).toEqual(['main', 'config.json'])
    expect(at.state.room).toBe(4000)
    await at.state.fetch()
    flushSync()
    expect(at.requests()).toEqual(['main', 'config.json', 'vocab.txt', 'model.safetensors'])
    expect(at.state.stage.kind).toBe('none')
    expect(at.opened).toMatchObject([{ kind: 'hub', name: 'a/b', revision: at.hub.commit }])
    expect(at.channel.postMessage).toHaveBeenCalled()
  })

  it('that is kept is followed without a question, by revision or by commit', async () => {
    const at = visit()
    await at.state.describe(address)
    await at.state.fetch()
    const later = visit({ store: at.store })
    for (const link of ['hub:a/b', `hub:a/b@${at.hub.commit}`]) {
      expect(await later.state.follow(link)).toMatchObject({ kind: 'hub', revision: at.hub.commit })
    }
    expect(await later.state.follow('hub:a/b@other')).toMatchObject({ revision: 'other' })
    expect(await later.state.follow('hub:a b')).toBeUndefined()
    expect(later.requests()).toEqual([])
  })

  it('that is kept and was deleted by another tab is said to be gone, and what is asked about stays', async () => {
    const at = visit()
    await at.state.describe(address)
    await at.state.fetch()
    await at.state.refresh()
    const [stored] = at.state.stored ?? []
    if (!stored) throw new Error('nothing is kept')
    at.state.name({ ...address, name: 'c' })
    await at.store.remove(stored.record)
    await at.state.open(stored)
    expect(at.opened).toHaveLength(1)
    expect(at.state.errorText).toMatch(/config\.json is no longer on this machine.*Fetch/)
    expect(at.state.stage).toMatchObject({ kind: 'named', address: { name: 'c' } })
    await vi.waitFor(() => expect(at.state.stored).toEqual([]))
  })

  it('whose config.json cannot be read is named, and the others stay', async () => {
    const at = visit()
    await at.state.describe(address)
    await at.state.fetch()
    const other = visit({ store: at.store, config: { model_type: 'mistral', architectures: ['MistralForCausalLM'] } })
    await other.state.describe({ ...address, name: 'c' })
    await other.state.fetch()
    const { open } = at.store
    at.store.open = async (place, path) => {
      const file = await open.call(at.store, place, path)
      const isBad = 'name' in place && place.name === 'b' && path === 'config.json'
      return isBad
        ? Object.assign(file, { text: () => Promise.reject(new DOMException('', 'NotReadableError')) })
        : file
    }
    await at.state.refresh()
    const found = at.state.stored?.map(({ record, facts, isReadable }) => [record.name, facts.family, isReadable])
    expect(found?.sort()).toEqual([
      ['b', undefined, false],
      ['c', 'mistral', true],
    ])
  })

  it.each(['open', 'size'] as const)(
    'whose files the browser refuses (%s) is named, and the others stay',
    async (method) => {
      const at = visit()
      await at.state.describe(address)
      await at.state.fetch()
      const other = visit({ store: at.store })
      await other.state.describe({ ...address, name: 'c' })
      await other.state.fetch()
      const { open, size } = at.store
      const refused = ({ name }: ModelCommit) =>
        name === 'b' ? Promise.reject(new DOMException('', 'NotReadableError')) : Promise.resolve()
      if (method === 'open') at.store.open = async (...of) => (await refused(of[0]), open.apply(at.store, of))
      else at.store.size = async (...of) => (await refused(of[0]), size.apply(at.store, of))
      await at.state.refresh()
      const found = at.state.stored?.map(({ record, isReadable, storedBytes, totalBytes }) => [
        record.name,
        isReadable,
        storedBytes === totalBytes,
      ])
      expect(found?.sort()).toEqual([
        ['b', false, method === 'open'],
        ['c', true, true],
      ])
    },
  )

  it('that has come in part is asked about, and gone on with from what is kept', async () => {
    const at = visit()
    await at.state.describe(address)
    at.hub.faults.set('model.safetensors', [
      { endsAt: 2000 },
      ...Array.from({ length: 9 }, () => 'unreachable' as const),
    ])
    await at.state.fetch()
    expect(at.state.stage).toMatchObject({ kind: 'failed', failure: { code: 'hub-unreachable' } })
    at.hub.faults.clear()
    const later = visit({ store: at.store, hub: at.hub })
    expect(await later.state.follow('hub:a/b')).toEqual(address)
    const [stored] = later.state.stored ?? []
    expect(stored && stored.storedBytes < stored.totalBytes).toBe(true)
    if (stored) await later.state.resume(stored)
    expect(at.hub.requests.at(-1)).toMatchObject({ from: 2000 })
    expect(later.opened).toHaveLength(1)
  })

  it('can be stopped, and stands where it stopped', async () => {
    const at = visit({ wait: async () => at.state.cancel() })
    await at.state.describe(address)
    at.hub.faults.set('model.safetensors', [{ endsAt: 2000 }])
    await at.state.fetch()
    expect(at.state.stage).toMatchObject({ kind: 'described', description: { refusal: undefined } })
    const { stage } = at.state
    const config = at.hub.files['config.json']?.length ?? 0
    expect(stage.kind === 'described' && stage.description.storedBytes).toBe(config + 30 + 2000)
    await at.state.fetch()
    expect(at.opened).toHaveLength(1)
    // Before it is fetched there is nothing to go on with.
    const other = visit()
    const looking = other.state.describe(address)
    other.state.cancel()
    await looking
    expect(other.state.stage).toEqual({ kind: 'named', address })
  })

  it('that cannot be opened is not fetched', async () => {
    const bert = visit({ config: { model_type: 'bert', architectures: ['BertModel'] } })
    await bert.state.describe(address)
    expect(bert.state.stage).toMatchObject({ kind: 'described', description: { refusal: { code: 'unsupported' } } })
    const gated = visit()
    gated.hub.info = { gated: 'manual' }
    await gated.state.describe(address)
    expect(gated.state.stage).toMatchObject({ kind: 'described', description: { refusal: { code: 'hub-gated' } } })
    expect(gated.requests()).toEqual(['main'])
    const broken = visit({ config: [] })
    await broken.state.describe(address)
    expect(broken.state.stage).toMatchObject({ description: { refusal: { code: 'config' } } })
    for (const at of [bert, gated, broken]) {
      await at.state.fetch()
      expect(at.opened).toEqual([])
      expect(at.requests()).not.toContain('model.safetensors')
    }
  })

  it('is said to be missing where the hub has none, and a full disk to be full', async () => {
    const missing = visit()
    missing.hub.faults.set('api', [{ status: 404 }])
    await missing.state.describe(address)
    expect(missing.state.stage).toMatchObject({
      kind: 'failed',
      description: undefined,
      failure: { code: 'hub-missing' },
    })
    const full = visit({ store: new FolderStore(new FakeDirectory('', { room: 2000 }).root) })
    await full.state.describe(address)
    await full.state.fetch()
    expect(full.state.stage).toMatchObject({ kind: 'failed', failure: { code: 'hub-full' } })
  })

  it('is deleted, and other tabs hear of it', async () => {
    const at = visit()
    await at.state.describe(address)
    await at.state.fetch()
    await at.state.refresh()
    const [stored] = at.state.stored ?? []
    at.channel.postMessage.mockClear()
    if (stored) await at.state.remove(stored)
    expect(at.channel.postMessage).toHaveBeenCalled()
    await at.state.refresh()
    expect(at.state.stored).toEqual([])
  })

  it('asks the browser once to keep it, and says where nothing is kept', async () => {
    const at = visit({ store: new MemoryStore() })
    expect(at.state.isPersistent).toBe(false)
    for (let time = 0; time < 2; time++) {
      await at.state.describe(address)
      await at.state.fetch()
    }
    expect(at.persist).toHaveBeenCalledTimes(1)
    const later = visit({ storage: at.stored })
    await later.state.describe(address)
    await later.state.fetch()
    expect(later.persist).not.toHaveBeenCalled()
    expect(later.opened).toHaveLength(1)
  })
})
