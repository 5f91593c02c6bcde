// The loss on held-out text: fetched and requested only when the visitor starts it, without a run.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './explorer'
import { layers, vocabulary, writeHeldOut } from './tinyModel'

const text = 'the [MASK] sat .'
const rows = [
  'the cat sat on the mat',
  'a dog ran to the river',
  'the rose is red and blue',
  'water and wind in the night',
  'one two three four five six',
].map((row) => row.split(' ').map((word) => vocabulary.indexOf(word)))
const id = (token: string) => vocabulary.indexOf(token)
/** The masked position in each row, after [CLS]. */
const masked = 2

test.describe('@cpu the loss on held-out text', () => {
  test('is measured when it is wanted, without and with what is muted, and then of each pair alone', async ({
    explorer,
    page,
    tinyModel,
  }) => {
    await writeHeldOut(tinyModel, rows, masked)
    const fetched: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('held-out.json')) fetched.push(request.url())
    })
    await explorer.open({ text, model: 'roformer-english', open: 'mute', cut: '*.*:0' })
    const panel = page.getByTestId('mute-loss')
    await expect(panel.getByRole('button')).toHaveText('Measure the loss on a held-out book')
    const runs = await explorer.requestCount('run')
    expect([await explorer.requestCount('loss'), fetched.length]).toEqual([0, 0])

    await panel.getByRole('button').click()
    const line = page.getByTestId('mute-loss-line')
    await expect(line).toHaveText(/^loss \d\.\d\d [+−]?[\d.]+ \(5 masked tokens\)$/)
    await panel.getByRole('button', { name: 'Each pair alone' }).click()
    await expect(panel.getByRole('button')).toHaveCount(0)
    // Five rows take two requests, for the baseline and for each pair ablated and frozen. The current intervention is pair 0, ablated in
    // all heads.
    const { theta } = await explorer.result()
    expect(await explorer.requestCount('loss')).toBe(2 * (1 + 2 * (theta.length / layers)))
    expect([await explorer.requestCount('run'), fetched.length]).toEqual([runs, 1])

    // A run's loss on the same tokens.
    const model = await page.evaluate(() =>
      window.toWorker
        .flatMap((message) => (message.type === 'request' && message.kind === 'run' ? [message.params.model] : []))
        .at(-1),
    )
    if (model === undefined) throw new Error('nothing was run')
    const losses: number[] = []
    for (const row of rows) {
      const ids = [id('[CLS]'), ...row, id('[SEP]')]
      const label = ids[masked] ?? -1
      ids[masked] = id('[MASK]')
      const request = { ids: Uint32Array.from(ids), rows: Uint32Array.of(masked), topK: 1, layer: 0, head: 0 }
      const labelled = { ...request, positionOffset: 0, change: { labels: [label] } }
      losses.push((await explorer.ask('run', { model, request: labelled })).losses[0] ?? NaN)
    }
    const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length
    await expect(line).toContainText(`loss ${mean.toFixed(2)} `)
    await expect(page.getByTestId('headline')).toContainText(/Held-out loss: [\d.]+ → [\d.]+\./)
  })

  test('that cannot be read is said in words', async ({ explorer, page, tinyModel }) => {
    await writeFile(join(tinyModel, 'held-out.json'), '{"rows": 1e9}')
    await explorer.open({ text, model: 'roformer-english', open: 'mute' })
    const panel = page.getByTestId('mute-loss')
    await panel.getByRole('button').click()
    await expect(panel.getByRole('alert')).toContainText('held-out.json does not give the number of rows')
    await expect(panel.getByRole('button')).toHaveText('Try again')
  })

  test('is not there for a model that comes without it', async ({ explorer, page }) => {
    await explorer.open({ text, model: 'roformer-english-causal', open: 'mute' })
    await expect(page.getByTestId('mute-loss')).toHaveText(/^No held-out text comes with this model/)
    await expect(page.getByTestId('mute-loss').getByRole('button')).toHaveCount(0)
  })
})
