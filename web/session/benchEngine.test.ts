// The bench with the engine behind it: the WASM on the CPU, and the model that comes with the page.
import { flushSync } from 'svelte'
import { expect, it } from 'vitest'
import { InThreadWorker, openBench } from '../testing/inThreadWorker'
import { bundleWorker, RealWorker } from '../testing/realWorker'

async function open(text: string) {
  const opened = await openBench(new InThreadWorker(), 'roformer-english', text)
  const type = (text: string) => {
    opened.bench.choose({ text })
    flushSync()
  }
  return { ...opened, type }
}

it('shows the last of many texts in quick succession', async () => {
  const { bench, type, complete } = await open('the')
  for (let words = 2; words <= 12; words++) type('the cat '.repeat(words).trim())
  await complete()
  expect(bench.run?.head.length).toBe(26)
  expect(bench.engine.troubles).toEqual({})
})

it('runs an empty text, and one after it', async () => {
  const { bench, type, complete } = await open('the cat')
  type('')
  await complete()
  expect(bench.run?.head.length).toBe(2)
  type('the [MASK]')
  await complete()
  expect([bench.run?.head.length, bench.engine.troubles]).toEqual([4, {}])
})

it('runs a text that is longer than the model as far as it reaches', async () => {
  const { bench, type, complete } = await open('the cat')
  const text = 'the cat sat on the mat . '.repeat(100)
  type(text)
  await complete()
  expect([bench.run?.head.length, bench.choice.text]).toEqual([512, text])
})

it('gives the same numbers with the page’s own worker in a thread of its own', async () => {
  const text = 'The cat [MASK] on the mat.'
  const worker = new RealWorker(await bundleWorker())
  const real = await openBench(worker, 'roformer-english', text)
  const { bench } = await openBench(new InThreadWorker(), 'roformer-english', text)
  expect(real.bench.run?.head.attention).toEqual(bench.run?.head.attention)
  expect(real.bench.run?.result.topIds).toEqual(bench.run?.result.topIds)
  expect(real.bench.engine.troubles).toEqual({})
  real.bench.engine.end()
})
