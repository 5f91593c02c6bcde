// The vectors of the bundled model that Read shows without its weights: head.json is what the engine computes of the model.
// WRITE_HEAD=1 npx vitest run web/figures/head.svelte.test.ts writes the file anew.
import { readFileSync, writeFileSync } from 'node:fs'
import { flushSync } from 'svelte'
import { expect, it } from 'vitest'
import { resource, type Resource } from '../session/resource.svelte'
import { layerTheta } from '../session/runs.svelte'
import { InThreadWorker, openBench } from '../testing/inThreadWorker'
import { examples } from '../viewstate/examples'

const file = 'web/figures/head.json'
const model = 'roformer-english'

it('the head of Read is the bundled model’s: its text, its tokens, θ, and a query and a key before rotation', async () => {
  const [{ text, layer, head, query: m, key: n }] = examples
  const { bench, complete } = await openBench(new InThreadWorker(), model, text)
  bench.choose({ layer, head })
  flushSync()
  await complete()
  const { run } = bench
  if (!run) throw new Error('no run')
  expect([run.head.layer, run.head.head]).toEqual([layer, head])
  const size = run.model.info.head_size
  const rowOf = (rows: Float32Array, at: number) => Float64Array.from(rows.subarray(at * size, (at + 1) * size))
  const theta = layerTheta(run)
  // What the model rotated forth is rotated back.
  const params = {
    query: rowOf(run.head.query, m),
    key: rowOf(run.head.key, n),
    theta: theta.map((speed) => -speed),
    m,
    n,
    reach: 1,
  }
  let before: Resource<'rotation'> | undefined
  const end = $effect.root(() => {
    before = resource(bench.engine, 'rotation', () => ({ params }))
    $effect(() => void before?.latest)
  })
  await complete()
  const { query, key } = before?.latest?.value ?? {}
  end()
  if (!query || !key) throw new Error('no rows')

  const five = (numbers: Float64Array) => Array.from(numbers, (number) => Number(number.toPrecision(5)))
  const computed = {
    model,
    text,
    layer,
    head,
    theta: five(theta),
    query: { position: m, token: run.reading.display[m], row: five(query) },
    key: { position: n, token: run.reading.display[n], row: five(key) },
  }
  if (process.env['WRITE_HEAD']) writeFileSync(file, `${JSON.stringify(computed, null, 2)}\n`)
  const written = JSON.parse(readFileSync(file, 'utf8')) as typeof computed
  const rows = ({ theta, query, key }: typeof computed) => [theta, query.row, key.row].flat()
  const named = ({ theta, ...others }: typeof computed) => ({
    ...others,
    query: { ...others.query, row: theta.length },
    key: { ...others.key, row: theta.length },
  })
  expect(named(written)).toEqual(named(computed))
  const [all, expected] = [rows(written), rows(computed)]
  expect(all).toHaveLength(expected.length)
  all.forEach((number, at) => expect(number).toBeCloseTo(expected[at] ?? NaN, 3))
})
