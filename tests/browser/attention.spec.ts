// Linear attention: a RoFormer switched to it and back, its signed weights, and the effect of a text's offset; and trials.
import { difference, mapOf, run } from './commandLine'
import { expect, test } from './explorer'

const text = 'the [MASK] sat on the mat .'

test('weights of linear attention are the command line’s, softmax comes back, and trials agree', async ({
  explorer,
  page,
  tinyModel,
  backend,
}) => {
  await explorer.open({ text, open: 'shift', layer: '1', head: '0' })
  const attention = page.getByLabel('attention', { exact: true })
  const linear = await explorer.resultAfter(() => attention.selectOption('linear'))
  await expect(page.getByTestId('changed')).toContainText('with linear attention')
  const expected = mapOf(await run(tinyModel, text, '--attention', 'linear'), 1, 0)
  const { attention: weights } = await explorer.ask('head', { run: linear.run, layer: 1, head: 0 })
  const tolerance = backend === 'gpu' ? 1e-4 : 1e-5
  expect(difference(weights, expected)).toBeLessThanOrEqual(tolerance)
  await page.getByTestId('changed').getByRole('button').click()
  await expect(page.getByTestId('changed')).toHaveCount(0)
  await expect(attention).toHaveValue('softmax')

  // Three ways to rotate agree, and attention is timed.
  const tokens = 33
  const trials = []
  for (const what of ['blocks', 'elementwise', 'fused'] as const) {
    trials.push(await explorer.ask('trial', { what, length: tokens, headSize: 8 }))
  }
  expect(trials.map(({ bytes }) => bytes)).toEqual([tokens * 8 * 8 * 4, tokens * 8 * 4, tokens * 8 * 4])
  const [blocks = [], ...others] = trials.map(({ numbers }) => Array.from(numbers))
  expect(blocks).toHaveLength(4 * 8)
  for (const numbers of others) expect(difference(numbers, blocks)).toBeLessThan(tolerance)
  for (const what of ['softmax', 'map', 'linear'] as const) {
    const { milliseconds, bytes, numbers } = await explorer.ask('trial', { what, length: tokens, headSize: 64 })
    expect(milliseconds, what).toBeGreaterThan(0)
    expect(bytes, what).toBeGreaterThan(tokens * 3 * 4 * 64 * 4)
    expect(numbers.length, what).toBe(4 * 64)
  }
})

test('@cpu a shift moves nothing where the rotation comes after φ, and weights where it comes before', async ({
  explorer,
  page,
}) => {
  await explorer.open({ text, open: 'shift', offset: '1000', attention: 'linear' })
  const headline = page.getByTestId('headline')
  await expect(headline).toContainText(/no weight moves by more than/)
  await page.getByLabel('attention', { exact: true }).selectOption('linear_rotate_first')
  await expect(headline).not.toContainText(/no weight moves by more than/)
})
