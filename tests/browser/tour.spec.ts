import { faults } from './axe'
import { expect, test } from './explorer'

/** The numbers of each step that the headline on screen also has. */
const measured: [step: string, numbers: string[]][] = [
  ['One token back', ['21 tokens', '0.75 on average']],
  ['Why', ['12.21', '0.77']],
  ['Four pairs ablated', ['0.77', '0.063']],
  ['Predicted', ['0.75', '0.81']],
]

test.describe('@cpu the tour', () => {
  test.use({ model: 'bundled' })

  test('says what is measured on screen, and leaves no trace when closed', async ({ explorer, page }) => {
    await explorer.open({ open: 'lines,points', layer: '1', head: '4' })
    await explorer.shown({ open: 'lines,points', head: '4' })
    const before = { url: page.url(), entries: await page.evaluate(() => history.length) }
    await page.getByTestId('examples').click()
    await page.getByTestId('take-tour').click()
    const tour = page.getByTestId('tour')
    await expect(tour).toBeFocused()
    for (const [index, [step, numbers]] of measured.entries()) {
      if (index > 0) await tour.getByRole('button', { name: 'Next' }).click()
      await expect(tour.getByRole('link', { name: step })).toHaveAttribute('aria-current', 'step')
      for (const number of numbers) {
        await expect(page.getByTestId('headline')).toContainText(number)
        await expect(tour).toContainText(number)
      }
    }
    await tour.getByRole('link', { name: 'Four pairs ablated' }).click()
    await explorer.shown({ cut: '2.6:0-3', open: 'mute,map' })
    await page.keyboard.press('Escape')
    await expect(tour).toHaveCount(0)
    await expect.poll(() => page.url()).toBe(before.url)
    expect(await page.evaluate(() => history.length)).toBe(before.entries)
    await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeDisabled()
  })

  test('ends when one writes, and nothing written is lost', async ({ explorer, page }) => {
    await explorer.open({ open: 'lines', cut: '1.1:2' })
    await page.getByTestId('examples').click()
    await page.getByTestId('take-tour').click()
    await expect(page.getByTestId('tour')).toBeVisible()
    await explorer.shown({ cut: null, open: null })
    await explorer.type('The old man sat by the [MASK].')
    await expect(page.getByTestId('tour')).toHaveCount(0)
    await explorer.shown({ text: 'The old man sat by the [MASK].', open: 'lines', cut: '1.1:2' })
  })

  test('is offered with the model that it speaks of alone', async ({ explorer, page }) => {
    await explorer.open({ model: 'roformer-english-causal' })
    await page.getByTestId('examples').click()
    await expect(page.getByRole('group', { name: 'Examples' })).toBeVisible()
    await expect(page.getByTestId('take-tour')).toHaveCount(0)
  })

  test('is on the screen whole, and axe finds nothing in it', async ({ explorer, page }) => {
    await explorer.open()
    await page.getByTestId('examples').click()
    await page.getByTestId('take-tour').click()
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      await expect(page.getByTestId('tour')).toBeInViewport({ ratio: 1 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await faults(page, 5, '[data-testid=tour]'), `${colorScheme} at ${width} px`).toEqual([])
      }
    }
  })
})
