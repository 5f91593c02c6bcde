// The word "Embed" at a view's title: its snippets run from files that the page itself serves.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, root, test } from './explorer'
import { numbersOf } from './walk'

/** The weights of the map on show, and the snippets of its head. */
async function take(page: Page): Promise<{ weights: number[][]; element: string; script: string }> {
  const [table] = Object.values(await numbersOf(page, 'map'))
  const weights = (table?.rows as unknown[][]).map((row) => row.slice(1).map(Number))
  await page.getByTestId('view-map').getByRole('button', { name: 'Embed: Attention map' }).click()
  const element = await page.getByTestId('embed-element').innerText()
  const script = await page.getByTestId('embed-script').innerText()
  return { weights, element, script }
}

/** Opens a page of the same server that holds this alone, under a strict policy. */
async function openBlank(page: Page, body: string): Promise<void> {
  const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'"
  const html = `<!doctype html><meta charset="utf-8" /><meta http-equiv="Content-Security-Policy" content="${policy}" />`
  await page.route('**/blank.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' },
      body: `${html}<title>blank</title><body>${body}</body>`,
    }),
  )
  await page.goto('./blank.html')
}

const text = 'the "dog" <sat> & \'sat\' .'

test.describe('@cpu Embed', () => {
  test('gives an element that draws the same numbers in a blank page', async ({ explorer, page }) => {
    await explorer.open({ layer: '1', head: '2', text })
    const { weights, element } = await take(page)
    await openBlank(page, element)
    const drawn = page.locator('rope-attention')
    await expect(drawn.locator('figcaption')).toContainText('Layer 1, head 2')
    await expect(drawn.locator('canvas').first()).toBeVisible()
    await drawn.getByText('numbers as a table').click()
    const rows = drawn.getByRole('row')
    await expect(rows).toHaveCount(weights.length + 1)
    for (const [query, row] of weights.entries()) {
      const cells = (
        await rows
          .nth(query + 1)
          .getByRole('cell')
          .allInnerTexts()
      ).map(Number)
      expect(cells).toHaveLength(row.length)
      cells.forEach((cell, key) => expect(cell).toBeCloseTo(row[key] ?? NaN, 4))
    }
  })

  test('gives a few lines of JavaScript that read the same numbers', async ({ explorer, page }) => {
    await explorer.open({ layer: '0', head: '1', text })
    const { weights, script } = await take(page)
    const said: string[] = []
    page.on('console', (message) => message.text().includes(' → ') && said.push(message.text()))
    await page.route('**/snippet.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }))
    await openBlank(page, '<script type="module" src="snippet.js"></script>')
    await expect.poll(() => said.length).toBe(weights.length)
    for (const [query, row] of weights.entries()) {
      const most = Math.max(...row)
      const [, key, weight] = / (\d+): ([\d.e-]+)$/.exec(said[query] ?? '') ?? []
      expect(row[Number(key)]).toBeCloseTo(most, 5)
      expect(Number(weight)).toBeCloseTo(most, 5)
    }
    expect(await page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.width)).toBe(400)
  })

  test('says sizes as measured, and closes on Escape', async ({ explorer, page }) => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await explorer.open()
    expect(requests.filter((path) => path.includes('/embed/'))).toEqual([])
    const button = page.getByTestId('view-map').getByRole('button', { name: /^Embed/ })
    await button.click()
    const packed = async (names: string[]) => {
      const files = await Promise.all(names.map((name) => readFile(join(root, 'dist/embed', name))))
      return Math.round(files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0) / 1000)
    }
    const sizes = page.getByTestId('embed-sizes')
    await expect(sizes).toContainText(`${await packed(['index.js', 'worker.js', 'ropescope_bg.wasm'])} kB of engine`)
    await expect(sizes).toContainText(`${await packed(['element.js'])} kB of element`)
    expect(requests.filter((path) => path.includes('/embed/')).map((path) => path.split('/').at(-1))).toEqual([
      'sizes.json',
    ])
    for (const link of await page.getByTestId('embed').getByRole('link').all())
      expect((await page.request.get((await link.getAttribute('href')) ?? '')).ok()).toBe(true)
    await page.keyboard.press('Escape')
    await expect(page.getByTestId('embed')).toBeHidden()
    await expect(button).toBeFocused()
  })

  test.describe('of an encoder–decoder', () => {
    test.use({ model: 'bundled' })

    test('reads the text’s rows and the source’s columns', async ({ explorer, page }) => {
      const pair = { model: 'marian-numbers', text: '>>hu<<1984\tezerkilenc' }
      await explorer.open({ ...pair, layer: '1', head: '3', part: 'cross' })
      const { weights, element, script } = await take(page)
      const said: string[] = []
      page.on('console', (message) => message.text().includes(' → ') && said.push(message.text()))
      await page.route('**/snippet.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }))
      await openBlank(page, `${element}<script type="module" src="snippet.js"></script>`)
      await expect.poll(() => said.length).toBe(weights.length)
      for (const [query, row] of weights.entries()) {
        const [, key, weight] = / (\d+): ([\d.e-]+)$/.exec(said[query] ?? '') ?? []
        expect(row[Number(key)]).toBeCloseTo(Math.max(...row), 5)
        expect(Number(weight)).toBeCloseTo(Math.max(...row), 5)
      }
      const drawn = page.locator('rope-attention')
      await drawn.getByText('numbers as a table').click()
      await expect(drawn.getByRole('row')).toHaveCount(weights.length + 1)
    })
  })

  test('has no snippet for an empty text, and says why', async ({ explorer, page }) => {
    await explorer.open({ text })
    await explorer.resultAfter(() => explorer.type(''))
    await page
      .getByTestId('view-map')
      .getByRole('button', { name: /^Embed/ })
      .click()
    await expect(page.getByTestId('embed-obstacle')).toHaveText('No snippet: the text is empty.')
    await expect(page.getByTestId('embed-element')).toHaveCount(0)
  })
})
