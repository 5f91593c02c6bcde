// Read's ten chapters one after the other, with steps of what each figure follows: which tasks kept the page from answering.
import { expect, test, type Page } from '@playwright/test'
import { figures } from '../../tests/browser/chapters'
import type { Row } from '../markdown.js'
import { machineWith } from './machine'
import { Series } from './series'
import { felt, tasksOf } from './trace'

const address = process.env['BENCH_PAGE'] ?? ''
const sizes = [
  { name: '1280 × 900', width: 1280, height: 900 },
  { name: '390 × 844', width: 390, height: 844 },
]

/** Two frames on, what was asked for has been painted. */
const painted = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

/** Steps of the ruler, of every slider, and through every choice of the figure in sight. */
async function use(page: Page, figure: string): Promise<number> {
  let steps = 0
  const press = async (selector: string, keys: readonly string[]) => {
    for (const control of await page.locator(selector).all()) {
      if (!(await control.isVisible())) continue
      for (const key of keys) {
        await control.press(key)
        await painted(page)
        steps++
      }
    }
  }
  await press('[data-testid=ruler-query]', ['ArrowRight', 'ArrowRight'])
  await press(`${figure} input[type=range]`, ['ArrowRight', 'ArrowLeft'])
  await press(`${figure} [role=slider]`, ['ArrowRight', 'ArrowLeft'])
  for (const select of await page.locator('[data-testid=ruler] select').all()) {
    const [now, values] = await select.evaluate((box) => {
      const { value, options } = box as HTMLSelectElement
      return [value, Array.from(options, (option) => option.value)] as const
    })
    for (const value of [values.at(-1) ?? now, now]) {
      await select.selectOption(value)
      await painted(page)
      steps++
    }
  }
  return steps
}

const series = new Series()

test.afterAll(async ({ browser }) => {
  await series.write('read', await machineWith(browser.version()), 'cargo xtask bench')
})

for (const { name, width, height } of sizes) {
  test(`Read at ${name}`, async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width, height }, serviceWorkers: 'block' })
    const page = await context.newPage()
    await page.goto(`${address}/#/read/1?backend=cpu`)
    await expect(page.locator('[data-view] svg').first()).toBeVisible({ timeout: 120_000 })
    await page.waitForLoadState('networkidle')
    const rows: Row[] = []
    for (const [index, id] of figures.entries()) {
      const chapter = index + 1
      const figure = `[data-testid=view-${id}]`
      await browser.startTracing(page, { categories: ['toplevel'] })
      await page.evaluate((chapter) => (location.hash = `#/read/${chapter}?backend=cpu`), chapter)
      await expect(page.locator(`${figure} svg`).first()).toBeVisible()
      await painted(page)
      const steps = await use(page, figure)
      await page.waitForLoadState('networkidle')
      const tasks = tasksOf(await browser.stopTracing())
      expect(tasks.length, 'tasks of the page').toBeGreaterThan(0)
      const long = tasks.filter((task) => task > felt).length
      rows.push({ chapter, steps, 'long tasks': long, 'longest ms': Math.max(...tasks) })
    }
    series.add(name, `Read at ${name}, CPU backend; tasks over ${felt} ms`, rows)
    await context.close()
  })
}
