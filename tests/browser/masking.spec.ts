import { expect, test } from './explorer'

const text = 'the cat sat on the mat .'

test('@cpu masking', async ({ explorer, page }) => {
  await explorer.step('a click on a token masks it, another gives the word back', { text }, async () => {
    const tokens = page.getByTestId('tokens')
    await page.getByTestId('token-mode').locator('label', { hasText: 'mask' }).click()
    const masked = await explorer.resultAfter(() => tokens.getByRole('button', { name: 'cat, position 2' }).click())
    expect(Array.from(masked.rows)).toEqual([2])
    await expect(explorer.textBox).toHaveValue('the [MASK] sat on the mat .')
    await explorer.resultAfter(() => tokens.getByRole('button', { name: /^\[MASK\] → .*, position 2/ }).click())
    await expect(explorer.textBox).toHaveValue('the cat sat on the mat .')
  })

  await explorer.step('the keys m, q and k do the same for the focused token', { text }, async () => {
    const tokens = page.getByTestId('tokens').getByRole('button')
    await tokens.nth(1).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('q')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('k')
    await explorer.shown({ query: '3', key: '4' })
    await explorer.resultAfter(() => page.keyboard.press('m'))
    await expect(explorer.textBox).toHaveValue('the cat sat [MASK] the mat .')
  })

  await explorer.step('a click on a fill puts it in', { text }, async () => {
    await explorer.resultAfter(() => explorer.type('the [MASK] sat .'))
    await page.getByTestId('tabs').locator('[data-view=predictions]').click()
    const fill = page.getByTestId('fills').getByRole('button', { name: 'insert it' }).first()
    // The mask shows the same one.
    const token = await page.getByTestId('guess').locator('bdi').innerText()
    await expect(fill).toContainText(token)
    await explorer.resultAfter(() => fill.click())
    const written = token.startsWith('##') ? `the${token.slice(2)} sat .` : `the ${token} sat .`
    await expect(explorer.textBox).toHaveValue(written)
    // Its button is gone.
    await expect(page.getByTestId('fills')).toBeFocused()
  })

  await explorer.step('every mask has its fills, likeliest first', { text }, async () => {
    const { rows, topProbabilities } = await explorer.resultAfter(() => explorer.type('[MASK] cat [MASK] [MASK] .'))
    expect(Array.from(rows)).toEqual([1, 3, 4])
    const count = topProbabilities.length / 3
    for (let row = 0; row < 3; row++) {
      const fills = Array.from(topProbabilities.slice(row * count, (row + 1) * count))
      expect(fills).toEqual(fills.toSorted((a, b) => b - a))
    }
    await page.getByTestId('tabs').locator('[data-view=predictions]').click()
    const fills = page.getByTestId('fills')
    const masks = fills.getByRole('group').getByRole('button')
    await expect(masks).toHaveCount(3)
    for (const [row, position] of [1, 3, 4].entries()) {
      await masks.nth(row).click()
      await expect(fills.getByRole('heading')).toHaveText(`[MASK] ${position}`)
      await explorer.shown({ query: String(position) })
    }
  })
})
