import { expect, test } from './explorer'

test.describe('@cpu the laboratory', () => {
  test.beforeEach(async ({ explorer }) => {
    await explorer.visit({ room: 'laboratory' })
    await explorer.answered('decay')
  })

  test('the head size slider moves dials, angles and decay', async ({ explorer, page }) => {
    const dials = page.getByTestId('rotation').getByRole('option')
    await expect(dials).toHaveCount(32)
    await page.getByRole('slider', { name: 'head size d' }).press('Home')
    await expect(dials).toHaveCount(1)
    await explorer.shown({ headSize: '2' })
    // One pair: |S_1| is 1 at every distance.
    const bound = await explorer.answered('decay', (bound) => bound.every((value) => Math.abs(value - 1) < 1e-12))
    expect(bound.length).toBe(257)
  })

  test('the base slider changes the wavelengths', async ({ explorer, page }) => {
    const slowest = page.getByTestId('rotation').getByRole('option').last()
    const before = await slowest.innerText()
    await page.getByRole('slider', { name: 'base' }).press('End')
    await expect(slowest).not.toHaveText(before)
    expect((await explorer.answered('frequencies'))[0]).toBe(1)
  })

  test('the distance slider changes how far the curve reaches', async ({ explorer, page }) => {
    const before = (await explorer.answered('decay')).length
    await page.getByRole('slider', { name: 'largest distance' }).press('End')
    await explorer.answered('decay', (bound) => bound.length === 8193)
    expect(before).toBeLessThan(8193)
    await expect(page.getByTestId('decay-chart')).toContainText('8')
  })

  test('a link to a position far beyond asks for no more angles than the room shows', async ({ explorer, page }) => {
    await explorer.visit({ room: 'laboratory', query: '1000000', key: '999999', headSize: '512', pair: '90000' })
    const angles = await explorer.answered('angles', ({ length }) => length > 128 * 32)
    expect(angles.length).toBe(512 * 256)
    await expect(page.getByTestId('rotation')).toContainText('query at 511')
    await expect(page.getByTestId('rotation').getByRole('option', { selected: true })).toHaveCount(1)
  })

  test('positions are stepped and every view follows', async ({ explorer, page }) => {
    const steps = page.getByRole('group', { name: 'Step through the positions' })
    await steps.getByRole('button').last().click()
    await explorer.shown({ query: '10', key: '9' })
    await expect(page.getByTestId('rotation')).toContainText('query at 10')
    await expect(page.getByTestId('angle-map')).toContainText('query 10')
  })
})
