// The site's one service worker: the page and its models without a network. Whatever it answers goes through `respond`, so that headers can
// be set there.

import type { Build } from './build'
import { Keeper } from './keeper'
import type { FromKeeper, ToKeeper } from './messages'

/** Put in its place by the build. */
declare const __BUILD__: Build

interface Extendable extends Event {
  waitUntil(done: Promise<unknown>): void
}

// `self` as a service worker sees it; the page's types know it as a window.
const scope = self as unknown as {
  registration: { scope: string }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void
  addEventListener(
    type: 'fetch',
    listener: (event: Extendable & { request: Request; respondWith(response: Promise<Response>): void }) => void,
  ): void
  addEventListener(
    type: 'message',
    listener: (event: Extendable & { data: ToKeeper; ports: readonly MessagePort[] }) => void,
  ): void
}

const keeper = new Keeper(__BUILD__, {
  scope: new URL(scope.registration.scope),
  caches,
  fetch: (url, options) => fetch(url, options),
})

// A build takes over when no tab shows the one before, or when the visitor says so: never under a page that is open.
scope.addEventListener('install', (event) => event.waitUntil(keeper.install()))
scope.addEventListener('activate', (event) => event.waitUntil(keeper.takeOver()))

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { method, mode, url, headers } = request
  const answer = keeper.answer({ method, mode, url, range: headers.get('range') })
  if (answer) event.respondWith(respond(request, answer))
})

scope.addEventListener('message', (event) => {
  const [port] = event.ports
  event.waitUntil(hear(event.data, (message) => port?.postMessage(message)))
})

async function respond(request: Request, answer: Promise<Response | undefined>): Promise<Response> {
  const response = (await answer.catch(() => undefined)) ?? (await fetch(request))
  // The page and its workers need the headers alike, wherever they come from.
  return keeper.isolated(response).catch(() => response)
}

async function hear(message: ToKeeper, say: (message: FromKeeper) => void): Promise<void> {
  try {
    if (message.type === 'takeOver') return await scope.skipWaiting()
    if (message.type === 'keep') {
      await keeper.keep(message.models, (loaded, total) => say({ type: 'progress', loaded, total }))
    }
    if (message.type === 'isolate') await keeper.isolate(message.isolated)
    say({ type: 'kept', stored: await keeper.stored() })
  } catch (error) {
    say({ type: 'failed', reason: error instanceof Error ? error.message : String(error) })
  }
}
