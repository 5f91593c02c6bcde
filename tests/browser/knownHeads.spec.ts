import { expect, test } from './explorer'
import { heads, layers, writeDescribedHeads } from './tinyModel'

const text = 'the [MASK] sat .'

test.describe('@cpu what heads do on average', () => {
  test('is shown where heads.json lies beside the model, and leads to the head', async ({
    explorer,
    page,
    tinyModel,
  }) => {
    await writeDescribedHeads(tinyModel, { repeated: 0.0625 })
    await explorer.open({ text, layer: '0', head: '0' })
    const card = page.getByTestId('head-patterns')
    // A file's texts are never HTML.
    await expect(card).toContainText('<b>A Book</b>')
    const repeated = card.locator('[data-kind=repeated]')
    await expect(repeated).toHaveText(/0\.06\*/)
    // Measurements on the text take precedence over the file.
    const { numbers } = await explorer.answered('statistics')
    const previous = Array.from({ length: layers * heads }, (_, index) => numbers[10 * index + 2] ?? 0)
    const strongest = previous.indexOf(Math.max(...previous))
    const chip = card.locator('[data-kind=previous]')
    await chip.click()
    await explorer.shown({ layer: String(Math.floor(strongest / heads)), head: String(strongest % heads) })
    await expect(chip).toHaveAttribute('aria-pressed', 'true')
  })

  test('is left out where there is no heads.json', async ({ explorer, page }) => {
    await explorer.open({ text })
    await expect(page.getByTestId('view-map')).toBeVisible()
    await expect(page.getByTestId('head-patterns').locator('[data-kind=previous]')).toBeVisible()
    await expect(page.getByTestId('head-patterns').locator('[data-kind=repeated]')).toHaveCount(0)
  })

  test('that cannot be read is said, and the model runs all the same', async ({ explorer, page, tinyModel }) => {
    await writeDescribedHeads(tinyModel, { previous: 2 })
    await explorer.open({ text, room: 'models' })
    await expect(page.getByTestId('loaded-model')).toContainText('heads.json does not describe')
  })
})
