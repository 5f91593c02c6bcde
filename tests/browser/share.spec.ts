// The word "Share" at a view's title.
import { expect, test } from './explorer'

test.describe('@cpu Share', () => {
  test('copies the present link, and says so', async ({ explorer, page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await explorer.open({ layer: '1', head: '3' })
    const view = page.getByTestId('view-map')
    await view.getByRole('button', { name: 'Share: Attention map' }).click()
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

  test('copies what a story shows, while the address stays', async ({ explorer, page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    // A link without a cell gets the strongest one later.
    await explorer.open({ text: 'the cat sat on the mat .', layer: '0', head: '1', query: '2', key: '3' })
    // The address names the model soon after it is loaded.
    await page.waitForURL(/model=/)
    const link = page.url()
    await page.locator('[data-story=oneBack]').click()
    await expect(page.getByTestId('story-words')).not.toBeEmpty()
    await page
      .getByTestId('view-map')
      .getByRole('button', { name: /^Share/ })
      .click()
    await expect(page.getByTestId('view-map').getByText('Link copied')).toBeVisible()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(page.url()).toBe(link)
    const shown = await explorer.textBox.inputValue()
    expect(new URLSearchParams(copied.slice(copied.indexOf('?'))).get('text')).toBe(shown)
    expect(shown).not.toBe('the cat sat on the mat .')
  })

  test('copies a change that the address does not have yet', async ({ explorer, page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await explorer.open({ layer: '1', head: '3' })
    const button = page.getByTestId('view-map').getByRole('button', { name: /^Share/ })
    // In one task: the address follows a small change a quarter of a second later.
    const early = await button.evaluate((share) => {
      window.dispatchEvent(new KeyboardEvent('keydown', { key: '[', bubbles: true }))
      ;(share as HTMLButtonElement).click()
      return location.href
    })
    await expect(page.getByTestId('view-map').getByText('Link copied')).toBeVisible()
    expect(early).toContain('head=3')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('head=2')
  })
})
