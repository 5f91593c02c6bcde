import { run } from './commandLine'
import { expect, test } from './explorer'

test.use({ model: 'tiny' })

test("weights are kept as the menu says, with the command line's numbers", async ({
  explorer,
  page,
  backend,
  tinyModel,
}) => {
  const text = 'the cat sat on the mat'
  await explorer.open({ text, layer: '1', head: '0', weights: 'int4' })
  expect((await explorer.message('loaded')).model.weights.format).toBe('int4')
  const packed = await explorer.result()
  // The CPU rounds x for these weights, and the GPU does not.
  const tensors = await run(tinyModel, text, '--weights', 'int4', '--backend', backend)
  const map = tensors.get('attentions.1')
  const size = packed.length ** 2
  expect(map?.data.length).toBeGreaterThanOrEqual(size)
  for (let at = 0; at < size; at++) expect(packed.attention[at]).toBeCloseTo(map?.data[at] as number, 4)

  await page.getByTestId('engine-menu').click()
  await expect(page.getByTestId('weights')).toHaveAttribute('data-format', 'int4')
  const plain = await explorer.resultAfter(() =>
    page.getByTestId('weights-choice').locator('label', { hasText: 'f32' }).click(),
  )
  await expect(page.getByTestId('weights')).toHaveAttribute('data-format', 'f32')
  await explorer.shown({ weights: 'f32', layer: '1' })
  const moved = Math.max(
    ...Array.from(plain.attention, (weight, at) => Math.abs(weight - (packed.attention[at] as number))),
  )
  expect(moved).toBeGreaterThan(1e-4)
})

test('@cpu a model stands beside itself with its weights packed', async ({ explorer, page }) => {
  await explorer.open({
    text: 'the cat sat on the mat',
    open: 'compare',
    'compare.with': 'model',
    'compare.model': 'int8',
  })
  const view = page.getByTestId('view-compare')
  await expect(view.locator('[role=application]')).toHaveAttribute('aria-busy', 'false')
  await expect(view).toContainText('weights int8')
  await expect(page.getByRole('combobox', { name: 'Model of B' })).toHaveValue('int8')
})
