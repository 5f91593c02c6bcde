// Interventions: how much they change, how they are undone, and what the page says if the engine refuses one.
import type { Page } from '@playwright/test'
import type { Change, Differences } from '../../web/engine/protocol/protocol'
import { run } from './commandLine'
import { expect, test } from './explorer'

const text = 'the [MASK] sat on the mat .'
type Tensors = Awaited<ReturnType<typeof run>>

/** The ids of the page's last run. */
const idsOf = (page: Page) =>
  page.evaluate(() => {
    const run = window.toWorker.findLast((message) => message.type === 'request' && message.kind === 'run')
    return run?.type === 'request' && run.kind === 'run' ? run.params.request.ids : new Uint32Array()
  })

/** The largest |Δ| of all tensors whose names have this prefix. */
function largest(one: Tensors, other: Tensors, name: string): number {
  const names = [...one.keys()].filter((found) => found.startsWith(name))
  expect(names.length).toBeGreaterThan(0)
  return names.reduce((most, name) => {
    const none = new Float32Array()
    const [before, after] = [one.get(name)?.data ?? none, other.get(name)?.data ?? none]
    expect(before.length).toBe(after.length)
    return before.reduce((most, value, at) => Math.max(most, Math.abs(value - (after[at] ?? NaN))), most)
  }, 0)
}

/** |Δ| of one weight. */
function differenceAt(one: Tensors, other: Tensors, { layer, head, query, key }: Differences): number {
  const [before, after] = [one, other].map((tensors) => tensors.get(`attentions.${layer}`))
  const [, , length = 0] = before?.shape ?? []
  const at = (head * length + query) * length + key
  return Math.abs((before?.data[at] ?? NaN) - (after?.data[at] ?? NaN))
}

test('the largest differences of any weight and of any logit are those of the command line', async ({
  explorer,
  page,
  tinyModel,
  backend,
}) => {
  await explorer.open({ text })
  const { id: model } = await explorer.message('loaded')
  const ids = await idsOf(page)
  const plain = await run(tinyModel, text)
  const withoutHead: Change = { ablatedHeads: [{ layer: 0, head: 1 }] }
  const offset = 100
  const cases = [
    { of: 'change', change: withoutHead, positionOffset: 0, before: plain, flags: ['--ablate-heads', '0.1'] },
    {
      of: 'shift',
      change: { rotaryValue: true },
      positionOffset: offset,
      before: await run(tinyModel, text, '--rotary-value'),
      flags: ['--rotary-value', '--position-offset', String(offset)],
    },
  ] as const
  const tolerance = backend === 'gpu' ? 1e-4 : 1e-5
  for (const { before, flags, ...asks } of cases) {
    const found = await explorer.ask('differences', { model, ids, ...asks })
    const after = await run(tinyModel, text, ...flags)
    const [weight, logit] = [largest(before, after, 'attentions.'), largest(before, after, 'logits')]
    expect(Math.min(weight, logit), flags.join()).toBeGreaterThan(10 * tolerance)
    expect(Math.abs(found.weight - weight), flags.join()).toBeLessThanOrEqual(tolerance)
    expect(Math.abs(found.logit - logit), flags.join()).toBeLessThanOrEqual(tolerance * Math.max(1, logit))
    expect(Math.abs(differenceAt(before, after, found) - weight), flags.join()).toBeLessThanOrEqual(tolerance)
  }
  // The last run still answers requests.
  const { run: last } = await explorer.result()
  expect((await explorer.ask('head', { run: last, layer: 0, head: 1 })).length).toBe(ids.length)
})

test('@cpu a shift holds, breaks where values are rotated, and holds where they are rotated back', async ({
  explorer,
  page,
}) => {
  await explorer.open({ text, open: 'shift', offset: '1000' })
  const headline = page.getByTestId('headline')
  const holds = /no weight moves by more than .* all \d+ heads were compared/
  await expect(headline).toContainText(holds)
  await page.getByRole('button', { name: 'rotated by position' }).click()
  await expect(headline).toContainText(/a weight moves by .* and a logit by .*not rotated back/)
  await explorer.shown({ rotaryValue: '1', rotatesValues: null })
  await page.getByRole('button', { name: 'rotated and rotated back' }).click()
  await expect(headline).toContainText(holds)
  await explorer.shown({ rotaryValue: null, rotatesValues: '1', offset: '1000' })
})

test('@cpu a change that is refused says why, and is put back by a click', async ({ explorer, page }) => {
  await explorer.visit({ text, logN: '0.5', offset: '3' })
  const trouble = page.getByTestId('trouble-run')
  await expect(trouble).toContainText('log-n')
  await expect(explorer.textBox).toHaveValue(text)
  await explorer.shown({ logN: '0.5', offset: '3' })
  const changed = page.getByTestId('changed')
  await changed.getByRole('button', { name: 'log-n' }).click()
  await expect(trouble).toHaveCount(0)
  await expect(changed).toContainText('shifted by 3 positions')
  await explorer.shown({ logN: null, offset: '3', text })
  // Distances cannot be clamped together with muted pairs.
  await explorer.visit({ text, reach: '2', cut: '0.0:0' })
  await expect(trouble).toContainText('Choose one of them')
  await page.getByRole('button', { name: 'Undo all changes' }).click()
  await expect(trouble).toHaveCount(0)
  await expect(changed).toHaveCount(0)
})

test('@cpu heads that are off give zero or their mean, as it is chosen in Predictions', async ({ explorer, page }) => {
  await explorer.open({ text, open: 'predictions', off: '1.3' })
  const headline = page.getByTestId('headline')
  await expect(headline).toContainText('Without head L1·H3')
  await explorer.resultAfter(() => page.getByTestId('off-by').getByText('its mean').click())
  await expect(headline).toContainText('With the mean in place of head L1·H3')
  await explorer.shown({ off: '1.3', offBy: 'mean' })
})
