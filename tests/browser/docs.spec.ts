// The documentation, as the build has it beside the page.
import { faults } from './axe'
import { expect, overflow, test } from './explorer'

const pageAt = (path: string) => `./docs/${path}.html`

// The fixture `explorer` fails a page that contacts another origin, here too.
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

  test('has no faults and is no wider than the window, in both schemes and on a phone', async ({
    explorer: { page },
  }) => {
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
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
          expect(await overflow(page), `${where}: wider than the window`).toBeLessThanOrEqual(0)
        }
    }
    expect(errors).toEqual([])
  })

  test('is searched by words, from the keyboard alone', async ({ explorer: { page } }) => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await page.goto(pageAt('reference/sites'))
    expect(
      requests.filter((path) => path.endsWith('search.json')),
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

  test('closes the results by Escape, a press elsewhere and Tab, and says how many they are', async ({
    explorer: { page },
  }) => {
    await page.goto(pageAt('reference/sites'))
    const field = page.getByRole('searchbox', { name: 'Search the docs' })
    const list = page.locator('search ol')
    const status = page.locator('search').getByRole('status')
    const address = page.url()
    await field.fill('temperature')
    const open = async () => {
      await expect(list).toBeVisible()
      await expect(status).toHaveText(`${await list.getByRole('link').count()} results`)
    }
    await open()
    await field.press('Escape')
    await expect(list).toBeHidden()
    await expect(status).toBeEmpty()
    await expect(field).toHaveValue('temperature')
    // The results that are hidden are not followed, but come back.
    await field.press('Enter')
    await open()
    expect(page.url()).toBe(address)

    await list.getByRole('link').nth(1).focus()
    await page.keyboard.press('Escape')
    await expect(list).toBeHidden()
    await expect(field).toBeFocused()
    await field.press('Enter')
    await open()

    await page.getByRole('heading', { level: 1 }).click()
    await expect(list).toBeHidden()
    await field.press('Enter')
    await open()
    await list.getByRole('link').last().press('Tab')
    await expect(list).toBeHidden()

    await field.fill('nowhereinthedocs')
    await expect(status).toHaveText('Nothing about “nowhereinthedocs”.')
  })

  test('finds an option of the command line where its meaning is', async ({ explorer: { page } }) => {
    await page.goto(pageAt('embed'))
    const field = page.getByRole('searchbox', { name: 'Search the docs' })
    await field.fill('--taps')
    await expect(page.locator('search').getByRole('link').first()).toHaveText(/^ropescope run/)
    await field.press('Enter')
    await expect(page).toHaveURL(/reference\/commands\.html#ropescope-run$/)
  })

  test('lists its pages in a window that grows or shrinks', async ({ explorer: { page } }) => {
    await page.setViewportSize({ width: 390, height: 900 })
    await page.goto(pageAt('learn'))
    const pages = page.getByRole('navigation', { name: 'Pages' })
    const toOpen = pages.getByText('Pages', { exact: true })
    const next = pages.getByRole('link', { name: 'Families: what runs' })
    await expect(toOpen).toBeVisible()
    await expect(next).toBeHidden()
    await page.setViewportSize({ width: 961, height: 900 })
    await expect(next).toBeVisible()
    await expect(toOpen).toBeHidden()
    // 60rem
    await page.setViewportSize({ width: 960, height: 900 })
    await expect(next).toBeHidden()
    await toOpen.click()
    await expect(next).toBeVisible()
  })

  test('is drawn in the theme of the app at once', async ({ explorer, page }) => {
    await explorer.visit({ room: 'about' })
    await page.getByTestId('theme').selectOption('dark')
    // The page's own script comes after everything.
    const releases: (() => void)[] = []
    await page.route('**/assets/docs-*.js', async (route) => {
      await new Promise<void>((resolve) => releases.push(resolve))
      await route.continue()
    })
    const html = page.locator('html')
    const visit = (path: string) => page.goto(pageAt(path), { waitUntil: 'commit' })
    await visit('learn')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(html).toHaveAttribute('data-scheme', 'dark')
    await page.evaluate(() => localStorage.removeItem('ropescope.theme'))
    await visit('embed')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(html).toHaveAttribute('data-scheme', 'light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(html).toHaveAttribute('data-scheme', 'dark')
    for (const release of releases) release()
  })

  test('begins at the folder, with the first page', async ({ explorer: { page } }) => {
    await page.goto('./docs/')
    const pages = page.getByRole('navigation', { name: 'Pages' })
    const first = pages.getByRole('link').first()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText((await first.textContent()) ?? '')
    await pages.getByRole('link', { name: 'The npm package ropescope' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The npm package ropescope')
    await first.click()
    await expect(page).toHaveURL(/docs\/learn\.html$/)
  })
})
