import { expect, test } from './explorer'

test.describe('links', () => {
  test('a link restores text, head, tokens and backend', async ({ explorer, page }) => {
    await explorer.open({ text: 'the [MASK] sat on one rose .', layer: '1', head: '2', query: '4', key: '3' })
    await expect(explorer.textBox).toHaveValue('the [MASK] sat on one rose .')
    await expect(page.getByRole('heading', { name: 'Layer 1, head 2' })).toBeVisible()
    await expect(page.getByTestId('attention-map-readout')).toContainText('on 4 → sat 3')
    await expect(page.getByTestId('backend')).toHaveAttribute('data-reason', 'asked')
  })

  test('@cpu what is chosen goes into the fragment, never into the query', async ({ explorer, page }) => {
    await explorer.open()
    await explorer.type('the cat & dog = 100 % [MASK] ?')
    await explorer.shown({ text: 'the cat & dog = 100 % [MASK] ?' })
    expect(new URL(page.url()).search).toBe('')
    await page.reload()
    await expect(explorer.textBox).toHaveValue('the cat & dog = 100 % [MASK] ?')
  })

  test('@cpu rooms are steps of the history', async ({ explorer, page }) => {
    await explorer.open({ text: 'the [MASK] sat .' })
    await page.getByRole('link', { name: 'Read' }).click()
    await expect(page.getByRole('heading', { name: '1 Who stands where?' })).toBeVisible()
    await page.getByRole('link', { name: 'About' }).click()
    // The page brings its source code along.
    const archive = await page.getByRole('link', { name: 'ropescope-source.tar.gz' }).getAttribute('href')
    const source = await (await page.request.get(new URL(archive ?? '', page.url()).href)).body()
    expect([...source.subarray(0, 2)], 'gzip').toEqual([0x1f, 0x8b])
    await page.goBack()
    await expect(page.getByRole('heading', { name: '1 Who stands where?' })).toBeVisible()
    await page.goBack()
    await expect(explorer.textBox).toHaveValue('the [MASK] sat .')
  })

  test('@cpu a fragment that makes no sense is no error', async ({ explorer, page }) => {
    await explorer.open({ layer: '99999999999', head: '-3', query: 'NaN', key: '1e9', pair: '-1', room: 'cellar' })
    await expect(page.getByRole('heading', { name: /Layer 1, head/ })).toBeVisible()
    await expect(page.getByRole('alert')).toBeEmpty()
  })
})
