// The window's title on the Explorer.
import { flushSync, mount, unmount } from 'svelte'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { preparePainting } from '../../testing/draw'
import { link, setUp } from '../../testing/fakeBench'
import { soon } from '../../testing/fakeEngine'
import { switchLanguage } from '../../i18n/messages.svelte'
import { map } from '../../views/map'
import { sinks } from '../../views/sinks'
import Explorer from './Explorer.svelte'

preparePainting()

/** A document without a browser lays out nothing: each element is as large as the screen. */
class Observer {
  readonly #receive: (entries: { target: Element }[]) => void
  constructor(receive: (entries: { target: Element }[]) => void) {
    this.#receive = receive
  }
  observe(target: Element) {
    queueMicrotask(() => this.#receive([{ target }]))
  }
  unobserve() {}
  disconnect() {}
}

beforeEach(() => {
  vi.stubGlobal('ResizeObserver', Observer)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(700)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function openExplorer(width: number) {
  vi.stubGlobal('innerWidth', width)
  dispatchEvent(new Event('resize'))
  await Promise.all([map.module(), sinks.module()])
  const { bench, worker } = await setUp(link({ open: 'map' }))
  await worker().ran()
  const props = { bench, load: () => {}, asking: false }
  const explorer = mount(Explorer, { target: document.body, props })
  const title = () => {
    flushSync()
    return document.title
  }
  return {
    bench,
    ran: () => worker().ran(),
    titled: (expected: string) => expect.poll(title, { timeout: 30_000 }).toBe(`${expected} · ropescope`),
    close: () => unmount(explorer),
  }
}

it('names the front view, also where that has no numbers', async () => {
  const { bench, ran, titled, close } = await openExplorer(1280)
  await titled('Map · L2·H6')
  bench.choose({ attention: 'linear' })
  await soon()
  await ran()
  await titled('Map · L2·H6')
  bench.choose({ open: ['sinks'] })
  await titled('Sinks')
  await close()
})

it('names the heads of a phone', async () => {
  const { titled, close } = await openExplorer(390)
  await titled('Map · L2·H6')
  const [heads, view] = document.querySelectorAll<HTMLElement>('[data-testid=phone-tabs] button')
  heads!.click()
  await titled('Heads')
  await switchLanguage('hu')
  await titled('Fejek')
  view!.click()
  await titled('Térkép · L2·H6')
  await switchLanguage('en')
  await close()
})
