// The site's service worker: the page and its models without a network.

import { type Build, wire, type FromServiceWorker, type ToServiceWorker } from './stores'
import { BuildStore } from './buildStore'

/** Vite replaces it (publish.ts). */
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
    listener: (event: Extendable & { data: ToServiceWorker; ports: readonly MessagePort[] }) => void,
  ): void
}

const store = new BuildStore(__BUILD__, {
  scope: new URL(scope.registration.scope),
  caches,
  fetch: (url, options) => fetch(url, options),
})

// A build replaces the former one when no tab shows that, or when the visitor chooses it: never under an open page.
scope.addEventListener('install', (event) => event.waitUntil(store.install()))
scope.addEventListener('activate', (event) => event.waitUntil(store.activate()))

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { method, mode, url, headers } = request
  const answer = store.answer({ method, mode, url, range: headers.get('range') })
  if (answer) event.respondWith(respond(request, answer))
})

scope.addEventListener('message', (event) => {
  const [port] = event.ports
  event.waitUntil(receive(event.data, (message) => port?.postMessage(message)))
})

async function respond(request: Request, answer: Promise<Response | undefined>): Promise<Response> {
  const response = (await answer.catch(() => undefined)) ?? (await fetch(request))
  // The page and its workers need the same headers, from the cache and from the network.
  return store.isolated(response).catch(() => response)
}

async function receive(message: ToServiceWorker, reply: (message: FromServiceWorker) => void): Promise<void> {
  try {
    if (message.type === 'takeOver') return await scope.skipWaiting()
    if (message.type === 'keep') {
      await store.storeModels(message.models, (loaded, total) => reply({ type: 'progress', loaded, total }))
    }
    if (message.type === 'isolate') await store.isolate(message[wire.isolated])
    reply({ type: 'kept', [wire.stored]: await store.stored() })
  } catch (error) {
    reply({ type: 'failed', reason: error instanceof Error ? error.message : String(error) })
  }
}
