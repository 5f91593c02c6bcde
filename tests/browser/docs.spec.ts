// The documentation, as the build has it beside the page.
import { faults } from './axe'
import { expect, test } from './explorer'

const pageAt = (path: string) => `./docs/${path}.html`

test.describe('@cpu the documentation', () => {
  test('is a click away from the page, and leads from page to page', async ({ explorer, page }) => {
    await explorer.visit({ room: 'about' })
    await page.getByTestId('engine-menu').click()
    const inMenu = page.getByTestId('status').getByRole('link', { name: 'Documentation' })
    await expect(inMenu).toHaveAttribute('hreflang', 'en')
    const address = (await inMenu.getAttribute('href')) ?? ''
    await page.keyboard.press('Escape')
    const link = page.getByRole('main').getByRole('link', { name: 'documentation' })
    await expect(link).toHaveAttribute('href', address)
    await link.click()
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await expect(pages.getByRole('link').first()).toHaveAttribute('aria-current', 'page')
    const second = await pages.getByRole('link').nth(1).textContent()
    await page.getByRole('paragraph').filter({ hasText: 'Next:' }).getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(second ?? '')
  })

  test('has no faults and is no wider than the window, in both schemes and on a phone', async ({ explorer, page }) => {
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    expect(explorer.others.size, 'other origins that may be contacted').toBe(0)
    for (const path of ['reference/commands', 'reference/sites']) {
      await page.goto(pageAt(path))
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [390, 1280]) {
          await page.emulateMedia({ colorScheme })
          await page.setViewportSize({ width, height: 900 })
          // The scheme and the list of pages are set at the start.
          await page.reload()
          const where = `${path}, ${colorScheme}, ${width} px`
          expect(await faults(page, 5), where).toEqual([])
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          expect(wide, `${where}: wider than the window`).toBeLessThanOrEqual(0)
        }
    }
    expect(errors).toEqual([])
  })

  test('is searched by words, from the keyboard alone', async ({ explorer, page }) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(pageAt('reference/sites'))
    expect(explorer.others.size, 'other origins that may be contacted').toBe(0)
    expect(
      asked.filter((path) => path.endsWith('search.json')),
      'fetched when it is needed',
    ).toEqual([])
    const field = page.getByRole('searchbox', { name: 'Search the docs' })
    const results = page.locator('search').getByRole('link')
    await field.fill('temperature')
    await expect(results.first()).toBeVisible()
    const href = await results.first().getAttribute('href')
    await field.press('Enter')
    await expect(page).toHaveURL(href ?? '')
    await expect(page.getByRole('main')).toContainText('temperature')
    await field.fill('nowhereinthedocs')
    await expect(page.locator('search')).toContainText('Nothing about “nowhereinthedocs”.')
    await field.press('Escape')
    await expect(page.locator('search ol')).toBeHidden()
  })
})
