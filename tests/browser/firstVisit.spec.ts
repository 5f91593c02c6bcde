import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, root, test } from './explorer'

const limit = 780_000
const wasmLimit = 500_000

/** The size of a file after `gzip -9`, which the limits are measured in; other libraries differ by a hundredth. */
function packed(path: string): number {
  return execFileSync('gzip', ['-9', '-c', path], { maxBuffer: 1 << 26 }).length
}

test.describe('@cpu a first visit', () => {
  test.use({ model: 'bundled' })

  test('fetches at most 780 kB beside the models, of it 500 kB of WASM', async ({ explorer, page, baseURL }) => {
    const paths = new Set<string>()
    page.on('request', (request) =>
      paths.add(new URL(request.url()).pathname.slice(new URL(baseURL ?? '').pathname.length)),
    )
    await explorer.open()
    // The rest of the first screen is fetched after its first view.
    await page.waitForLoadState('networkidle')
    let all = 0
    let wasm = 0
    for (const path of paths) {
      // Threads are fetched after the first result.
      if (path.startsWith('models/') || /^assets\/(\w*[tT]hreads|helper)/.test(path)) continue
      const bytes = packed(join(root, 'dist', path || 'index.html'))
      all += bytes
      if (path.endsWith('.wasm')) wasm += bytes
    }
    console.log(`first visit: ${all} bytes (gzip -9) in ${paths.size} requests, of it WASM ${wasm}`)
    expect(wasm, 'the WASM was seen').toBeGreaterThan(0)
    expect(wasm).toBeLessThanOrEqual(wasmLimit)
    expect(all).toBeLessThanOrEqual(limit)
  })

  test('asks for the model once, while the page is still without its own code', async ({ explorer, page }) => {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/assets/index-*.js', async (route) => {
      await released
      await route.continue()
    })
    const weights: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('.safetensors')) weights.push(request.url())
    })
    const request = page.waitForRequest('**/*.safetensors')
    const opened = explorer.open()
    await request
    release()
    await opened
    expect(weights).toHaveLength(1)
  })

  test.describe('with a service worker', () => {
    test.use({ serviceWorkers: 'allow' })

    // The limit is for what a visitor fetches before the first result. Files for offline use are fetched after it; this test checks that,
    // and counts them.
    test('has its result before anything is fetched for use without a network', async ({ explorer, page }) => {
      await page.addInitScript(() => {
        const container = navigator.serviceWorker
        const register = container.register.bind(container)
        container.register = (...args) => {
          const ran = window.fromWorker.some((message) => message.type === 'result' && message.kind === 'run')
          document.documentElement.dataset['registered'] = ran ? 'behind a result' : 'before any result'
          return register(...args)
        }
      })
      await explorer.open()
      await expect(page.locator('html')).toHaveAttribute('data-registered', 'behind a result')
      await page.getByTestId('engine-menu').click()
      await expect(page.getByTestId('offline')).toHaveAttribute('data-state', 'ready')
      const stored = await page.evaluate(async () => {
        const paths = async (name: string) => (await (await caches.open(name)).keys()).map(({ url }) => url)
        return (await Promise.all((await caches.keys()).map(paths))).flat()
      })
      const base = new URL('.', page.url()).href
      const files = stored.map((url) => url.slice(base.length) || 'index.html')
      const bytes = (paths: readonly string[]) => paths.reduce((sum, path) => sum + packed(join(root, 'dist', path)), 0)
      const models = files.filter((path) => path.startsWith('models/'))
      const others = files.filter((path) => !path.startsWith('models/'))
      console.log(
        `stored behind a first visit: ${bytes(others)} bytes (gzip -9) in ${others.length} files, and the model`,
      )
      // The whole page without its service worker, its source code, the scripts for other pages, the pictures of the documentation, and
      // jieba, which is as large as everything else; and the current model.
      const written = await readdir(join(root, 'dist'), { recursive: true, withFileTypes: true })
      const published = written
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('/models/'))
        .map((entry) => relative(join(root, 'dist'), join(entry.parentPath, entry.name)))
      expect(others.sort()).toEqual(
        published.filter((path) => !/^sw\.js$|\.tar\.gz$|^embed\/|\/jieba|^docs\/.*\.png$/.test(path)).sort(),
      )
      expect(new Set(models.map((path) => path.split('/')[1]))).toEqual(new Set(['roformer-english']))
    })
  })

  test('shows Read’s figures while the model is still held back', async ({ explorer, page }) => {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/models/**', async (route) => {
      await released
      await route.continue()
    })
    await explorer.visit({ room: 'laboratory' })
    for (const picture of ['speeds-scene', 'near-scene']) await expect(page.getByTestId(picture)).toBeVisible()
    expect(await explorer.count('loaded')).toBe(0)
    release()
    await explorer.message('loaded')
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
