import { expect, test } from './explorer'

test('@cpu the engine’s menu says what ran, and its report can be copied', async ({
  explorer,
  page,
  backend,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await explorer.open({ text: 'the [MASK] sat .' })
  const { report } = await explorer.result()
  await expect(page.getByTestId('engine-menu'), 'no time that changes with every run').not.toContainText(/\d/)
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

test('@webgpu another backend can be chosen', async ({ explorer, page }) => {
  await explorer.open({ text: 'the [MASK] sat .' })
  const before = await explorer.result()
  await page.getByTestId('engine-menu').click()
  await page.getByTestId('backend-choice').locator('label', { hasText: 'CPU' }).click()
  const after = await explorer.answered('run', ({ report }) => report.backend === 'cpu')
  expect(Array.from(after.topIds)).toEqual(Array.from(before.topIds))
  // The choice is stored in the browser, not in the link.
  await page.goto('./')
  await explorer.message('started', ({ info }) => info.backend === 'cpu')
  expect(page.url()).not.toContain('backend')
})

test('@cpu the theme follows the system and can be switched', async ({ explorer, page }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await explorer.open({ text: 'the [MASK] sat .' })
  const choose = (theme: string) => page.getByTestId('theme').selectOption(theme)
  const grounds: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect.poll(ground).not.toBe(grounds[0])
    grounds.push(await ground())
  }
  const [light = '', dark = ''] = grounds
  await choose('light')
  await expect.poll(ground).toBe(light)
  await page.reload()
  await explorer.result()
  expect(await ground()).toBe(light)
  await page.emulateMedia({ colorScheme: 'light' })
  await choose('dark')
  await expect.poll(ground).toBe(dark)
})

for (const width of [1280, 390]) {
  test(`@cpu undo and redo can be pressed at ${width} px, where there is something to undo`, async ({
    explorer,
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    await explorer.open({ text: 'the [MASK] sat .', layer: '0', head: '0' })
    if (width < 960) await page.getByTestId('page-controls').click()
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await expect(button('Undo')).toBeDisabled()
    await page.keyboard.press(']')
    await explorer.shown({ head: '1' })
    await button('Undo').click()
    await explorer.shown({ head: '0' })
    await expect(button('Undo')).toBeDisabled()
    await button('Redo').click()
    await explorer.shown({ head: '1' })
  })
}
