import { expect, test } from './explorer'

test('the engine’s menu says what ran, and its report can be copied', async ({ explorer, page, backend, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await explorer.open({ text: 'the [MASK] sat .' })
  const { report } = await explorer.result()
  await page.getByTestId('engine-menu').click()
  const status = page.getByTestId('status')
  await expect(status.getByTestId('backend')).toContainText(backend.toUpperCase())
  await expect(status.getByTestId('dispatches')).toHaveText(`${report.dispatches} dispatches`)
  await status.getByRole('button', { name: 'Copy report' }).click()
  await expect(status).toContainText('Copied')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  for (const part of [`backend: ${backend.toUpperCase()}`, 'RoFormerForMaskedLM', `dispatches: ${report.dispatches}`]) {
    expect(copied).toContain(part)
  }
  expect(copied, 'the text stays private').not.toContain('sat')
})

test('@cpu the engine’s menu leads to the source code and the command line', async ({ explorer, page }) => {
  await explorer.open({ text: 'the [MASK] sat .' })
  await page.getByTestId('engine-menu').click()
  await page.getByTestId('status').getByRole('link', { name: 'Source code and command line' }).click()
  await expect(page.getByRole('region', { name: 'Source code and command line' })).toContainText('ropescope run')
  await expect(page.getByTestId('status')).toBeHidden()
})

test('another backend can be chosen', async ({ explorer, page, backend }) => {
  await explorer.open({ text: 'the [MASK] sat .' })
  const other = backend === 'gpu' ? 'cpu' : 'gpu'
  const before = await explorer.result()
  await page.getByTestId('engine-menu').click()
  await page.getByTestId('backend-choice').locator('label', { hasText: other.toUpperCase() }).click()
  await explorer.said('started', ({ info }) => info.backend === other)
  // A software adapter compiles for a while.
  await expect.poll(async () => (await explorer.result()).report.backend, { timeout: 90_000 }).toBe(other)
  const after = await explorer.result()
  expect(Array.from(after.topIds)).toEqual(Array.from(before.topIds))
  // It is the visitor's and not the link's: it stays, and nobody else is sent it.
  await page.goto('./')
  await explorer.said('started', ({ info }) => info.backend === other)
  expect(page.url()).not.toContain('backend')
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`@cpu the theme follows a ${colorScheme} system and can be switched`, async ({ explorer, page }) => {
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    await page.emulateMedia({ colorScheme })
    await explorer.open({ text: 'the [MASK] sat .' })
    const system = await ground()
    const other = colorScheme === 'light' ? 'Dark' : 'Light'
    await page.getByTestId('engine-menu').click()
    await page.getByTestId('theme').locator('label', { hasText: other }).click()
    await expect.poll(ground).not.toBe(system)
    await page.reload()
    await explorer.result()
    expect(await ground()).not.toBe(system)
  })
}
