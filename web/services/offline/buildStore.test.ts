import { beforeEach, describe, expect, it } from 'vitest'
import { buildOf, FakeCaches, FakeServer } from '../../testing/fakeCaches'
import { BuildStore } from './buildStore'
import { wire } from './stores'

const scope = new URL('https://host.example/page/')
const model = { 'models/tiny/config.json': '{}', 'models/tiny/weights': 'w1' }
const first = { '': 'page one', 'assets/a-1.js': 'a1', 'manifest.webmanifest': 'one', ...model }
const second = { '': 'page two', 'assets/a-2.js': 'a2', 'manifest.webmanifest': 'two', ...model }

let caches: FakeCaches
let server: FakeServer

const keeper = (version: string, files: Record<string, string>) =>
  new BuildStore(buildOf(version, files), { scope, caches: caches as unknown as CacheStorage, fetch: server.fetch })

async function answer(from: BuildStore, path: string): Promise<string | undefined> {
  const url = new URL(path || '.', scope).href
  return (await from.answer({ method: 'GET', mode: path ? 'cors' : 'navigate', url, range: null }))?.text()
}

beforeEach(() => {
  caches = new FakeCaches()
  server = new FakeServer(scope, first)
})

describe('a keeper', () => {
  it('answers with what it has installed, as the files are when unpacked', async () => {
    const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }
    server.isolation = isolation
    const one = keeper('1', first)
    await one.install()
    server.files = {}
    expect(await answer(one, '')).toBe('page one')
    expect(await answer(one, 'assets/a-1.js')).toBe('a1')
    const { headers } = (await one.answer({ method: 'GET', mode: 'cors', url: `${scope}assets/a-1.js`, range: null }))!
    expect(Object.fromEntries(headers)).toEqual({ 'content-length': '2', 'content-type': 'text/plain', ...isolation })
  })

  it('asks the browser’s own cache first, and the server where that is of another version', async () => {
    server.stale = { 'manifest.webmanifest': 'zero' }
    const one = keeper('1', first)
    await one.install()
    expect(await answer(one, 'manifest.webmanifest')).toBe('one')
    expect(server.requests.filter(({ cache }) => cache === 'reload').map(({ path }) => path)).toEqual([
      'manifest.webmanifest',
    ])
  })

  it('installs all of a build or nothing, and the build before goes on whole', async () => {
    const one = keeper('1', first)
    await one.install()
    // A half published site: some files are of the next build, some of this one, and one is missing.
    for (const half of [
      { ...second, '': first[''] },
      { ...second, 'manifest.webmanifest': 'one' },
      { '': 'page two', 'manifest.webmanifest': 'two' },
    ]) {
      server.files = half
      await expect(keeper('2', second).install()).rejects.toThrow(/SHA-256|404/)
      expect([...caches.stores.keys()]).toEqual(['ropescope /page/ page 1'])
    }
    expect(await answer(one, '')).toBe('page one')
    expect(await answer(one, 'manifest.webmanifest')).toBe('one')
  })

  it('never answers with a file of another build, whichever are kept', async () => {
    const one = keeper('1', first)
    await one.install()
    server.files = second
    const two = keeper('2', second)
    await two.install()
    expect([await answer(one, ''), await answer(one, 'manifest.webmanifest')]).toEqual(['page one', 'one'])
    expect([await answer(two, ''), await answer(two, 'manifest.webmanifest')]).toEqual(['page two', 'two'])
    expect(await answer(one, 'assets/a-2.js')).toBeUndefined()
    expect(await answer(two, 'assets/a-1.js')).toBeUndefined()
  })

  it('deletes the build before when it takes over, and keeps a model that did not change', async () => {
    const one = keeper('1', first)
    await one.install()
    await one.storeModels('all', () => {})
    server.files = { ...second }
    const two = keeper('2', second)
    await two.install()
    await two.activate()
    expect([...caches.stores.keys()].filter((name) => name.includes(' page '))).toEqual(['ropescope /page/ page 2'])
    expect((await two.stored()).models).toEqual([{ folder: 'tiny', bytes: 4, [wire.complete]: true }])
    expect(await answer(one, '')).toBeUndefined()
  })

  it('says how far it is, in bytes of the files as they are', async () => {
    const one = keeper('1', first)
    await one.install()
    server.stale = { 'models/tiny/weights': 'another' }
    const progress: [number, number][] = []
    await one.storeModels(['tiny'], (loaded, total) => progress.push([loaded, total]))
    expect(progress.at(-1)).toEqual([4, 4])
    expect(await one.stored()).toEqual({
      page: { bytes: 13, [wire.complete]: true },
      models: [{ folder: 'tiny', bytes: 4, [wire.complete]: true }],
      isolates: false,
    })
    // Nothing is fetched twice.
    server.requests.length = 0
    await one.storeModels('all', () => {})
    expect(server.requests).toEqual([])
  })

  it('has no half models: the network has them whole', async () => {
    const one = keeper('1', first)
    await one.install()
    server.files = { ...first, 'models/tiny/weights': 'w2' }
    await expect(one.storeModels('all', () => {})).rejects.toThrow('/page/models/tiny/weights: SHA-256')
    expect(await answer(one, 'models/tiny/config.json')).toBeUndefined()
    // As when the browser stops between two files.
    server.files = first
    await one.storeModels('all', () => {})
    expect(await answer(one, 'models/tiny/config.json')).toBe('{}')
    for (const [name, store] of caches.stores) if (name.includes(' model ')) store.delete(`${scope}models/tiny/weights`)
    expect(await answer(one, 'models/tiny/config.json')).toBeUndefined()
  })

  it('leaves nothing behind where there is no room', async () => {
    caches.full = true
    await expect(keeper('1', first).install()).rejects.toThrow('the disk is full')
    expect(caches.stores.size).toBe(0)
  })

  it('isolates the page where that is wanted, and the build after it does', async () => {
    const one = keeper('1', first)
    await one.install()
    const answered = async (from: BuildStore) => {
      const response = await from.answer({ method: 'GET', mode: 'navigate', url: scope.href, range: null })
      const { headers, status } = await from.isolated(response!)
      const [opener, embedder] = ['opener', 'embedder'].map((of) => headers.get(`cross-origin-${of}-policy`))
      return [status, headers.get('content-type'), opener, embedder]
    }
    const usual = [200, 'text/plain', null, null]
    const isolated = [200, 'text/plain', 'same-origin', 'require-corp']
    expect([await answered(one), (await one.stored()).isolates]).toEqual([usual, false])
    await one.isolate(true)
    expect([await answered(one), (await one.stored()).isolates]).toEqual([isolated, true])
    server.files = second
    const two = keeper('2', second)
    await two.install()
    await two.activate()
    expect(await answered(two)).toEqual(isolated)
    await two.isolate(false)
    expect([await answered(two), (await two.stored()).isolates]).toEqual([usual, false])
  })
})
