// A visit from an empty cache: when the first view and the first attention map are on screen, and which tasks kept the page from
// answering. An earlier build of the page is visited in turn, where there is one.
import { expect, test } from '@playwright/test'
import type { Row } from '../markdown.js'
import { machineWith } from './machine'
import { median } from './median'
import { Series } from './series'
import { felt, tasksOf } from './trace'

interface Page {
  name: string
  address: string
}

const today = { name: 'today', address: process.env['BENCH_PAGE'] ?? '' }
const earlier = process.env['BENCH_EARLIER']
const pages: Page[] = [today, ...(earlier ? [{ name: 'earlier', address: earlier }] : [])]
const visits = Number(process.env['BENCH_VISITS'] ?? 0)
const usual = { cpu: 9, gpu: 3 }

interface Seen {
  /** Milliseconds from the start of the navigation until these were painted. */
  view: number
  map: number
  /** How long its tasks took of a processor's time, in milliseconds: other work on the machine does not count. */
  tasks: number[]
}

declare global {
  interface Window {
    seen: Partial<Pick<Seen, 'view' | 'map'>>
  }
}

/** In the page, before its own code: looks every frame for what is waited for. */
function watch(): void {
  window.seen = {}
  // Both pages begin with dials: the earlier one's need no model, this one's are those of the model on its way.
  const map = '[data-testid=attention-map-frame] canvas'
  const wanted = { view: `[data-testid=rotation] [role=option], [data-testid=turning] line, ${map}`, map }
  const look = () => {
    for (const [name, selector] of Object.entries(wanted) as ['view' | 'map', string][]) {
      if (window.seen[name] !== undefined || !document.querySelector(selector)) continue
      window.seen[name] = NaN
      // Two frames on it has been painted.
      requestAnimationFrame(() => requestAnimationFrame((now) => (window.seen[name] = now)))
    }
    requestAnimationFrame(look)
  }
  look()
}

const middle = (all: readonly Seen[], what: 'view' | 'map') => median(all.map((seen) => seen[what]))

function row({ name }: Page, all: readonly Seen[]): Row {
  const tasks = all.flatMap((seen) => seen.tasks)
  return {
    page: name,
    'first view ms': middle(all, 'view'),
    'first map ms': middle(all, 'map'),
    'long tasks a visit': tasks.filter((task) => task > felt).length / all.length,
    'longest ms': Math.max(0, ...tasks),
    visits: all.length,
  }
}

const series = new Series()
const ratios: Row[] = []

test.afterAll(async ({ browser }) => {
  if (ratios.length > 0) series.add('ratios', "This page's / the earlier page's, medians", ratios)
  const command = `cargo xtask bench${earlier ? ' --earlier FOLDER' : ''}`
  await series.write('visit', await machineWith(browser.version()), command)
})

for (const backend of ['cpu', 'gpu'] as const) {
  test(`a first visit, ${backend}`, async ({ browser }) => {
    const seen = pages.map((): Seen[] => [])
    for (let visit = 0; visit < (visits || usual[backend]); visit++) {
      // Whoever comes second finds a warmer machine: they take turns.
      const turn = [...pages.entries()]
      for (const [index, { address }] of visit % 2 === 0 ? turn : turn.reverse()) {
        const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, serviceWorkers: 'block' })
        const page = await context.newPage()
        await page.addInitScript(watch)
        await browser.startTracing(page, { categories: ['toplevel'] })
        await page.goto(`${address}/#backend=${backend}`)
        await expect.poll(() => page.evaluate(() => window.seen.map), { timeout: 120_000 }).toBeGreaterThan(0)
        // What comes behind the first picture is long tasks, too: until the page asks for nothing more.
        await page.waitForLoadState('networkidle')
        const { view = NaN, map = NaN } = await page.evaluate(() => window.seen)
        const tasks = tasksOf(await browser.stopTracing())
        expect(tasks.length, 'tasks of the page').toBeGreaterThan(0)
        seen[index]?.push({ view, map, tasks })
        await context.close()
      }
    }
    series.add(
      `visits, ${backend}`,
      `A first visit, ${backend.toUpperCase()} backend, from this machine, medians; tasks over ${felt} ms a visit`,
      pages.map((page, at) => row(page, seen[at] ?? [])),
    )
    const [mine = [], others] = seen
    const ratio = (what: 'view' | 'map') => middle(mine, what) / middle(others ?? [], what)
    const name = { cpu: 'CPU', gpu: 'SwiftShader' }[backend]
    if (others)
      ratios.push({ backend: name, visits: others.length, 'first view': ratio('view'), 'first map': ratio('map') })
  })
}
