import { expect, test } from './explorer'

test.describe('@cpu a model on its way', () => {
  test('shows its bytes, can be cancelled and begun again', async ({ explorer, page }) => {
    let isWaiting = true
    await page.route('**/model.safetensors', (route) => (isWaiting ? undefined : route.fallback()))
    await explorer.visit({ text: 'the [MASK] sat .' })
    const loading = page.getByTestId('loading')
    await expect(loading.getByRole('progressbar')).toBeVisible()
    // No control and no caption of what is not there is visible.
    await expect(page.getByTestId('view-map').getByRole('heading')).toBeVisible()
    for (const name of ['tabs', 'token-mode', 'more-map']) await expect(page.getByTestId(name)).toBeHidden()
    await expect(page.getByTestId('view-map')).not.toContainText(/Appears|sum to 1|Share/)
    await loading.getByRole('button', { name: 'Cancel' }).click()
    isWaiting = false
    await page.getByRole('button', { name: 'Load the model' }).click()
    await explorer.result()
    for (const name of ['tabs', 'token-mode', 'more-map']) await expect(page.getByTestId(name)).toBeVisible()
  })

  test('that does not come is said in words, and can be tried again', async ({ explorer, page }) => {
    let missing = true
    await page.route('**/model.safetensors', (route) => (missing ? route.fulfill({ status: 404 }) : route.fallback()))
    await explorer.visit({ text: 'the [MASK] sat .' })
    const trouble = page.getByTestId('trouble-load')
    await expect(trouble).toContainText(/404|not found/i)
    missing = false
    await trouble.getByRole('button', { name: 'Try again' }).click()
    await explorer.result()
    await expect(trouble).toBeHidden()
  })
})

test.describe('@cpu the bundled model on its way', () => {
  test.use({ model: 'bundled' })

  test('turns dials of its own frequencies until there is a result', async ({ explorer, page }) => {
    let letGo = () => {}
    const promise = new Promise<void>((resolve) => (letGo = resolve))
    await page.route('**/tokenizer.json', async (route) => {
      await promise
      await route.fallback()
    })
    await explorer.visit({ text: 'the [MASK] sat .' })
    const dials = page.getByRole('img', { name: /^Until the first result: how 16 frequency pairs.* within 512 tokens/ })
    await expect(dials.locator('line')).toHaveCount(16)
    await expect(dials.locator('text').first()).toHaveText('6.3')
    await expect(dials.locator('text').last()).toHaveText('35,333')
    letGo()
    await explorer.result()
    await expect(dials).toBeHidden()
  })
})
