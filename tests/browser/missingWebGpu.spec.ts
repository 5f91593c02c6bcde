import { join } from 'node:path'
import type { BackendReason, Simulation } from '../../web/engine/protocol/protocol'
import { chromium, webgpu } from './chromium'
import { expect, root, test, type Explorer } from './explorer'

// Some ways begin with an adapter that is there.
test.use({ launchOptions: chromium(webgpu) })

/** Each way to miss WebGPU, and the page's explanation. */
const ways: Record<Simulation & BackendReason, string> = {
  'no-webgpu': 'this browser has no WebGPU',
  'no-adapter': 'no WebGPU adapter',
  'fallback-adapter': 'the only WebGPU adapter is software',
  'device-refused': 'the GPU refused',
  'wrong-numbers': 'the GPU computes wrong numbers',
}

async function expectCpu(explorer: Explorer, reason: BackendReason, words: string): Promise<void> {
  await explorer.result()
  // Wrong numbers are found after the first result.
  await explorer.message('started', ({ info }) => info.backend === 'cpu' && info.reason === reason)
  // The remedy is one click away, and nothing is called an error.
  await explorer.page.getByTestId('engine-menu').click()
  const backend = explorer.page.getByTestId('backend')
  await expect(backend).toContainText('CPU')
  await expect(backend).toContainText(words)
  await expect(explorer.page.getByTestId('advice')).toBeVisible()
  await expect(explorer.page.getByRole('alert')).toBeEmpty()
}

for (const [way, words] of Object.entries(ways) as [keyof typeof ways, string][]) {
  test(`@cpu ${way}: the page says so and goes on with the CPU`, async ({ explorer, page }) => {
    await page.addInitScript((way) => (window.ropescopeSimulate = way), way)
    await page.goto('./#text=the+[MASK]+sat+.')
    await expectCpu(explorer, way, words)
  })
}

test('@cpu an insecure origin: the page says so and goes on with the CPU', async ({ explorer, page }) => {
  explorer.origin = 'http://ropescope.test'
  await page.route(`${explorer.origin}/**`, async (route) => {
    const path = new URL(route.request().url()).pathname.slice(1)
    if (path.startsWith('models/')) await route.fallback()
    else await route.fulfill({ path: join(root, 'dist', path || 'index.html') })
  })
  await page.goto(`${explorer.origin}/#text=the+[MASK]+sat+.`)
  await expectCpu(explorer, 'insecure-context', 'not secure')
})

test('@webgpu a software adapter runs when it is asked for', async ({ explorer }) => {
  await explorer.open()
  expect((await explorer.message('started')).info).toMatchObject({ backend: 'gpu', reason: 'choice' })
})
