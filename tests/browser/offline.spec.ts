import { bundledModels } from '../../web/services/bundled'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './explorer'
import { Site } from './site'

test.use({ serviceWorkers: 'allow', model: 'bundled' })

/** Names of the caches of the page's origin. */
const cacheNames = (page: Page) => page.evaluate(() => caches.keys())

/** Waits until the page and its model are stored. */
async function ready(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready)
  const menu = page.getByTestId('engine-menu')
  await menu.click()
  await expect(page.getByTestId('offline')).toHaveAttribute('data-state', 'ready')
  await menu.click()
}

test.describe('@cpu after one visit', () => {
  test('the page, its views and its model work without a network', async ({ explorer, page, context }) => {
    await explorer.open()
    await ready(page)
    await context.setOffline(true)
    await expect(
      page.evaluate(() =>
        fetch('./sw.js').then(
          () => 'there',
          () => 'none',
        ),
      ),
    ).resolves.toBe('none')
    await page.reload()
    const { length } = await explorer.result()
    expect(length).toBeGreaterThan(1)
    // A head that the first visit did not open.
    await explorer.shown({ head: '6' })
    await page.evaluate(() => (location.hash = location.hash.replace(/&open=[^&]*|$/, '&open=shift')))
    await expect(page.getByTestId('view-shift').locator('svg, canvas').first()).toBeVisible()
    expect((await explorer.resultAfter(() => explorer.type('The cat sat by the [MASK].'))).length).toBeGreaterThan(1)
  })

  test('a button keeps the other models, and another removes everything', async ({ explorer, page, context }) => {
    await explorer.open()
    await ready(page)
    const models = async () => (await cacheNames(page)).filter((name) => name.includes(' model '))
    expect(await models()).toHaveLength(1)
    await page.getByTestId('engine-menu').click()
    const section = page.getByTestId('offline')
    await expect(section).toContainText('roformer-english')
    await section.getByRole('button', { name: /Store everything/ }).click()
    await expect(section).toContainText('all its models')
    expect(await models()).toHaveLength(bundledModels.length)
    await context.setOffline(true)
    await page.goto('./#/explorer?model=roformer-english-causal&text=The%20old%20man')
    await page.reload()
    await explorer.message('loaded', ({ model }) => model.is_decoder)
    await explorer.result()
    await context.setOffline(false)
    await page.getByTestId('engine-menu').click()
    await section.getByRole('button', { name: /Remove/ }).click()
    await expect(section).toHaveAttribute('data-state', 'removed')
    expect(await cacheNames(page)).toEqual([])
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
    await page.reload()
    await explorer.result()
    await page.getByTestId('engine-menu').click()
    await expect(section).toHaveAttribute('data-state', 'removed')
    expect(await cacheNames(page)).toEqual([])
  })

  test('the browser finds nothing that keeps it from being installed', async ({ explorer, page, context }) => {
    await explorer.open()
    await ready(page)
    const devtools = await context.newCDPSession(page)
    const { errors } = await devtools.send('Page.getAppManifest')
    expect(errors).toEqual([])
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
    // Private windows, as in tests, never allow installation.
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
  })
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
/** 1 for the second build, 0 for the first. */
const buildOf = (page: Page) => page.locator('meta[name=build]').count()

test.describe('@cpu a site of its own', () => {
  let site: Site

  test.beforeEach(async () => {
    site = new Site(await mkdtemp(join(tmpdir(), 'ropescope-site-')))
    await site.open()
  })

  test.afterEach(async () => {
    await site.close()
    await rm(site.folder, { recursive: true })
  })

  test('without headers has threads where the visitor asks for them, and one again', async ({
    explorer,
    page,
    backend,
  }) => {
    explorer.origin = site.origin
    await page.goto(`${site.url}#backend=${backend}`)
    const isolated = () => page.evaluate(() => crossOriginIsolated)
    /** Presses a button of the menu, and waits for the reload. */
    const press = async (name: RegExp) => {
      await explorer.result()
      await ready(page)
      await page.getByTestId('engine-menu').click()
      const before = await page.evaluate(() => performance.timeOrigin)
      await page.getByTestId('status').getByRole('button', { name }).click()
      await expect.poll(() => page.evaluate(() => performance.timeOrigin).catch(() => before)).not.toBe(before)
      await explorer.result()
    }
    await explorer.result()
    expect(await isolated()).toBe(false)
    await page.getByTestId('engine-menu').click()
    await expect(page.getByTestId('threads')).toHaveText('1 thread: page not isolated')
    await page.getByTestId('engine-menu').click()
    await press(/Use \d threads/)
    expect(await isolated()).toBe(true)
    const { threads } = await explorer.message('threads')
    expect(threads).toBeGreaterThan(1)
    await press(/Use one thread/)
    expect(await isolated()).toBe(false)
  })

  test('with headers has threads from what is kept, too', async ({ explorer, page, backend }) => {
    const isolating = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }
    const isolated = new Site(await mkdtemp(join(tmpdir(), 'ropescope-site-')), isolating)
    await isolated.open()
    try {
      explorer.origin = isolated.origin
      await page.goto(`${isolated.url}#backend=${backend}`)
      await explorer.result()
      await ready(page)
      // From here on the cache answers for the page and its workers.
      await page.reload()
      await explorer.result()
      expect(await page.evaluate(() => crossOriginIsolated && navigator.serviceWorker.controller !== null)).toBe(true)
      const { threads } = await explorer.message('threads')
      expect(threads).toBeGreaterThan(1)
    } finally {
      await isolated.close()
      await rm(isolated.folder, { recursive: true })
    }
  })

  test('of a newer build asks before a tab loses what a link does not hold', async ({
    explorer,
    page,
    context,
    backend,
  }) => {
    explorer.origin = site.origin
    await page.goto(`${site.url}#backend=${backend}`)
    await explorer.result()
    await ready(page)
    // The first visit has no active service worker.
    await page.reload()
    await explorer.result()
    await ready(page)
    const other = await context.newPage()
    await other.goto(`${site.url}#backend=${backend}`)
    const typed = 'the little [MASK]'
    await other.getByTestId('text').fill(typed)
    await expect.poll(() => decodeURIComponent(other.url())).toContain('little')

    const [index, worker] = await Promise.all([site.read('index.html'), site.read('sw.js')])
    const next = index.replace('<title>', '<meta name="build" content="next" /><title>')
    const version = /version:[`"']([0-9a-f]{16})[`"'],page/.exec(worker)?.[1] ?? ''
    await site.write('index.html', next)
    await site.write('sw.js', worker.replace(sha256(index), sha256(next)).replace(version, 'f'.repeat(16)))
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
    await page.getByTestId('engine-menu').click()
    await page.getByTestId('offline').getByRole('button', { name: 'Reload all tabs' }).click()
    await expect.poll(() => buildOf(page).catch(() => 0)).toBe(1)

    const asks = other.getByTestId('trouble-newer')
    await expect(asks).toContainText('the steps to undo')
    expect(await buildOf(other)).toBe(0)
    await asks.getByRole('button', { name: 'Reload this tab' }).click()
    await expect.poll(() => buildOf(other).catch(() => 0)).toBe(1)
    await expect(other.getByTestId('text')).toHaveValue(typed)
  })

  test('is never mixed with the build before, and takes over when it is whole', async ({ explorer, page, backend }) => {
    explorer.origin = site.origin
    await page.goto(`${site.url}#backend=${backend}`)
    await explorer.result()
    await ready(page)
    const before = await cacheNames(page)
    expect(before.every((name) => name.startsWith('ropescope /some/deep%20path/ '))).toBe(true)

    const [index, worker] = await Promise.all([site.read('index.html'), site.read('sw.js')])
    const next = index.replace('<title>', '<meta name="build" content="next" /><title>')
    const version = /version:[`"']([0-9a-f]{16})[`"'],page/.exec(worker)?.[1] ?? ''
    expect(version).not.toBe('')
    expect(worker).toContain(sha256(index))

    // Half published: the new worker, the old page.
    await site.write('sw.js', worker.replace(sha256(index), sha256(next)).replace(version, 'f'.repeat(16)))
    const outcome = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      const found = new Promise<ServiceWorker | null>((resolve) =>
        registration.addEventListener('updatefound', () => resolve(registration.installing)),
      )
      void registration.update().catch(() => {})
      const worker = await found
      if (!worker) return 'nothing'
      return new Promise<string>((resolve) => {
        const look = () => worker.state !== 'installing' && resolve(worker.state)
        worker.addEventListener('statechange', look)
        look()
      })
    })
    expect(outcome).toBe('redundant')
    expect(await cacheNames(page)).toEqual(before)
    await page.reload()
    await explorer.result()
    expect(await buildOf(page)).toBe(0)

    // Fully published: it waits while a tab shows the former build, and a visit in between gets all of that one.
    await site.write('index.html', next)
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
    await page.getByTestId('engine-menu').click()
    const reload = page.getByTestId('offline').getByRole('button', { name: 'Reload all tabs' })
    await expect(reload).toBeVisible()
    await page.reload()
    await explorer.result()
    expect(await buildOf(page)).toBe(0)

    await page.getByTestId('engine-menu').click()
    await reload.click()
    await expect.poll(() => buildOf(page).catch(() => 0)).toBe(1)
    await explorer.result()
    await ready(page)
    const after = await cacheNames(page)
    expect(after.filter((name) => name.includes(' page '))).toEqual([
      `ropescope /some/deep%20path/ page ${'f'.repeat(16)}`,
    ])
    // The model is unchanged, so it was not fetched again.
    expect(after.filter((name) => name.includes(' model '))).toEqual(before.filter((name) => name.includes(' model ')))
  })
})
