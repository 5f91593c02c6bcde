import { describe, expect, it } from 'vitest'
import { FakeCaches } from '../../testing/fakeCaches'
import type { FromServiceWorker, StoredState, ToServiceWorker } from './stores'
import { Offline } from './offline.svelte'

const base = new URL('https://host.example/page/')

/** A service worker that keeps what it is told to, and a page beside it. */
function page(
  say: (message: ToServiceWorker) => FromServiceWorker[] = keep,
  stored: Record<string, string> = {},
  mayReload = true,
) {
  const heard: ToServiceWorker[] = []
  const caches = new FakeCaches()
  const listeners = new Map<string, () => void>()
  let reloads = 0
  const registration = {
    active: {
      postMessage(message: ToServiceWorker, [port]: MessagePort[]) {
        heard.push(message)
        for (const answer of say(message)) port?.postMessage(answer)
      },
    },
    waiting: null as null | { postMessage: (message: ToServiceWorker) => void },
    addEventListener() {},
    unregister: () => Promise.resolve(true),
  }
  const offline = new Offline({
    container: {
      register: () => Promise.resolve(registration as unknown as ServiceWorkerRegistration),
      ready: Promise.resolve(registration as unknown as ServiceWorkerRegistration),
      addEventListener: (type: string, listener: unknown) => listeners.set(type, listener as () => void),
    },
    caches: caches as unknown as CacheStorage,
    storage: {
      getItem: (name) => stored[name] ?? null,
      setItem: (name, value) => void (stored[name] = value),
      removeItem: (name) => void delete stored[name],
    },
    base,
    reload: () => reloads++,
    mayReload: () => mayReload,
    persist: () => Promise.resolve(true),
  })
  return { offline, heard, caches, stored, registration, listeners, reloads: () => reloads }
}

const stored: StoredState = {
  page: { bytes: 10, ['kept']: true },
  models: [{ folder: 'tiny', bytes: 5, ['kept']: true }],
  isolates: false,
}
const keep = (): FromServiceWorker[] => [
  { type: 'progress', loaded: 5, total: 5 },
  { type: 'kept', ['kept']: stored },
]

describe('what the page keeps', () => {
  it('is the model in use, and everything when asked', async () => {
    const { offline, heard } = page()
    await offline.use('tiny')
    expect([offline.state, offline.stored, offline.progress]).toEqual(['ready', stored, undefined])
    await offline.use('')
    await offline.storeEverything()
    expect(heard).toEqual([
      { type: 'keep', models: ['tiny'] },
      { type: 'keep', models: [] },
      { type: 'keep', models: 'all' },
    ])
  })

  it('is asked for once a model, and what failed is not tried again in this visit', async () => {
    let fails = false
    const { offline, heard } = page(() => (fails ? [{ type: 'failed', reason: 'no room' }] : keep()))
    for (let result = 0; result < 5; result++) await offline.use('tiny')
    expect(heard).toEqual([{ type: 'keep', models: ['tiny'] }])
    fails = true
    for (let result = 0; result < 5; result++) await offline.use('other')
    expect(heard.length).toBe(2)
    expect(offline.failed).toBe('no room')
    fails = false
    await offline.storeEverything()
    expect([heard.length, offline.failed]).toEqual([3, ''])
  })

  it('is removed with nothing of other sites, and not kept again unasked', async () => {
    const { offline, heard, caches, stored } = page()
    await offline.use('tiny')
    for (const name of ['ropescope /page/ page 1', 'ropescope / page 1']) await caches.open(name)
    await offline.remove()
    expect(await caches.keys()).toEqual(['ropescope / page 1'])
    await offline.use('tiny')
    expect([offline.state, heard.length]).toEqual(['removed', 1])
    expect(page(keep, stored).offline.state).toBe('removed')
    await offline.storeEverything()
    expect([offline.state, stored]).toEqual(['ready', {}])
  })

  it('says why something could not be kept', async () => {
    const { offline } = page(() => [{ type: 'failed', reason: 'no room' }])
    await offline.use('tiny')
    expect([offline.failed, offline.state]).toEqual(['no room', 'starting'])
  })

  it('is nothing where there is no service worker', async () => {
    const offline = new Offline({
      container: undefined,
      caches: new FakeCaches() as unknown as CacheStorage,
      storage: { getItem: () => null, setItem() {}, removeItem() {} },
      base,
      reload() {},
      mayReload: () => true,
      persist: () => Promise.resolve(false),
    })
    await offline.use('tiny')
    expect([offline.state, offline.failed]).toEqual(['unavailable', ''])
  })
})

describe('an isolated page', () => {
  it('is asked for and taken back by the visitor, with one reload each', async () => {
    const { offline, heard, reloads } = page((message) =>
      message.type === 'isolate' ? [{ type: 'kept', ['kept']: { ...stored, isolates: message.wanted } }] : keep(),
    )
    await offline.use('tiny')
    expect([offline.stored?.isolates, reloads()]).toEqual([false, 0])
    await offline.isolate(true)
    expect([offline.stored?.isolates, reloads()]).toEqual([true, 1])
    await offline.isolate(false)
    expect([offline.stored?.isolates, reloads()]).toEqual([false, 2])
    expect(heard.slice(1)).toEqual([
      { type: 'isolate', ['wanted']: true },
      { type: 'isolate', ['wanted']: false },
    ])
  })

  it('that cannot be had is no reason to reload', async () => {
    const { offline, reloads } = page((message) =>
      message.type === 'isolate' ? [{ type: 'failed', reason: 'no room' }] : keep(),
    )
    await offline.isolate(true)
    expect(offline.failed).not.toBe('')
    await offline.use('tiny')
    await offline.isolate(true)
    expect([offline.failed, reloads()]).toEqual(['no room', 0])
  })
})

describe('a newer build', () => {
  it('waits, takes over when the visitor says so, and then every page begins anew', async () => {
    const { offline, registration, listeners, reloads } = page()
    const sent: ToServiceWorker[] = []
    registration.waiting = { postMessage: (message) => sent.push(message) }
    await offline.use('tiny')
    expect([offline.hasUpdate, reloads()]).toEqual([true, 0])
    await offline.update()
    expect(sent).toEqual([{ type: 'takeOver' }])
    listeners.get('controllerchange')?.()
    expect(reloads()).toBe(1)
  })

  it('that another tab let take over reloads no page that would lose something by it', () => {
    const losing = page(keep, {}, false)
    losing.listeners.get('controllerchange')?.()
    const other = page(keep, {}, true)
    other.listeners.get('controllerchange')?.()
    expect([losing.reloads(), other.reloads()]).toEqual([0, 1])
  })

  it('reloads the page in which the visitor asked for it, whatever that loses', async () => {
    const { offline, listeners, reloads } = page(keep, {}, false)
    await offline.use('tiny')
    await offline.update()
    listeners.get('controllerchange')?.()
    expect(reloads()).toBe(1)
  })
})
