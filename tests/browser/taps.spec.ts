// Value-weighted attention and the file of all activations equal the command line's.
import { readFile } from 'node:fs/promises'
import { readSafetensors, type Tensor } from '../../benches/browser/safetensors'
import { everyTap } from '../../web/engine/protocol/site'
import { run } from './commandLine'
import { expect, test } from './explorer'

const text = 'the [MASK] sat on the mat .'

/** The largest difference, relative to the largest number or to 1. */
function difference(found: ArrayLike<number>, wanted: ArrayLike<number>): number {
  expect(found.length).toBe(wanted.length)
  const largest = Array.from(wanted).reduce((most, value) => Math.max(most, Math.abs(value)), 1)
  const differences = Array.from(found, (value, at) => Math.abs(value - (wanted[at] ?? NaN)))
  return differences.reduce((most, one) => (one <= most ? most : one), 0) / largest
}

test('the file of all taps and means over heads hold what the command line writes', async ({
  explorer,
  page,
  tinyModel,
  backend,
}) => {
  const tolerance = backend === 'gpu' ? 1e-4 : 1e-5
  await explorer.open({ text, offset: '3' })
  const runs = await explorer.requestCount('run')
  await page.getByTestId('more-map').click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download all activations (.safetensors)' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^ropescope-.+-activations\.safetensors$/)
  const found = readSafetensors(await readFile(await download.path()))
  const wanted = await run(tinyModel, text, '--position-offset', '3', '--taps', everyTap.join(','))
  expect([...found.keys()]).toEqual([...wanted.keys()])
  expect(found.size).toBe(2 * 8 + 2)
  for (const [name, { shape, data }] of wanted) {
    expect(found.get(name)?.shape, name).toEqual(shape)
    expect(difference(found.get(name)?.data ?? [], data), name).toBeLessThanOrEqual(tolerance)
  }
  await expect(page.getByRole('status').filter({ hasText: '--taps hidden_states,attentions' })).toContainText(
    '--position-offset 3',
  )
  expect(await explorer.requestCount('run')).toBe(runs)

  // What heads take, and means over heads, are those of the taps; one map is read for them.
  await explorer.resultAfter(() => explorer.follow({ text, layer: '1', head: '3' }))
  const { run: shown, length } = await explorer.result()
  const taps = await run(tinyModel, text, '--taps', 'value')
  const { data: maps, shape } = taps.get('attentions.1') as Tensor
  const { data: values, shape: valueShape } = taps.get('layer.1.value') as Tensor
  const [heads = 0, size = 0] = [shape[1], valueShape[3]]
  const norm = (head: number, key: number) => Math.hypot(...values.slice((head * length + key) * size).slice(0, size))
  const mean = (of: readonly number[], weighed: boolean) =>
    Float32Array.from({ length: length * length }, (_, cell) => {
      const each = of.map(
        (head) => (maps[head * length * length + cell] ?? NaN) * (weighed ? norm(head, cell % length) : 1),
      )
      return each.reduce((sum, one) => sum + one, 0) / of.length
    })
  const all = Array.from({ length: heads }, (_, head) => head)
  for (const [kind, of] of [
    ['value', [3]],
    ['value', [0, 2]],
    ['weight', all],
  ] as const) {
    const asked = of.map((head) => ({ layer: 1, head }))
    const { numbers } = await explorer.ask('map', { run: shown, kind, heads: asked })
    expect(difference(numbers, mean(of, kind === 'value')), `${kind} of ${of.join()}`).toBeLessThanOrEqual(tolerance)
  }
  // The view requests the same, and runs nothing.
  const before = await explorer.requestCount('run')
  const view = page.getByTestId('view-map')
  await view.getByLabel('Heads', { exact: true }).selectOption('layer')
  await expect(view.getByRole('application')).toHaveAccessibleName(new RegExp(`Layer 1, mean of ${heads} heads`))
  await view.getByLabel('Numbers', { exact: true }).selectOption('output')
  await expect(page.getByTestId('headline')).toContainText('The mean of layer 1 takes most from')
  await view.getByLabel('Heads', { exact: true }).selectOption('some')
  await view.getByRole('button', { name: 'add L1·H3' }).click()
  await expect(view.getByRole('application')).toHaveAccessibleName(/Mean of 1 head/)
  await explorer.shown({ 'map.mean': 'some', 'map.kind': 'output', 'map.picked': '1.3' })
  const { numbers } = await explorer.answered('map', ({ kind }) => kind === 'output')
  expect(numbers).toHaveLength(length * length)
  expect(await explorer.requestCount('run')).toBe(before)
})
