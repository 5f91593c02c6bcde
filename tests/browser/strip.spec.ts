// The strip of the model: each station opens what it names, by the pointer and by keys, for each kind of model.
import { expect, test } from './explorer'

const rotating = ['text', 'tokens', 'qk', 'rotate', 'score', 'weight', 'value', 'feedForward', 'layers', 'guess']
/** The stations of each model, in their order. */
const models = {
  'roformer-english': rotating,
  'roformer-english-causal': rotating,
  'roformer-linear-english': rotating,
  'marian-numbers': rotating.filter((station) => station !== 'rotate'),
}

test.use({ model: 'bundled' })

test('@cpu the strip of the model', async ({ explorer, page }) => {
  for (const [model, stations] of Object.entries(models)) {
    await explorer.step(`of ${model} has its stations, and each opens its view`, { model }, async () => {
      const runs = await explorer.requestCount('run')
      const strip = page.getByTestId('tabs')
      const buttons = strip.locator('[data-station]')
      await expect
        .poll(() => buttons.evaluateAll((all) => all.map((one) => one.getAttribute('data-station'))))
        .toEqual(stations)
      for (const station of stations) {
        const button = strip.locator(`[data-station=${station}]`)
        await button.click()
        if (station === 'text') await expect(page.getByTestId('text').first()).toBeFocused()
        else if (station === 'tokens') await expect(page.getByTestId('tokens').locator(':focus')).toHaveCount(1)
        else {
          await expect(button).toHaveAttribute('aria-pressed', 'true')
          await expect(page.getByTestId('headline')).not.toBeEmpty()
        }
      }
      expect(await explorer.requestCount('run')).toBe(runs)
    })
  }

  await explorer.step(
    'of an encoder–decoder has its parts in order, the present one with its stations',
    { model: 'marian-numbers' },
    async () => {
      const strip = page.getByTestId('tabs')
      const order = () =>
        strip
          .locator('[data-part], [data-station]')
          .evaluateAll((all) => all.map((one) => one.getAttribute('data-part') ?? one.getAttribute('data-station')))
      const inner = ['qk', 'score', 'weight', 'value', 'feedForward', 'layers']
      await expect.poll(order).toEqual(['text', 'tokens', 'encoder', 'decoder', 'cross', ...inner, 'guess'])
      await expect(strip.locator('[data-part=cross]')).toHaveAttribute('aria-pressed', 'true')
      await strip.locator('[data-part=encoder]').click()
      await explorer.shown({ part: 'encoder' })
      await expect.poll(order).toEqual(['text', 'tokens', 'encoder', ...inner, 'decoder', 'cross', 'guess'])
      // What the model predicts is no matter of the encoder: the text is back.
      await strip.locator('[data-station=guess]').click()
      await expect(page.getByTestId('view-predictions')).toBeVisible()
      await expect(strip.locator('[data-part=cross]')).toHaveAttribute('aria-pressed', 'true')
      await explorer.follow({ model: 'marian-numbers', part: 'encoder', open: 'predictions' })
      await expect(page.getByTestId('headline')).toContainText('The encoder predicts no tokens.')
    },
  )
})

// From so many px on, one row has room for all. The three parts of an encoder–decoder need more of them.
for (const [model, row] of [
  ['roformer-english', 1280],
  ['marian-numbers', 1920],
] as const)
  test(`@cpu the strip of ${model} has a row for its stations, and at most one for their views`, async ({
    explorer,
    page,
  }) => {
    for (const language of ['en', 'ko', 'hu'])
      await explorer.step(language, { model, language, open: 'map' }, async () => {
        const strip = page.getByTestId('tabs')
        for (const width of [768, 1024, 1280, 2560]) {
          await page.setViewportSize({ width, height: 800 })
          await expect(strip.locator('[data-view=lines]'), `${width} px`).toBeInViewport()
          const rows = () =>
            strip.locator('button').evaluateAll((buttons) => {
              const tops = buttons.map((button) => Math.round(button.getBoundingClientRect().top / 8))
              return new Set(tops).size
            })
          await expect.poll(rows, `${width} px`).toBeLessThanOrEqual(width < row ? 2 : 1)
        }
      })
  })

test('@cpu on a phone the menu of views has the stations of the model in order', async ({ explorer, page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await explorer.open()
  const groups = () =>
    page
      .getByTestId('phone-tabs')
      .locator('optgroup')
      .evaluateAll((all) =>
        all.map((group) => [group.getAttribute('label'), group.querySelector('option')?.getAttribute('value')]),
      )
  await expect.poll(groups).toEqual([
    ['rotate', 'mute'],
    ['weight', 'lines'],
    ['feed-forward', 'neurons'],
    ['layers', 'residual'],
    ['guess', 'predictions'],
    ['All heads together', 'points'],
  ])
  await page.getByTestId('phone-tabs').getByRole('combobox').selectOption('flow')
  await expect(page.getByTestId('view-flow')).toBeVisible()
})

test('@cpu the strip of the model is one stop of the Tab key, and arrows walk it', async ({ explorer, page }) => {
  await explorer.open({ open: 'map' })
  const strip = page.getByTestId('tabs')
  await expect(strip.locator('[tabindex="0"]')).toHaveCount(1)
  await strip.locator('[data-station=score]').focus()
  await page.keyboard.press('ArrowRight')
  await expect(strip.locator('[data-station=weight]')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(strip.locator('[data-station=score]')).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByTestId('view-score')).toBeVisible()
})
