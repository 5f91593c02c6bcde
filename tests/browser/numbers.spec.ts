import { decay, difference, mapOf, run } from './commandLine'
import { bundledModel, expect, test } from './explorer'

const text = 'the [MASK] sat on the mat .'

/** Ids and probabilities of the five likeliest tokens of one row of logits, ties to the lower id. */
function fills(logits: Float32Array): { ids: number[]; probabilities: number[] } {
  const largest = logits.reduce((a, b) => Math.max(a, b))
  const weights = Array.from(logits, (logit) => Math.exp(logit - largest))
  const sum = weights.reduce((a, b) => a + b)
  const ids = weights.map((_, id) => id).sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b)
  const top = ids.slice(0, 5)
  return { ids: top, probabilities: top.map((id) => (weights[id] ?? 0) / sum) }
}

for (const model of ['tiny', 'bundled'] as const) {
  test.describe(`the ${model} model`, () => {
    test.use({ model })

    test('fills and attention equal those of the command line', async ({ explorer, tinyModel, backend }) => {
      await explorer.open({ text, layer: '1', head: '3' })
      const result = await explorer.result()
      const expected = await run(model === 'tiny' ? tinyModel : bundledModel, text)
      const tolerance = backend === 'gpu' ? 1e-4 : 1e-5

      const logits = expected.get('logits')
      const [, length = 0, vocabulary = 0] = logits?.shape ?? []
      const row = result.rows[0] ?? NaN
      const { ids, probabilities } = fills(
        logits?.data.slice(row * vocabulary, (row + 1) * vocabulary) ?? new Float32Array(),
      )
      expect(Array.from(result.topIds).slice(0, 5)).toEqual(ids)
      expect(difference(result.topProbabilities.slice(0, 5), probabilities)).toBeLessThanOrEqual(tolerance)

      expect([result.layer, result.head, result.length]).toEqual([1, 3, length])
      expect(difference(result.attention, mapOf(expected, 1, 3))).toBeLessThanOrEqual(tolerance)
    })
  })
}

/** Every intervention of a link, with the command line's option for it. */
const changes = [
  { link: { off: '0.1,1.2' }, flags: ['--ablate-heads', '0.1,1.2'] },
  { link: { off: '0.1,1.2', offBy: 'mean' }, flags: ['--ablate-heads-mean', '0.1,1.2'] },
  { link: { rotaryValue: '1' }, flags: ['--rotary-value'] },
  { link: { rotatesValues: '1' }, flags: ['--rove'] },
  { link: { logN: '2.5' }, flags: ['--log-n', '2.5'] },
  { link: { reach: '2' }, flags: ['--rerope', '2'] },
  {
    link: { scaling: '{"rope_type":"linear","factor":3}' },
    flags: ['--rope-scaling', '{"rope_type":"linear","factor":3}'],
  },
]

test('what is changed in the model is what the command line changes', async ({ explorer, tinyModel, backend }) => {
  const place = { text, layer: '1', head: '3' }
  await explorer.open(place)
  const unchanged = await explorer.result()
  for (const { link, flags } of changes) {
    const result = await explorer.resultAfter(() => explorer.visit({ ...place, ...link }))
    const expected = await run(tinyModel, text, ...flags)
    const tolerance = backend === 'gpu' ? 1e-4 : 1e-5
    const logits = expected.get('logits')
    const [, , vocabulary = 0] = logits?.shape ?? []
    const row = result.rows[0] ?? NaN
    const numbers = logits?.data.slice(row * vocabulary, (row + 1) * vocabulary) ?? new Float32Array()
    const { probabilities } = fills(numbers)
    expect(difference(result.topProbabilities.slice(0, 5), probabilities), flags.join()).toBeLessThanOrEqual(tolerance)
    expect(difference(result.attention, mapOf(expected, 1, 3)), flags.join()).toBeLessThanOrEqual(tolerance)
    // The intervention changes the compared numbers.
    const moved =
      difference(result.topProbabilities, unchanged.topProbabilities) +
      difference(result.attention, unchanged.attention)
    expect(moved, flags.join()).toBeGreaterThan(10 * tolerance)
  }
})

test('@cpu the decay curve equals that of the command line', async ({ explorer }) => {
  await explorer.visit({ room: 'read' })
  await explorer.message('started')
  const theta = await explorer.ask('frequencies', { headSize: 96, base: 5000 })
  const bound = await explorer.ask('decay', { theta, maxDistance: 300 })
  expect(difference(bound, await decay(96, 5000, 300))).toBeLessThanOrEqual(1e-9)
})
