import { expect, test } from './explorer'
import { heads, layers, writeDescribedHeads } from './tinyModel'

const text = 'the [MASK] sat .'

test.describe('@cpu what heads do on average', () => {
  test('is shown where heads.json lies beside the model, and leads to the head', async ({
    explorer,
    page,
    tinyModel,
  }) => {
    await writeDescribedHeads(tinyModel)
    await explorer.open({ text, layer: '0', head: '0' })
    const card = page.getByTestId('known-heads')
    // What a file says is text, never HTML.
    await expect(card).toContainText('<b>A Book</b>')
    const chip = card.getByRole('button', { name: /^one back: / })
    await expect(chip).toHaveAccessibleName(`one back: layer ${layers - 1}, head ${heads - 1}, weight 0.75`)
    await expect(chip).toHaveAttribute('aria-pressed', 'false')
    await chip.click()
    await explorer.shown({ layer: String(layers - 1), head: String(heads - 1) })
    await expect(chip).toHaveAttribute('aria-pressed', 'true')
  })

  test('is left out where there is no heads.json', async ({ explorer, page }) => {
    await explorer.open({ text })
    await expect(page.getByTestId('view-map')).toBeVisible()
    await expect(page.getByTestId('known-heads')).toHaveCount(0)
  })

  test('that cannot be read is said, and the model runs all the same', async ({ explorer, page, tinyModel }) => {
    await writeDescribedHeads(tinyModel, { previous: 2 })
    await explorer.open({ text, room: 'models' })
    await expect(page.getByTestId('loaded-model')).toContainText('heads.json does not describe')
  })
})
