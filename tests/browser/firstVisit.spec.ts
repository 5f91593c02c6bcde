import { gzipSync } from 'node:zlib'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, root, test } from './explorer'

const limit = 500_000
const wasmLimit = 335_000

test.describe('@cpu a first visit', () => {
  test.use({ model: 'bundled' })

  test('fetches at most 500 kB beside the models, of it 335 kB of WASM', async ({ explorer, page, baseURL }) => {
    const paths = new Set<string>()
    page.on('request', (request) =>
      paths.add(new URL(request.url()).pathname.slice(new URL(baseURL ?? '').pathname.length)),
    )
    await explorer.open()
    let all = 0
    let wasm = 0
    for (const path of paths) {
      if (path.startsWith('models/')) continue
      const bytes = gzipSync(await readFile(join(root, 'dist', path || 'index.html')), { level: 9 }).length
      all += bytes
      if (path.endsWith('.wasm')) wasm += bytes
    }
    console.log(`first visit: ${all} bytes (gzip -9) in ${paths.size} requests, of it WASM ${wasm}`)
    expect(wasm, 'the WASM was seen').toBeGreaterThan(0)
    expect(wasm).toBeLessThanOrEqual(wasmLimit)
    expect(all).toBeLessThanOrEqual(limit)
  })

  test('shows the laboratory while the model is still held back', async ({ explorer, page }) => {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/models/**', async (route) => {
      await released
      await route.continue()
    })
    await explorer.visit({ room: 'laboratory' })
    for (const view of ['rotation', 'angle-map', 'decay']) await expect(page.getByTestId(view)).toBeVisible()
    await expect(page.getByTestId('decay-course').getByRole('listitem').first()).toBeVisible()
    expect(await explorer.count('loaded')).toBe(0)
    release()
    await explorer.said('loaded')
  })

  test('works under any path', async ({ explorer, page, baseURL }) => {
    const deep = new URL('some/deep path/', baseURL)
    await page.route(`${deep.origin}/some/**`, async (route) => {
      const path = decodeURI(new URL(route.request().url()).pathname).slice('/some/deep path/'.length)
      await route.fulfill({ path: join(root, 'dist', path || 'index.html') })
    })
    const outside: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(deep.href)) outside.push(request.url())
    })
    await page.goto(`${deep}#backend=cpu`)
    await explorer.result()
    expect(outside).toEqual([])
  })
})
