// What is selected where nobody has selected it: with the engine behind the bench, and bundled models.
import { flushSync } from 'svelte'
import { expect, it } from 'vitest'
import { InThreadWorker, openBench } from '../testing/inThreadWorker'
import type { Bench } from './bench.svelte'
import { specialPositions } from './reading'

const sentence = 'The old man opened the door and looked at the sea.'

async function open(text: string, model = 'roformer-english') {
  const opened = await openBench(new InThreadWorker(), model, text)
  const after = async (change: () => void) => {
    change()
    await opened.complete()
  }
  return { ...opened, after }
}

const cell = ({ choice: { query, key } }: Bench) => ({ query, key })

/** The cell with the largest weight between ordinary tokens, searched in another way. */
function strongest({ run }: Bench) {
  const special = specialPositions(run!)
  const { attention, length } = run!.head
  const cells = [...attention.keys()].map((index) => ({ query: Math.floor(index / length), key: index % length }))
  const ordinary = cells.filter(({ query, key }) => !special.has(query) && !special.has(key))
  return ordinary.reduce((best, now) =>
    attention[now.query * length + now.key]! > attention[best.query * length + best.key]! ? now : best,
  )
}

it('is the strongest cell of a text that a link names without a cell', async () => {
  const { bench } = await open(sentence)
  expect(cell(bench)).toEqual(strongest(bench))
  expect(bench.undoable.undo).toBe(false)
})

it('goes to the strongest cell of each text after the selected tokens are gone, until one is selected', async () => {
  const { bench, after } = await open(sentence)
  await after(() => bench.choose({ query: 4, key: 8 }))
  await after(() => bench.choose({ text: `${sentence} He smiled.` }))
  expect(cell(bench)).toEqual({ query: 4, key: 8 })
  await after(() => bench.choose({ text: 'A cat slept' }))
  expect(cell(bench)).toEqual(strongest(bench))
  await after(() => bench.choose({ text: 'A cat slept by the fire, and the dog' }))
  expect(cell(bench)).toEqual(strongest(bench))
  await after(() => bench.choose({ query: 1 }))
  await after(() => bench.choose({ text: 'A cat slept by the fire, and the dog ran' }))
  expect(bench.choice.query).toBe(1)
})

it('stays where another head is selected, and goes to the strongest cell where that is by its pattern', async () => {
  const { bench, after } = await open(sentence)
  await after(() => bench.choose({ layer: 2, head: 6, query: 3, key: 3 }))
  await after(() => bench.choose({ head: 5 }))
  expect(cell(bench)).toEqual({ query: 3, key: 3 })
  await after(() => {
    bench.choose({ layer: 2, head: 6 })
    bench.autoSelection.seekCell()
  })
  expect(bench.run?.head.head).toBe(6)
  expect(cell(bench)).toEqual(strongest(bench))
  expect(cell(bench).query - cell(bench).key).toBe(1)
})

it('takes the head that a pattern offers only after a model has replaced another one', async () => {
  const { bench, after } = await open(sentence)
  bench.autoSelection.offerHead({ layer: 1, head: 1 })
  expect(bench.choice.head).not.toBe(1)
  await after(() => {
    bench.autoSelection.seekHead()
    flushSync()
    bench.autoSelection.offerHead({ layer: 1, head: 1 })
  })
  expect([bench.choice.layer, bench.choice.head]).toEqual([1, 1])
  expect(cell(bench)).toEqual(strongest(bench))
})

it('is the strongest cell of another part of an encoder–decoder', async () => {
  const { bench, after } = await open('>>hu<<1984\tezerkilencszáz', 'marian-numbers')
  await after(() => bench.choose({ query: 8, key: 1 }))
  await after(() => bench.choose({ part: 'encoder' }))
  expect(cell(bench)).toEqual(strongest(bench))
  await after(() => bench.choose({ query: 2, key: 2 }))
  await after(() => bench.choose({ part: 'encoder' }))
  expect(cell(bench)).toEqual({ query: 2, key: 2 })
})

it('is the last token while a model writes', async () => {
  const { bench, after } = await open('The old man opened the door', 'roformer-english-causal')
  await after(() => bench.choose({ query: 2, key: 1, maxNewTokens: 6 }))
  const length = bench.run!.head.length
  await bench.generation.continue()
  await after(() => {})
  expect(bench.run!.head.length).toBe(length + 6)
  const last = bench.run!.head.length - 2
  expect(bench.choice.query).toBe(last)
  bench.undo()
  expect(cell(bench)).toEqual({ query: 2, key: 1 })
})
