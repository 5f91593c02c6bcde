import { expect, test } from './explorer'

const text = 'the [MASK] sat on the mat .'

test('@webgpu a device lost in mid-run comes back with the text', async ({ explorer, page }) => {
  await explorer.open({ text })
  const started = await explorer.count('started')
  const before = await explorer.result()
  await explorer.type(`a ${text}`)
  await explorer.post({ type: 'loseDevice' })
  await expect.poll(() => explorer.count('started'), { timeout: 60_000 }).toBeGreaterThan(started)
  const after = await explorer.result(before.length + 1)
  expect(after.topProbabilities.every(Number.isFinite)).toBe(true)
  await expect(explorer.textBox).toHaveValue(`a ${text}`)
  await expect(page.getByTestId('backend')).toHaveAttribute('data-backend', 'gpu')
})

test('a crash of the engine is said, and the engine comes back with the text', async ({ explorer, page }) => {
  await explorer.open({ text })
  const before = await explorer.result()
  const after = await explorer.resultAfter(() => explorer.post({ type: 'panic' }))
  expect(await explorer.count('crashed')).toBe(1)
  await expect(page.getByTestId('trouble-engine')).toContainText('crashed and was started again')
  expect(Array.from(after.topIds)).toEqual(Array.from(before.topIds))
  await expect(explorer.textBox).toHaveValue(text)
})

test('a button restarts the engine', async ({ explorer, page }) => {
  await explorer.open({ text })
  const started = await explorer.count('started')
  await page.getByTestId('engine-menu').click()
  await explorer.resultAfter(() => page.getByRole('button', { name: /restart/i }).click())
  expect(await explorer.count('started')).toBe(started + 1)
  await expect(explorer.textBox).toHaveValue(text)
})

test('@webgpu an adapter is checked after its first result, and remembered at the next visit', async ({
  explorer,
  page,
}) => {
  /** Whether the adapter was told to be sound before there was a result. */
  const trusted = () =>
    page.evaluate(() => {
      const sound = window.fromWorker.findIndex(({ type }) => type === 'sound')
      return sound < window.fromWorker.findIndex((said) => said.type === 'answer' && said.kind === 'run')
    })
  await explorer.open({ text })
  expect(await trusted()).toBe(false)
  const { adapter } = await explorer.said('sound')
  expect(adapter).toContain('ropescope_bg')
  await page.reload()
  await explorer.result()
  expect(await trusted()).toBe(true)
  const start = await page.evaluate(() => window.toWorker.find(({ type }) => type === 'start'))
  expect(start).toMatchObject({ trusted: [adapter] })
})
