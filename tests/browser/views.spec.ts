// One walk over all views and all figures of Read: each opens by its link, draws at all widths and in both schemes, restores its params, can
// be walked by keys, saves its files, and follows another text or model. Only text and model run the model.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { faults } from './axe'
import { expect, overflow, root, test } from './explorer'
import {
  declarations,
  fileOf,
  openFigure,
  follow,
  hashOf,
  opened,
  openMenu,
  otherParams,
  serveModels,
  tablesIn,
  text,
  walk,
} from './walk'

async function folders(): Promise<string[]> {
  const found = await readdir(join(root, 'web/views/'), { recursive: true })
  return found.flatMap((path) => /^(\w+).index\.ts$/.exec(path)?.[1] ?? [])
}

/** The share of pixels that differ from a picture's most frequent colour, where it is visible. The page's screenshot is written to `path`. */
async function inked(page: Page, picture: Locator, path?: string): Promise<number> {
  // A picture that is arranged anew for another width is another element.
  const box = await picture.evaluate((element) => {
    element.scrollIntoView({ block: 'nearest' })
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x, y, width, height }
  })
  const png = (await page.screenshot(path === undefined ? {} : { path })).toString('base64')
  return page.evaluate(
    async ({ png, box }) => {
      const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0))
      const left = Math.max(0, Math.round(box.x))
      const top = Math.max(0, Math.round(box.y))
      const width = Math.min(Math.floor(box.width), innerWidth - left)
      const height = Math.min(Math.floor(box.height), innerHeight - top)
      if (width < 1 || height < 1) return 0
      const image = await createImageBitmap(new Blob([bytes]), left, top, width, height)
      const context = new OffscreenCanvas(width, height).getContext('2d')
      context?.drawImage(image, 0, 0)
      const pixels = new Uint32Array(context?.getImageData(0, 0, width, height).data.buffer ?? [])
      const counts = new Map<number, number>()
      for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
      return 1 - Math.max(...counts.values()) / pixels.length
    },
    { png, box },
  )
}

/** The largest canvas or SVG of a view; the view itself if its picture is made of lists and buttons. */
async function pictureOf(view: Locator): Promise<Locator> {
  const pictures = view.locator('svg, canvas')
  const areas = await pictures.evaluateAll((all) =>
    all.map((picture) => {
      const { width, height } = picture.getBoundingClientRect()
      return width * height
    }),
  )
  const largest = Math.max(0, ...areas)
  return largest < 5000 ? view : pictures.nth(areas.indexOf(largest))
}

/** Durations (ms) of tasks above 50 ms since the last call. */
const longTasks = (page: Page) =>
  page.evaluate(() => {
    const store = window as unknown as { longTasks?: number[] }
    if (!store.longTasks) {
      const tasks: number[] = (store.longTasks = [])
      const record = (list: PerformanceObserverEntryList) =>
        list.getEntries().forEach((task) => tasks.push(task.duration))
      new PerformanceObserver(record).observe({ type: 'longtask' })
    }
    return store.longTasks.splice(0)
  })

test.describe.configure({ mode: 'parallel' })

/** Widths (px), and the colour schemes that axe checks there. The first is the one at which a view opens. */
const widths = [
  [1280, ['dark', 'light']],
  [390, ['light']],
  [2560, []],
] as const

/** The values of a view's controls, and its drawings, element by element. */
const contents = (view: Locator) =>
  view.evaluate((view) => {
    const values = [...view.querySelectorAll<HTMLInputElement>('select, input, textarea')].map((control) =>
      control.type === 'radio' || control.type === 'checkbox' ? String(control.checked) : control.value,
    )
    const pressed = [...view.querySelectorAll('[aria-pressed]')].map((button) => button.getAttribute('aria-pressed'))
    const marks = [...view.querySelectorAll('svg *')].map(({ attributes, children, tagName, textContent }) => {
      const written = [...attributes].map(({ name, value }) => `${name}=${value}`).sort()
      return [tagName, ...written, children.length > 0 ? '' : textContent].join(' ')
    })
    return [...values, ...pressed, ...marks]
  })

for (const room of ['views', 'figures'] as const)
  test.describe(`@cpu each of the ${room}`, () => {
    test('draws its picture at three widths, without a fault of axe', async ({ explorer, page }, info) => {
      test.setTimeout(300_000)
      for await (const { declared, view } of walk(explorer, page, room)) {
        const { id } = declared
        for (const [width, schemes] of widths) {
          await page.setViewportSize({ width, height: 900 })
          await explorer.settled()
          await expect.poll(() => overflow(page), `${id} is wider than the page at ${width} px`).toBeLessThanOrEqual(0)
          const path = info.outputPath(`${id}-${width}.png`)
          await expect
            .poll(async () => inked(page, await pictureOf(view), path), `${id} is blank at ${width} px`)
            .toBeGreaterThan(0.005)
          await info.attach(`${id} at ${width} px`, { path, contentType: 'image/png' })
          for (const colorScheme of schemes) {
            await page.emulateMedia({ colorScheme })
            expect(await faults(page, 5, `[data-testid=view-${id}]`), `${id}, ${width} px, ${colorScheme}`).toEqual([])
          }
        }
      }
      await expect(page.getByRole('alert')).toBeEmpty()
    })

    test('is restored by its link with all its params', async ({ explorer, page }) => {
      test.setTimeout(240_000)
      let isReloaded = false
      for await (const { declared, model, view } of walk(explorer, page, room)) {
        const { id } = declared
        for (const written of otherParams(declared)) {
          await follow(page, hashOf(room, id, { text: model.text, model: model.name }))
          await opened(page, room, id)
          await explorer.settled()
          const before = await contents(view)
          await follow(page, hashOf(room, id, { text: model.text, model: model.name, ...written }))
          await expect.poll(() => contents(view), `${id} shows other params`).not.toEqual(before)
          await explorer.settled()
          await explorer.shown(written)
          // What another model answers comes later.
          await expect(view.locator('[aria-busy=true]')).toHaveCount(0)
          const chosen = await contents(view)
          // Small changes are written to the link with a delay, or when the page is left, as here.
          await page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
          const link = new URL(page.url()).hash
          // The page begins with the same code that follows a link: one reload is enough.
          if (isReloaded) {
            await follow(page, hashOf(room, id, { text: model.text, model: model.name }))
            await expect.poll(() => contents(view), `${id} without params`).not.toEqual(chosen)
            await follow(page, link)
          } else await page.reload()
          isReloaded = true
          await opened(page, room, id)
          await expect.poll(() => contents(view), `${id} by its link`).toEqual(chosen)
          await explorer.shown(written)
        }
      }
    })

    test('is walked by keys, and saves its files; neither that nor opening it runs the model', async ({
      explorer,
      page,
    }, info) => {
      test.setTimeout(240_000)
      const tasks: Record<string, number[]> = {}
      const runs = new Map<string, number>()
      for await (const { declared, model, view } of walk(explorer, page, room)) {
        const { id, keyHelp } = declared
        await explorer.settled()
        const now = await explorer.requestCount('run')
        if (!runs.has(model.name)) await longTasks(page)
        expect(now, `${id} ran the model`).toBe(runs.get(model.name) ?? now)
        runs.set(model.name, now)
        const walked = view
          .locator('[role=application], [role=slider], [role=grid], [role=listbox], [role=toolbar] *')
          .and(view.locator('[tabindex="0"]'))
          .or(view.getByTestId('fills').locator('.row').first())
        if (keyHelp) await expect(walked.first(), `${id} has keys`).toBeVisible()
        for (let at = 0; at < (await walked.count()); at++) {
          await walked.nth(at).focus()
          for (const key of ['Home', 'ArrowRight', 'ArrowDown', 'End', 'ArrowLeft', 'PageUp'])
            await page.keyboard.press(key)
        }
        await expect(page.getByRole('alert')).toBeEmpty()
        await explorer.settled()
        // The slider of this view shifts the text, and the next view's link takes the shift back: both run the model.
        if (id === 'shift') runs.delete(model.name)
        else expect(await explorer.requestCount('run'), `keys of ${id} ran the model`).toBe(now)
        tasks[id] = await longTasks(page)
        await expectFiles(page, id)
        await longTasks(page)
      }
      // Recorded, not asserted: on a shared machine any task can be long.
      await info.attach('tasks above 50 ms', { body: JSON.stringify(tasks), contentType: 'application/json' })
    })

    test('follows a text that is longer than the model', async ({ explorer, page }) => {
      const long = walk(explorer, page, room, (_, model) => ({ text: model.long }))
      let last = ''
      let runs = 0
      for await (const { declared, model, info, view } of long) {
        const { id } = declared
        await explorer.settled()
        const limit = info.max_position_embeddings
        // A pair reads its short target, too: the start and three letters.
        const length = limit + (info.encoder ? 4 : 0)
        expect((await explorer.result()).length, `${id} on ${model.name}`).toBe(length)
        const now = await explorer.requestCount('run')
        if (last === model.name) expect(now, `${id} ran the model`).toBe(runs)
        ;[last, runs] = [model.name, now]
        if (room === 'views') await expect(page.getByTestId('notes')).toContainText(`the model’s ${limit} tokens`)
        const picture = await pictureOf(view)
        await expect.poll(() => inked(page, picture), `${id} is blank`).toBeGreaterThan(0.005)
        await expect(page.getByRole('alert')).toBeEmpty()
      }
    })
  })

/** Figures whose numbers exist once they have measured, which their button starts. */
const measuring = ['longer']

/** The lines of a CSV without its comments. */
const linesOf = (csv: Buffer): string[] =>
  csv
    .toString('utf8')
    .split('\r\n')
    .filter((line) => !line.startsWith('#'))

/** Saves all files of the view, and opens them. */
async function expectFiles(page: Page, id: string): Promise<void> {
  const sheet = await openFigure(page, page.getByTestId(`view-${id}`))
  const svg = (await fileOf(page, sheet, 'SVG')).toString('utf8')
  const fault = await page.evaluate(
    (svg) => new DOMParser().parseFromString(svg, 'image/svg+xml').querySelector('parsererror')?.textContent ?? '',
    svg,
  )
  expect(fault, `${id}: SVG`).toBe('')
  expect(svg.length, `${id}: SVG`).toBeGreaterThan(500)
  const png = await fileOf(page, sheet, 'PNG')
  expect(png.subarray(1, 4).toString(), `${id}: PNG`).toBe('PNG')
  await page.keyboard.press('Escape')
  const menu = await openMenu(page, id)
  const file = (name: string) => fileOf(page, menu, name)
  if (measuring.includes(id)) {
    await expect(menu.getByRole('button', { name: /CSV|JSON/ })).toHaveCount(0)
    return page.keyboard.press('Escape')
  }
  const csv = linesOf(await file('CSV'))
  const [first] = Object.values(tablesIn(await file('JSON')))
  expect(first?.columns.length, `${id}: JSON`).toBeGreaterThan(0)
  expect(csv[0]?.split(',').length, `${id}: CSV and JSON have the same columns`).toBeGreaterThanOrEqual(
    first?.columns.length ?? 1,
  )
  expect(csv.length, `${id}: CSV has all rows`).toBeGreaterThan(first?.rows.length ?? 0)
  await page.keyboard.press('Escape')
}

test.describe('@cpu a view', () => {
  test('is a folder, and every folder is a view', async () => {
    const { views } = await declarations()
    expect(views.map(({ id }) => id).sort()).toEqual((await folders()).sort())
  })

  test('follows the model, and says so where it does not serve it', async ({ explorer, page }) => {
    const remove = await serveModels(page)
    const names = ['roformer-english', 'roformer-english-causal', 'marian-numbers']
    await explorer.open({ model: 'roformer-english' })
    const { views, servesModel } = await declarations()
    const refused: string[] = []
    const unserved: string[] = []
    for (const declared of views) {
      const { id } = declared
      const view = page.getByTestId(`view-${id}`)
      // There and back: the view stays open while its model changes.
      for (const model of [...names, ...names.toReversed()]) {
        const link = new URLSearchParams({ model, open: id })
        await page.evaluate((hash) => (location.hash = hash), `#/explorer?${link}`)
        const loaded = await explorer.message('loaded', ({ model: { name } }) => name === model)
        await explorer.settled()
        const note = view.locator('.note').filter({ hasText: 'This model' })
        const headline = page.getByTestId('headline').filter({ hasText: /./ })
        // Either a note or a headline, whatever was there before.
        const counts = async () => `${await note.count()} and ${await headline.count()}`
        await expect.poll(counts, `${id} of ${model}`).toMatch(/^(1 and 0|0 and 1)$/)
        if ((await note.count()) > 0) refused.push(`${id} of ${model}`)
        if (!servesModel(declared, loaded.model)) unserved.push(`${id} of ${model}`)
      }
      await expect(page.getByRole('alert')).toBeEmpty()
    }
    expect(refused).toEqual(unserved)
    expect(refused).toContain('masks of roformer-english')
    await remove()
  })

  test('hands over every head, too, as maps, by distance and by pairs', async ({ explorer, page }) => {
    await explorer.open({ text })
    const runs = await explorer.requestCount('run')
    const { layers, heads } = await explorer.answered('statistics')
    for (const [glyph, columns] of [
      ['maps', 11],
      ['distance', 20],
      ['pairs', 3],
    ] as const) {
      await page.getByTestId('head-grid-show').getByText(glyph).click()
      const dock = page.getByRole('complementary')
      const sheet = await openFigure(page, dock)
      const svgOf = async () => (await fileOf(page, sheet, 'SVG')).toString('utf8')
      const drawn = { maps: 1, distance: 0, pairs: layers * heads }[glyph]
      // The painted maps are requested when the sheet opens.
      await expect.poll(async () => (await svgOf()).match(/<image /g)?.length ?? 0, `${glyph}: SVG`).toBe(drawn)
      const svg = await svgOf()
      expect(svg.match(/<path /g)?.length ?? 0, `${glyph}: SVG`).toBe(glyph === 'distance' ? 2 * layers * heads : 0)
      expect((await fileOf(page, sheet, 'PNG')).subarray(1, 4).toString()).toBe('PNG')
      await page.keyboard.press('Escape')
      await page.getByTestId('more-heads').click()
      const menu = dock
        .getByRole('group')
        .filter({ has: page.getByRole('heading') })
        .first()
      const file = (name: string) => fileOf(page, menu, name)
      const csv = linesOf(await file('CSV'))
      const [first] = Object.values(tablesIn(await file('JSON')))
      expect(first?.rows.length, `${glyph}: a row a head`).toBe(layers * heads)
      expect(first?.columns.length, glyph).toBeGreaterThanOrEqual(columns)
      expect(csv[0]?.split(',').length).toBeGreaterThanOrEqual(columns)
      await page.keyboard.press('Escape')
    }
    expect(await explorer.requestCount('run')).toBe(runs)
  })
})
