// Products are tuned to the adapter from the engine's menu, and the next engine takes what was found.
import { expect, test } from './explorer'

test('@webgpu forms of products are tried, and what is found is kept where trials are stopped', async ({
  explorer,
  page,
}) => {
  await explorer.open()
  const { length } = await explorer.result()
  const stored = () => page.evaluate(() => localStorage.getItem('ropescope.forms') ?? '')
  await page.getByTestId('engine-menu').click()
  const told = page.getByTestId('tuned')
  await expect(told).toHaveAttribute('data-running', 'false')
  // A driven browser begins nothing by itself.
  expect(await stored()).toBe('')
  await page.getByRole('button', { name: 'Try them' }).click()
  // Rows, inner axis, columns and format of each class of the first text, then tile and slices.
  await expect
    .poll(stored, { timeout: 90_000 })
    .toMatch(/"forms":"1\.\d+\.\d+\.f32:\d+\.\d(,\d+\.\d+\.\d+\.f32:\d+\.\d)+"/)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(told).toHaveAttribute('data-running', 'false')
  const forms = await stored()
  await page.goto('about:blank')
  await explorer.open()
  expect((await explorer.result()).length).toBe(length)
  expect(await stored()).toBe(forms)
})
