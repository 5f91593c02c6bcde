// One walk over all views: each opens by its link, shows itself without a fault in both schemes, restores its settings, is walked by keys,
// and hands over its files. Nothing of this runs the model.
import { faults } from './axe'
import { expect, test } from './explorer'
import { fileOf, openMenu, show, text, viewsOf, type Numbers } from './walk'

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1280]) {
    test.describe(`@cpu ${colorScheme} at ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 900 } })

      test('axe finds nothing in any view, and none is wider than the page', async ({ explorer, page }) => {
        await explorer.open({ text })
        const ids =
          width > 700
            ? await viewsOf(page)
            : [
                'map',
                'score',
                'lines',
                'mute',
                'distance',
                'points',
                'predictions',
                'candidates',
                'flow',
                'compare',
                'shift',
              ]
        for (const id of ids) {
          await show(page, id)
          expect(await faults(page, 10), id).toEqual([])
          const wider = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
          expect(await page.evaluate(wider), `${id} is wider than the page`).toBeLessThanOrEqual(0)
        }
      })
    })
  }
}

test.describe('@cpu a view', () => {
  test.use({ viewport: { width: 1280, height: 900 } })

  test('is restored by its link with all its settings', async ({ explorer, page }) => {
    await explorer.open({ text })
    const restored: string[] = []
    for (const id of await viewsOf(page)) {
      const view = await show(page, id)
      const selects = view.locator('select')
      const chosen: string[] = []
      for (let at = 0; at < (await selects.count()); at++) {
        const values = await selects
          .nth(at)
          .locator('option:not([disabled])')
          .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value))
        chosen.push(values.at(-1) ?? '')
        await selects.nth(at).selectOption(chosen.at(-1) ?? '')
      }
      const values = async () => {
        const now: string[] = []
        for (let at = 0; at < (await selects.count()); at++) now.push(await selects.nth(at).inputValue())
        return now
      }
      await expect.poll(values, id).toEqual(chosen)
      if (chosen.length === 0) continue
      // The kind of attention is the model's, wherever it is chosen.
      await expect.poll(() => page.url(), id).toMatch(id === 'shift' ? /[?&]attention=/ : `${id}.`)
      // Small changes are written together, a moment later, and before the page is left: here, before it is read anew.
      await page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
      await page.reload()
      await expect.poll(values, `${id} after a reload`).toEqual(chosen)
      restored.push(id)
    }
    expect(restored, 'views with settings').toEqual(expect.arrayContaining(['map', 'lines', 'points']))
  })

  test('is walked by keys, and neither that nor opening it runs the model', async ({ explorer, page }) => {
    await explorer.open({ text })
    const runs = await explorer.asked('run')
    const reached: string[] = []
    for (const id of await viewsOf(page)) {
      const view = await show(page, id)
      const walked = view
        .locator('[role=application], [role=slider], [role=grid], [role=listbox]')
        .and(view.locator('[tabindex="0"]'))
      for (let at = 0; at < (await walked.count()); at++) {
        // The slider of this view is what it is about: it shifts the text.
        if (id === 'shift') continue
        await walked.nth(at).focus()
        reached.push(id)
        for (const key of ['Home', 'ArrowRight', 'ArrowDown', 'End', 'ArrowLeft', 'PageUp'])
          await page.keyboard.press(key)
      }
      await expect(page.getByRole('alert')).toBeEmpty()
    }
    expect(new Set(reached).size, 'views that were walked').toBeGreaterThanOrEqual(7)
    expect(await explorer.asked('run')).toBe(runs)
  })

  test('hands over its picture and its numbers as files that open', async ({ explorer, page }) => {
    await explorer.open({ text })
    for (const id of await viewsOf(page)) {
      await show(page, id)
      const menu = await openMenu(page, id)
      const file = (name: string) => fileOf(page, menu, name)
      const svg = (await file('SVG')).toString('utf8')
      const fault = await page.evaluate(
        (svg) => new DOMParser().parseFromString(svg, 'image/svg+xml').querySelector('parsererror')?.textContent ?? '',
        svg,
      )
      expect(fault, `${id}: SVG`).toBe('')
      expect(svg.length, `${id}: SVG`).toBeGreaterThan(500)
      const png = await file('PNG, 2 ×')
      expect(png.subarray(1, 4).toString(), `${id}: PNG`).toBe('PNG')
      const csv = (await file('CSV')).toString('utf8').split('\r\n')
      const json = JSON.parse((await file('JSON')).toString('utf8')) as Numbers
      const [first] = Object.values(json)
      expect(first?.columns.length, `${id}: JSON`).toBeGreaterThan(0)
      expect(csv[0]?.split(',').length, `${id}: CSV and JSON have the same columns`).toBeGreaterThanOrEqual(
        first?.columns.length ?? 1,
      )
      expect(csv.length, `${id}: CSV has all rows`).toBeGreaterThan(first?.rows.length ?? 0)
      await page.keyboard.press('Escape')
    }
  })

  test('hands over every head, too, as maps, by distance and by pairs', async ({ explorer, page }) => {
    await explorer.open({ text })
    const runs = await explorer.asked('run')
    const { layers, heads } = await explorer.answered('statistics')
    for (const [glyph, columns] of [
      ['maps', 11],
      ['distance', 20],
      ['pairs', 3],
    ] as const) {
      await page.getByTestId('dock-show').selectOption(glyph)
      await page.getByTestId('more-heads').click()
      const menu = page
        .getByRole('complementary')
        .getByRole('group')
        .filter({ has: page.getByRole('heading') })
        .first()
      const file = (name: string) => fileOf(page, menu, name)
      const svg = (await file('SVG')).toString('utf8')
      const drawn = { maps: 1, distance: 0, pairs: layers * heads }[glyph]
      expect(svg.match(/<image /g)?.length ?? 0, `${glyph}: SVG`).toBe(drawn)
      expect(svg.match(/<path /g)?.length ?? 0, `${glyph}: SVG`).toBe(glyph === 'distance' ? 2 * layers * heads : 0)
      expect((await file('PNG, 2 ×')).subarray(1, 4).toString()).toBe('PNG')
      const csv = (await file('CSV')).toString('utf8').split('\r\n')
      const [first] = Object.values(JSON.parse((await file('JSON')).toString('utf8')) as Numbers)
      expect(first?.rows.length, `${glyph}: a row a head`).toBe(layers * heads)
      expect(first?.columns.length, glyph).toBeGreaterThanOrEqual(columns)
      expect(csv[0]?.split(',').length).toBeGreaterThanOrEqual(columns)
      await page.keyboard.press('Escape')
    }
    expect(await explorer.asked('run')).toBe(runs)
  })
})
