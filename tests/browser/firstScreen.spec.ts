import { expect, test } from './explorer'

test.describe('@cpu the first screen', () => {
  test.use({ model: 'bundled', viewport: { width: 1280, height: 720 } })

  for (const model of ['roformer-english', 'roformer-english-causal']) {
    test(`of ${model} is whole without scrolling`, async ({ explorer, page }) => {
      await explorer.open({ model })
      for (const part of ['text', 'guess', 'headline', 'attention-map-readout', 'score-bars', 'score-sweep']) {
        await expect(page.getByTestId(part)).toBeInViewport({ ratio: 1 })
      }
      // What stood above while the model was on its way takes no room any more.
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollHeight))
        .toBe(page.viewportSize()?.height)
    })
  }
})
