// The word "Share" at a view's title.
import { expect, test } from './explorer'

test.describe('@cpu Share', () => {
  test('copies the present link, and says so', async ({ explorer, page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await explorer.open({ layer: '1', head: '3' })
    const view = page.getByTestId('view-map')
    await view.getByRole('button', { name: 'Share: Map of attention' }).click()
    await expect(view.getByText('Link copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
    await page.keyboard.press('Escape')
    await expect(view.getByText('Link copied')).toBeHidden()
  })

  test('offers the link to be copied by hand where the clipboard is blocked', async ({ explorer, page }) => {
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('blocked', 'NotAllowedError'))
    })
    await explorer.open()
    const share = page.getByTestId('view-map').getByRole('button', { name: /^Share/ })
    await share.click()
    const field = page.getByLabel('Clipboard blocked. Select and copy:')
    await expect(field).toBeFocused()
    await expect(field).toHaveValue(page.url())
    expect(await field.evaluate((area: HTMLTextAreaElement) => area.selectionEnd)).toBe(page.url().length)
    await page.keyboard.press('Escape')
    await expect(field).toBeHidden()
    await expect(share).toBeFocused()
  })
})
