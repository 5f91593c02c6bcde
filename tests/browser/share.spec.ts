// The word "Share" at a view's title.
import { expect, test } from './explorer'

test('@cpu Share', async ({ explorer, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await explorer.step('copies the present link, and says so', { layer: '1', head: '3' }, async () => {
    const view = page.getByTestId('view-map')
    await view.getByRole('button', { name: 'Share: Map of attention' }).click()
    await expect(view.getByText('Link copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
    await page.keyboard.press('Escape')
    await expect(view.getByText('Link copied')).toBeHidden()
  })

  // A link without a cell gets the strongest one later.
  const cell = { text: 'the cat sat on the mat .', layer: '0', head: '1', query: '2', key: '3' }
  await explorer.step('copies what a story shows, while the address stays', cell, async () => {
    await explorer.shown({ model: 'roformer-english', ...cell })
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

  await explorer.step('copies a change that the address does not have yet', { layer: '1', head: '3' }, async () => {
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

  await explorer.step('offers the link to be copied by hand where the clipboard is blocked', {}, async () => {
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('blocked', 'NotAllowedError'))
    })
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
