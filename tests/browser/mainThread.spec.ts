import type { Browser, Page } from '@playwright/test'
import { expect, test } from './explorer'
import { declarations, opened } from './walk'

/** ms without a break after which a visitor notices that the page does not answer. */
const most = 50
/** A busy machine makes a task longer, never shorter: the shortest of so many visits counts. */
const visits = 3

interface TraceEvent {
  name: string
  pid: number
  tid: number
  ts: number
  /** Of the thread's CPU time, in µs: what other programs take of the machine is no part of it. */
  tdur?: number
  args: { name?: string }
}

const start = 'step: '

/** Follows a link; the tasks from here on are this step's. */
const follow = (page: Page, step: string, link: string) =>
  page.evaluate(
    ([mark, link]) => {
      performance.mark(mark)
      location.hash = link
    },
    [start + step, link] as const,
  )

/** CPU time (ms) of the longest task on the page's main thread, for each step of a visit. */
async function longestTasks(
  browser: Browser,
  page: Page,
  first: string,
  visit: () => Promise<void>,
): Promise<Record<string, number>> {
  const categories = ['disabled-by-default-devtools.timeline', 'blink.user_timing']
  await browser.startTracing(page, { categories })
  await visit()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const thread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mains = new Set(traceEvents.filter(({ args }) => args.name === 'CrRendererMain').map(thread))
  const longest: Record<string, number> = {}
  let step = first
  for (const event of traceEvents.filter((event) => mains.has(thread(event))).sort((one, other) => one.ts - other.ts)) {
    if (event.name.startsWith(start)) step = event.name.slice(start.length)
    // The last task has not ended.
    if (event.name !== 'RunTask' || event.tdur === undefined) continue
    longest[step] = Math.max(longest[step] ?? 0, event.tdur / 1000)
  }
  return longest
}

test.describe('@cpu the main thread', () => {
  test.use({ model: 'bundled' })

  test(`has no task above ${most} ms where a page or a view opens`, async ({ browser, baseURL, viewport }, info) => {
    test.setTimeout(240_000)
    const views = (await declarations()).views.filter(({ rare }) => !rare)
    const found: Record<string, number[]> = {}
    for (let visit = 0; visit < visits; visit++) {
      // Nothing is compiled or stored yet.
      const context = await browser.newContext({ baseURL: baseURL ?? '', viewport, serviceWorkers: 'block' })
      const page = await context.newPage()
      const longest = await longestTasks(browser, page, 'explorer', async () => {
        await page.goto('./#/explorer?backend=cpu')
        await expect(page.getByTestId('head-patterns')).toBeVisible()
        for (const { id } of views) {
          await follow(page, id, `#/explorer?backend=cpu&open=map,${id}`)
          await opened(page, 'views', id)
        }
        await follow(page, 'read', '#/read')
        await opened(page, 'figures', 'queue')
        await follow(page, 'models', '#/models')
        await expect(page.getByTestId('models-table')).toBeVisible()
      })
      for (const [step, time] of Object.entries(longest)) (found[step] ??= []).push(time)
      await context.close()
    }
    await info.attach('longest tasks', { body: JSON.stringify(found), contentType: 'application/json' })
    expect(Object.keys(found)).toHaveLength(views.length + 3)
    for (const [step, times] of Object.entries(found)) expect(Math.min(...times), step).toBeLessThanOrEqual(most)
  })
})
