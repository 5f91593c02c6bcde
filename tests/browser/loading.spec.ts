import { expect, test } from './explorer'

test.describe('@cpu a model on its way', () => {
  test('shows its bytes, can be cancelled and begun again', async ({ explorer, page }) => {
    let held = true
    await page.route('**/model.safetensors', (route) => (held ? undefined : route.fallback()))
    await explorer.visit({ text: 'the [MASK] sat .' })
    const loading = page.getByTestId('loading')
    await expect(loading.getByRole('progressbar')).toBeVisible()
    await loading.getByRole('button', { name: 'Cancel' }).click()
    held = false
    await page.getByRole('button', { name: 'Load the model' }).click()
    await explorer.result()
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
