// A visit from an empty cache: when the first view and the first attention map are on screen.
import { expect, test } from '@playwright/test'
import { median } from './median'

const page = process.env['BENCH_PAGE'] ?? ''
const visits = { cpu: 9, gpu: 3 }

declare global {
  interface Window {
    /** Milliseconds from the start of the navigation until these were painted. */
    seen: Record<string, number>
  }
}

/** In the page, before its own code: looks every frame for what is waited for. */
function watch(): void {
  window.seen = {}
  const views = { view: '[data-testid=rotation] [role=option]', map: '[data-testid=attention-map-frame] canvas' }
  const look = () => {
    for (const [name, selector] of Object.entries(views)) {
      if (name in window.seen || !document.querySelector(selector)) continue
      window.seen[name] = NaN
      // Two frames on it has been painted.
      requestAnimationFrame(() => requestAnimationFrame((now) => (window.seen[name] = now)))
    }
    requestAnimationFrame(look)
  }
  look()
}

test('a first visit', async ({ browser }) => {
  for (const backend of ['cpu', 'gpu'] as const) {
    const times: Record<string, number[]> = { view: [], map: [] }
    for (let visit = 0; visit < visits[backend]; visit++) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
      const visited = await context.newPage()
      await visited.addInitScript(watch)
      await visited.goto(`${page}/#backend=${backend}`)
      await expect.poll(() => visited.evaluate(() => window.seen['map']), { timeout: 120_000 }).toBeGreaterThan(0)
      const seen = await visited.evaluate(() => window.seen)
      for (const [name, values] of Object.entries(times)) values.push(seen[name] ?? NaN)
      await context.close()
    }
    const [view, map] = [times['view'], times['map']].map((values) => median(values ?? []).toFixed(0))
    console.log(
      `\nFirst visit, ${backend.toUpperCase()} backend, from this machine, median of ${visits[backend]}: first view ${view} ms, first map ${map} ms`,
    )
  }
})
