import { expect, test } from './explorer'

test.describe('@cpu the first screen', () => {
  test.use({ model: 'bundled', viewport: { width: 1280, height: 720 } })

  for (const model of ['roformer-english', 'roformer-english-causal']) {
    test(`of ${model} is whole without scrolling`, async ({ explorer, page }) => {
      await explorer.open({ model })
      await expect(page.getByTestId('intro')).toContainText(
        /RoPE turns each word’s query .+ and key .+ by its position/,
      )
      for (const part of ['text', 'guess', 'headline', 'attention-map-readout', 'score-scene', 'walk']) {
        await expect(page.getByTestId(part)).toBeInViewport({ ratio: 1 })
      }
      // The message about loading takes no space any more.
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollHeight))
        .toBe(page.viewportSize()?.height)
    })
  }

  // The most that was seen is 0.015, on a busy machine. A view that jumps by its own height is 0.04 or more.
  const mostShift = 0.03
  for (const [width, height] of [
    [390, 844],
    [768, 1024],
    [1024, 768],
    [1280, 720],
  ] as const) {
    test(`keeps its place while it loads at ${width} × ${height}`, async ({ explorer, page }) => {
      await page.setViewportSize({ width, height })
      await page.addInitScript(() => {
        const shifts: number[] = []
        const add = (entries: PerformanceEntryList) => {
          for (const entry of entries) shifts.push((entry as PerformanceEntry & { value: number }).value)
        }
        const observer = new PerformanceObserver((list) => add(list.getEntries()))
        observer.observe({ type: 'layout-shift', buffered: true })
        Object.assign(window, { shiftsSoFar: () => (add(observer.takeRecords()), shifts) })
      })
      await explorer.open()
      await explorer.settled()
      const shifts = await page.evaluate(() => (window as unknown as { shiftsSoFar(): number[] }).shiftsSoFar())
      expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(mostShift)
    })
  }

  for (const [width, height, pitch] of [
    [1280, 720, 16],
    [1024, 768, 17],
  ] as const) {
    test(`gives the map ${pitch} px a token at ${width} × ${height}`, async ({ explorer, page }) => {
      await page.setViewportSize({ width, height })
      await explorer.open()
      for (const part of ['guess', 'headline', 'attention-map-readout', 'score-scene', 'token-mode']) {
        await expect(page.getByTestId(part)).toBeInViewport({ ratio: 1 })
      }
      const label = await page.getByTestId('token-mode').getByText('A click sets').boundingBox()
      expect(label?.width).toBeGreaterThan(40)
      const side = () => page.locator('[data-view=map] [data-anchor=all]').evaluate((grid) => grid.clientWidth)
      await expect.poll(side).toBeGreaterThanOrEqual(22 * pitch)
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBe(height)
      // Words are longest in Hungarian; stations and stories stay in one row each.
      await explorer.follow({ language: 'hu' })
      await expect.poll(side).toBeGreaterThanOrEqual(22 * 16)
      for (const row of [page.getByTestId('tabs'), page.locator('nav', { has: page.locator('[data-story]') })])
        expect((await row.boundingBox())?.height).toBeLessThan(40)
    })
  }

  test('names every token of the map on a tablet', async ({ explorer, page }) => {
    await page.setViewportSize({ width: 768, height: 1024 })
    await explorer.open()
    const side = () => page.locator('[data-view=map] [data-anchor=all]').evaluate((grid) => grid.clientWidth)
    await expect.poll(side).toBeGreaterThanOrEqual(22 * 12)
  })

  test('of a phone shows the hands that turn, and a tap on the map’s tab shows the map', async ({ explorer, page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await explorer.open()
    const tabs = page.getByTestId('phone-tabs')
    const dials = page.locator('[data-view=score] [data-anchor=dials]')
    await expect(page.getByTestId('headline')).toContainText('Why looked')
    await expect(dials).toBeInViewport({ ratio: 1 })
    await expect(tabs.getByText('Score')).toHaveAttribute('aria-pressed', 'true')
    await tabs.getByText('Map').click()
    await expect(page.getByTestId('view-map')).toBeVisible()
    // A model that does not rotate has dials, too.
    await explorer.open({ model: 'marian-numbers' })
    await expect(dials).toBeInViewport({ ratio: 1 })
    const low = async () => Number((await dials.boundingBox())?.y) + Number((await dials.boundingBox())?.height)
    await expect.poll(async () => low()).toBeLessThanOrEqual(Number((await tabs.boundingBox())?.y))
  })

  test('has the stations of an encoder–decoder in a row on a small tablet', async ({ explorer, page }) => {
    await page.setViewportSize({ width: 700, height: 1024 })
    await explorer.open({ model: 'marian-numbers' })
    for (const language of ['en', 'ko', 'hu']) {
      await explorer.follow({ language })
      const heights = () => page.getByTestId('tabs').locator('.path').boundingBox()
      await expect.poll(async () => (await heights())?.height, language).toBeLessThan(36)
    }
  })

  test('has room for each menu of the top bar', async ({ explorer, page }) => {
    await explorer.open()
    const menus = page.locator('header .menus button[aria-expanded]:visible')
    for (const language of ['hu', 'ko', 'en']) {
      await explorer.follow({ language })
      for (const width of [1024, 768, 390]) {
        await page.setViewportSize({ width, height: 768 })
        const apart = async () => {
          const boxes = await menus.evaluateAll((all) =>
            all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect),
          )
          return boxes.flatMap(({ left }, index) => (index > 0 ? [left - (boxes[index - 1]?.right ?? 0)] : []))
        }
        await expect.poll(async () => Math.min(...(await apart())), `${language} ${width}`).toBeGreaterThanOrEqual(0)
      }
    }
  })

  test('cuts no line of help, nor the settings of sampling on a phone', async ({ explorer, page }) => {
    const cut = (selector: string) =>
      page.locator(selector).evaluateAll((lines) =>
        lines.flatMap((line) => {
          const isCut = getComputedStyle(line).visibility === 'visible' && line.scrollWidth > line.clientWidth
          return isCut ? [line.textContent] : []
        }),
      )
    for (const open of ['flow', 'distance']) {
      await explorer.open({ open })
      await expect(page.getByTestId(`view-${open}`).locator('svg, canvas').first()).toBeVisible()
      const help = page.locator('[data-view] header p:visible').first()
      await expect(help).not.toBeEmpty()
      await expect.poll(() => cut('[data-view] header p')).toEqual([])
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await explorer.open({ model: 'roformer-english-causal' })
    await expect(page.getByTestId('sampling')).toBeVisible()
    expect(await cut('[data-testid=sampling] .now')).toEqual([])
  })

  test('folds the grid of all heads on a small screen until it is opened', async ({ explorer, page }) => {
    await page.setViewportSize({ width: 1024, height: 768 })
    await explorer.open()
    const grid = page.getByTestId('attention-grid')
    await expect(page.getByTestId('head-patterns')).toBeVisible()
    await expect(grid).toHaveCount(0)
    await page.locator('[data-kind=next]').click()
    await expect(page.getByTestId('headline')).toContainText('L2·H5')
    await page.getByTestId('unfold-heads').click()
    await expect(grid).toBeVisible()
    const fold = page.getByRole('button', { name: 'Close the grid of all heads' })
    await expect(fold).toBeFocused()
    await fold.click()
    await expect(grid).toHaveCount(0)
    await expect(page.getByTestId('unfold-heads')).toBeFocused()
  })

  test('is scrolled away on a phone, and who looks at whom stays in sight', async ({ explorer, page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await explorer.open({ open: 'mute' })
    await expect(page.getByTestId('mute')).toBeVisible()
    await expect(page.getByTestId('tokens').getByTestId('guess')).toBeInViewport()
    const looking = page.getByTestId('looking')
    await expect(looking).toHaveCount(0)
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await expect(looking).toHaveText('looked 9 → and 8 · head L2·H6 · 0.77')
    await looking.click()
    await expect(page.getByTestId('text')).toBeInViewport()
    await expect(looking).toHaveCount(0)
  })
})
