// The service worker as the browser starts it, driven by a page of a former build: the messages here are written as that build sends them.
import { afterEach, expect, it, vi } from 'vitest'
import { buildOf, FakeCaches, FakeServer } from '../../testing/fakeCaches'

const scope = new URL('https://host.example/page/')
const files = { '': 'page', 'models/tiny/config.json': '{}' }

afterEach(() => vi.unstubAllGlobals())

it('understands the messages of a former build, and is understood by it', async () => {
  const listeners = new Map<string, (event: object) => void>()
  vi.stubGlobal('self', {
    registration: { scope: scope.href },
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
  })
  vi.stubGlobal('caches', new FakeCaches())
  vi.stubGlobal('fetch', new FakeServer(scope, files).fetch)
  vi.stubGlobal('__BUILD__', buildOf('1', files))
  await import('./sw')
  const send = async (data: object) => {
    const replies: unknown[] = []
    let done: Promise<unknown> | undefined
    const ports = [{ postMessage: (reply: unknown) => replies.push(reply) }]
    listeners.get('message')?.({ data, ports, waitUntil: (promise: Promise<unknown>) => (done = promise) })
    await done
    return replies
  }
  const models = [{ folder: 'tiny', bytes: 2, ['kept']: true }]
  const state = { page: { bytes: 4, ['kept']: true }, models, isolates: false }
  expect((await send({ type: 'keep', models: ['tiny'] })).at(-1)).toEqual({ type: 'kept', ['kept']: state })
  for (const isolated of [true, false]) {
    expect(await send({ type: 'isolate', ['wanted']: isolated })).toEqual([
      { type: 'kept', ['kept']: { ...state, isolates: isolated } },
    ])
  }
})
