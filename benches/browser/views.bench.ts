// Opens the Explorer, each view, Read and Models: how long the longest task of the page's own thread takes of a processor's time.
import { expect, test, type Browser, type Page } from '@playwright/test'
import { declarations, opened } from '../../tests/browser/walk'
import { tasksOf } from './trace'

const address = process.env['BENCH_PAGE'] ?? ''
/** The shortest of so many counts: other work on the machine makes a task longer, never shorter. */
const visits = 3

const longest = async (browser: Browser, page: Page, open: () => Promise<void>) => {
  await browser.startTracing(page, { categories: ['toplevel'] })
  await open()
  return Math.max(0, ...tasksOf(await browser.stopTracing()))
}

test('the longest task where a page or a view opens', async ({ browser }) => {
  const views = (await declarations()).views.filter(({ rare }) => !rare)
  const found = new Map<string, number[]>()
  for (let visit = 0; visit < visits; visit++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, serviceWorkers: 'block' })
    const page = await context.newPage()
    const step = async (name: string, open: () => Promise<void>) =>
      found.set(name, [...(found.get(name) ?? []), await longest(browser, page, open)])
    const follow = (hash: string) => page.evaluate((hash) => void (location.hash = hash), hash)

    await step('the Explorer', async () => {
      await page.goto(`${address}/#/explorer?backend=cpu`)
      await expect(page.getByTestId('head-patterns')).toBeVisible()
    })
    for (const { id } of views)
      await step(id, async () => {
        await follow(`#/explorer?backend=cpu&open=map,${id}`)
        await opened(page, 'views', id)
      })
    await step('Read', async () => {
      await follow('#/read')
      await opened(page, 'figures', 'queue')
    })
    await step('Models', async () => {
      await follow('#/models')
      await expect(page.getByTestId('models-table')).toBeVisible()
    })
    await context.close()
  }
  console.log('| opened | longest task, ms of CPU time |')
  console.log('|---|---|')
  for (const [name, times] of found) console.log(`| ${name} | ${Math.min(...times).toFixed(0)} |`)
})
