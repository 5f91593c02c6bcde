// Links that the page follows, with a worker and a hub that answer when the test says so.
import { mount, unmount } from 'svelte'
import { expect, it, vi } from 'vitest'
import { FakeWorker, soon } from '../testing/fakeEngine'
import App from './App.svelte'

/** The worker, and each model of the hub that the page opens: a function that refuses it. */
const page = vi.hoisted(() => ({
  worker: undefined as FakeWorker | undefined,
  refusals: [] as ((why: Error) => void)[],
}))

vi.mock('../engine/client/spawn', () => ({ spawnWorker: () => (page.worker = new FakeWorker()) }))
vi.mock('../services/hub/hub.svelte', () => ({
  createHub: () => ({
    stage: { kind: 'none' },
    follow: () => new Promise((_, refuse) => page.refusals.push(refuse)),
  }),
}))

const link = (model: string, text: string) => `#/about?${new URLSearchParams({ model, text })}`
const linkToHub = (name: string, text: string) => link(`hub:owner/${name}@${'0'.repeat(40)}`, text)

async function follow(to: string) {
  history.pushState(null, '', to)
  dispatchEvent(new PopStateEvent('popstate'))
  await soon()
}

it('a model of the hub that fails to open leaves its text to the former model, but a newer link’s text to its own', async () => {
  history.replaceState(null, '', link('roformer-english', 'the dog'))
  const app = mount(App, { target: document.body })
  await soon()
  const worker = page.worker!
  await worker.loaded()
  await worker.ran()
  const now = (why: string) => [worker.requests('run').length, document.body.textContent.includes(why)]

  await follow(linkToHub('first', 'the cat'))
  await vi.waitUntil(() => page.refusals.length === 1)
  expect(now('no disk')).toEqual([1, false])
  page.refusals[0]!(new Error('no disk'))
  await soon()
  expect(now('no disk')).toEqual([2, true])

  await follow(linkToHub('second', 'the bird'))
  await vi.waitUntil(() => page.refusals.length === 2)
  await follow(link('roformer-english-causal', 'the fish'))
  page.refusals[1]!(new Error('no room'))
  await soon()
  expect(now('no room')).toEqual([2, false])
  await worker.loaded({ is_decoder: true })
  expect(now('no room')).toEqual([3, false])
  await unmount(app)
})
