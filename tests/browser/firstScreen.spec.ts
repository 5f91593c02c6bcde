import { expect, test } from './explorer'

test.describe('@cpu the first screen', () => {
  test.use({ model: 'bundled', viewport: { width: 1280, height: 720 } })

  for (const model of ['roformer-english', 'roformer-english-causal']) {
    test(`of ${model} is whole without scrolling`, async ({ explorer, page }) => {
      await explorer.open({ model })
      for (const part of ['text', 'guess', 'headline', 'attention-map-readout', 'score-scene', 'walk']) {
        await expect(page.getByTestId(part)).toBeInViewport({ ratio: 1 })
      }
      // The message about loading takes no space any more.
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollHeight))
        .toBe(page.viewportSize()?.height)
    })
  }

  test('is scrolled away on a phone, and who looks at whom stays in sight', async ({ explorer, page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await explorer.open({ open: 'mute' })
    await expect(page.getByTestId('mute')).toBeVisible()
    const looking = page.getByTestId('looking')
    await expect(looking).toHaveCount(0)
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await expect(looking).toHaveText('looked 9 → and 8 · head L2·H6 · 0.77')
    await looking.click()
    await expect(page.getByTestId('text')).toBeInViewport()
    await expect(looking).toHaveCount(0)
  })
})
