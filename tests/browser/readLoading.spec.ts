import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { read } from './chapters'
import { expect, root, test } from './explorer'

/** The most that a first visit to Read may fetch, besides the Explorer's files. */
const limit = 60_000

test.describe('@cpu read, from its opening', () => {
  test('text and formulas stand where the engine does not start', async ({ explorer, page }) => {
    await page.route('**/ropescope_bg*.wasm', (route) => route.abort())
    await explorer.visit()
    await page.evaluate(() => (location.hash = '#/read/5'))
    await expect(page.getByRole('heading', { name: '5 Many speeds' })).toBeVisible()
    await expect(page.getByTestId('chapter-5').locator('math').first()).toBeVisible()
    await expect(page.getByTestId('chapter-5')).toContainText('47,117')
    await expect(page.getByText('The engine has not started')).toBeVisible()
  })

  test('the font of mathematics comes with the first formula, and limits stand clear of their sums', async ({
    explorer,
    page,
  }) => {
    const fonts: string[] = []
    page.on('request', (request) => request.resourceType() === 'font' && fonts.push(request.url()))
    await explorer.open()
    expect(fonts).toEqual([])
    await page.getByTestId('more-score').click()
    await expect(page.locator('math:visible').first()).toBeVisible()
    await expect.poll(() => fonts.length).toBe(1)
    await read(page, '6')
    await expect(page.getByTestId('chapter-6').locator('math:visible').first()).toBeVisible()
    expect(await page.evaluate(async () => (await document.fonts.load('1em "STIX Two Math"', '∑')).length)).toBe(1)
    const gaps = await page
      .getByTestId('chapter-6')
      .locator('munderover:visible, munder:visible')
      .evaluateAll((sums) =>
        sums.map(({ children: [sum, below] }) => {
          if (!sum || !below) throw new Error('a sum without limits')
          return below.getBoundingClientRect().top - sum.getBoundingClientRect().bottom
        }),
      )
    expect(gaps.length).toBeGreaterThan(0)
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(0)
    expect(fonts).toHaveLength(1)
  })

  test('the page fetches at most 60 kB', async ({ explorer, page, baseURL }) => {
    const paths = new Set<string>()
    await explorer.open()
    page.on('request', (request) =>
      paths.add(new URL(request.url()).pathname.slice(new URL(baseURL ?? '').pathname.length)),
    )
    for (const chapter of ['5', '6']) await read(page, chapter)
    const bytes = [...paths]
      // The font of mathematics has its own limit.
      .filter((path) => path.startsWith('assets/') && !path.endsWith('.woff2'))
      .reduce((sum, path) => sum + execFileSync('gzip', ['-9', '-c', join(root, 'dist', path)]).length, 0)
    console.log(`Read fetches ${bytes} bytes (gzip -9)`)
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThanOrEqual(limit)
  })
})
