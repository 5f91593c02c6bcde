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
    const row = card.getByRole('row').filter({ hasText: 'previous token' })
    await expect(row.getByRole('cell')).toHaveText([`${layers - 1} · ${heads - 1}`, '0.75', '0.13'])
    await row.getByRole('button').click()
    await explorer.shown({ layer: String(layers - 1), head: String(heads - 1) })
    await expect(row.getByRole('cell')).toHaveText([`${layers - 1} · ${heads - 1}`, '0.75', '0.75'])
    await expect(row.getByRole('button')).toHaveAttribute('aria-pressed', 'true')
  })

  test('is left out where there is no heads.json', async ({ explorer, page }) => {
    await explorer.open({ text })
    await expect(page.getByTestId('attention-map')).toBeVisible()
    await expect(page.getByTestId('known-heads')).toHaveCount(0)
  })

  test('that cannot be read is said, and the model runs all the same', async ({ explorer, page, tinyModel }) => {
    await writeDescribedHeads(tinyModel, { previous: 2 })
    await explorer.open({ text, room: 'models' })
    await expect(page.getByTestId('loaded-model')).toContainText('heads.json does not describe')
  })
})
