// Results of another text or model are neither announced nor saved.
import type { Page } from '@playwright/test'
import { expect, holdMessages, test } from './explorer'
import { openFigure } from './walk'

const files = (page: Page, view: string) => page.getByTestId(`view-${view}`).getByRole('button', { name: /CSV|JSON/ })

test('@cpu statistics of the text before are not the new one’s', async ({ explorer, page }) => {
  await explorer.open({ text: 'the cat sat on the mat .', open: 'points', 'heads.by': 'entropy' })
  const headline = page.getByTestId('headline')
  await expect(headline).toBeVisible()
  await expect(page.getByTestId('points-scene')).toBeVisible()
  const bars = page.getByRole('gridcell', { name: /layer 0, head 1, .*bits/ })
  await expect(bars).toHaveCount(1)
  const before = await headline.innerText()
  const release = await holdMessages(page, 'statistics')
  await explorer.resultAfter(() => explorer.type('the dog ran to the old house and the cat sat on it .'))
  await expect(headline).toBeHidden()
  await expect(bars).toHaveCount(0)
  await page.getByTestId('more-points').click()
  await expect(page.getByTestId('view-points').getByRole('heading', { name: 'Formula' })).toBeVisible()
  await expect(files(page, 'points')).toHaveCount(0)
  await release()
  await expect(headline).toBeVisible()
  await expect(files(page, 'points')).toHaveCount(2)
  await expect(bars).toHaveCount(1)
  expect(await headline.innerText()).not.toBe(before)
})

test.describe('the bundled model', () => {
  test.use({ model: 'bundled' })

  test('@cpu the reason of a score before is hidden below the headline, and the views keep their place', async ({
    explorer,
    page,
  }) => {
    await explorer.open()
    await explorer.settled()
    const why = page.getByTestId('headline').locator('.why')
    const top = async () => (await page.getByTestId('view-map').boundingBox())?.y
    await expect(why).toBeVisible()
    const before = await top()
    const release = await holdMessages(page, 'explain')
    await explorer.resultAfter(() => explorer.type('A young woman read a letter from her brother .'))
    await expect(page.getByTestId('headline')).toBeVisible()
    await expect(why).toBeHidden()
    expect(await top()).toBe(before)
    await release()
    await expect(why).toBeVisible()
    expect(await top()).toBe(before)
  })
})

test('@cpu a figure is saved of the text on screen alone', async ({ explorer, page }) => {
  await explorer.open({ text: 'the cat sat on the mat .', open: 'points' })
  const sheet = await openFigure(page, page.getByTestId('view-points'))
  const save = sheet.getByRole('button', { name: /SVG|PNG|PDF/ })
  await expect(save).toHaveCount(3)
  for (const button of await save.all()) await expect(button).toBeEnabled()
  const release = await holdMessages(page, 'statistics')
  const text = 'the dog ran to the old house and the cat sat on it .'
  await explorer.resultAfter(() =>
    page.evaluate((text) => {
      const link = new URLSearchParams(location.hash.slice(location.hash.indexOf('?')))
      link.set('text', text)
      location.hash = `/explorer?${link.toString()}`
    }, text),
  )
  await expect(sheet.getByRole('status')).toContainText('You can save the figure as soon as the new result is there.')
  for (const button of await save.all()) await expect(button).toBeDisabled()
  await release()
  for (const button of await save.all()) await expect(button).toBeEnabled()
  await expect(sheet.getByTestId('figure-preview')).toHaveAttribute('alt', new RegExp(text.slice(0, 20)))
})

test.describe('@cpu a view that does not serve the next model', () => {
  test.use({ model: 'bundled' })

  test('says nothing of the one before, and hands over none of its numbers', async ({ explorer, page }) => {
    await explorer.visit({ model: 'marian-numbers', text: '>>hu<<1984', open: 'masks' })
    await expect(page.getByTestId('headline')).toContainText('keys')
    await page.getByTestId('more-masks').click()
    await expect(files(page, 'masks')).toHaveCount(2)
    await page.evaluate(() => (location.hash = location.hash.replace('marian-numbers', 'roformer-english')))
    await expect(page.getByTestId('view-masks')).toContainText('Not available for this model')
    await expect(page.getByTestId('headline')).toHaveCount(0)
    await expect(files(page, 'masks')).toHaveCount(0)
    await page.getByRole('button', { name: 'Show the attention map instead' }).click()
    await expect(page.getByTestId('attention-map-readout')).toBeVisible()
    await expect(page.getByTestId('view-masks')).toHaveCount(0)
  })

  test('leads to the map on a phone, too', async ({ explorer, page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await explorer.visit({ model: 'marian-numbers', text: '>>hu<<1984', open: 'rotate,score' })
    await page.getByRole('button', { name: 'Show the attention map instead' }).click()
    await expect(page.getByTestId('view-map')).toBeVisible()
  })
})
