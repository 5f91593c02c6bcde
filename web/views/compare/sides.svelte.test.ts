import { flushSync } from 'svelte'
import { expect, it } from 'vitest'
import { Bench } from '../../session/bench.svelte'
import { EngineState } from '../../session/engine.svelte'
import { FakeWorker, headOf, soon } from '../../session/fakeEngine'
import { fakePlace } from '../../viewstate/fakePlace'
import { rooted } from '../../session/rooted.svelte'
import type { CompareSettings } from '.'
import { commandOf, namesOf, tablesOf } from './sheet'
import { Sides } from './sides.svelte'

const text = 'the dog sat on the floor'
const usual: CompareSettings = { with: 'change', text: '', model: '', scaling: 'linear4' }

async function setUp(link: Record<string, string> = {}) {
  const workers: FakeWorker[] = []
  const engine = new EngineState(() => {
    workers.push(new FakeWorker())
    return workers.at(-1) as FakeWorker
  })
  const bench = new Bench(engine, fakePlace(`#${new URLSearchParams({ text, layer: '2', head: '6', ...link })}`).place)
  engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: [] })
  await soon()
  const worker = workers[0] as FakeWorker
  await worker.loaded()
  await worker.ran()
  const settings = rooted<CompareSettings>(usual)
  const { result: sides, end } = settings.make(() => new Sides(bench, () => settings.value))
  const set = async (change: Partial<CompareSettings>) => {
    settings.value = { ...settings.value, ...change }
    flushSync()
    await soon()
  }
  await set({})
  const runs = () => worker.requests('run').length
  return { bench, worker, workers, sides, set, runs, end }
}

it('B is the next head while nothing is changed, and is read, not run', async () => {
  const { worker, sides, runs } = await setUp()
  expect(sides.with).toBe('head')
  const [asked] = worker.requests('head')
  expect(asked?.params).toMatchObject({ layer: 2, head: 7 })
  expect(sides.fresh).toBeUndefined()
  await worker.answer(asked!, headOf(asked!.params.run, 2, 7, 8))
  expect(sides.fresh?.differs).toEqual({ by: 'head', head: '2.6', other: '2.7' })
  expect(commandOf(sides.fresh!)).not.toContain('\n')
  expect(runs()).toBe(1)
})

it('B is another text, a suggestion while none is typed, in the same head', async () => {
  const { bench, worker, sides, set, runs } = await setUp()
  await set({ with: 'text' })
  const suggested = worker.requests('comparisonHead')[0]
  expect(sides.text).toBe(sides.suggestion)
  expect(suggested?.params).toMatchObject({ layer: 2, head: 6 })
  await set({ text: 'the cat sat on the floor' })
  const typed = worker.requests('comparisonHead')[1]
  await worker.answer(typed!, headOf(typed!.id, 2, 6, 8))
  const pair = sides.fresh
  expect(pair?.differs).toEqual({ by: 'text', head: '2.6' })
  expect(pair?.alignment.compared).toBe('places')
  expect(namesOf(pair!)).toEqual([`2.6 in “${text}”`, '2.6 in “the cat sat on the floor”'])
  expect(commandOf(pair!).split('\n')).toEqual([
    expect.stringMatching(/--text 'the dog .*--output a\.safetensors$/),
    expect.stringMatching(/--text 'the cat .*--output b\.safetensors$/),
  ])
  bench.choose({ layer: 1, head: 0 })
  flushSync()
  await soon()
  // While the other head is on its way the former pair stays.
  expect(sides.pair).toBe(pair)
  const { run } = worker.requests('head').at(-1)!.params
  await worker.answer(worker.requests('head').at(-1)!, headOf(run, 1, 0, 8))
  flushSync()
  await soon()
  const ofB = worker.requests('comparisonHead').at(-1)!
  expect(ofB.params).toMatchObject({ ids: typed?.params.ids, layer: 1, head: 0 })
  await worker.answer(ofB, headOf(typed!.id, 1, 0, 8))
  expect(sides.fresh?.differs).toEqual({ by: 'text', head: '1.0' })
  expect([runs(), worker.requests('comparisonHead').length]).toEqual([1, 3])
})

it('a difference is told of the tokens that are compared alone', async () => {
  const { worker, sides, set } = await setUp()
  await set({ with: 'text', text: 'the dog sat down on the floor' })
  const asked = worker.requests('comparisonHead')[0]
  await worker.answer(asked!, headOf(asked!.id, 2, 6, asked!.params.ids.length))
  const pair = sides.fresh
  expect(pair?.alignment.compared).toBe('ends')
  const names = (at: number) => tablesOf(pair!, new Float32Array(64))[at]?.table.header
  expect(names(1)).toContain('down 4')
  expect(names(2)).toEqual(names(0))
  await set({ text: 'x' })
  const other = worker.requests('comparisonHead')[1]
  await worker.answer(other!, headOf(other!.id, 2, 6, other!.params.ids.length))
  expect(sides.fresh?.alignment.compared).toBe('none')
  expect(tablesOf(sides.fresh!, new Float32Array(64)).length).toBe(2)
})

it('A is the text as it is where B is of another rope, and nothing else runs for it', async () => {
  const scaling = '{"rope_type":"linear","factor":2}'
  const { worker, sides } = await setUp({ scaling })
  // The text as it is ran first, then the changed one.
  await worker.ran()
  flushSync()
  await soon()
  expect(sides.with).toBe('change')
  expect(worker.requests('comparisonHead')).toEqual([])
  expect(sides.fresh?.differs).toMatchObject({ by: 'change', change: 'with linear scaling of the rope, factor 2' })
})

it('B is the same text under another rope', async () => {
  const { worker, sides, set } = await setUp()
  await set({ with: 'scaling', scaling: 'linear2' })
  const [asked] = worker.requests('comparisonHead')
  expect(asked?.params.change?.ropeScaling).toBe('{"rope_type":"linear","factor":2}')
  await worker.answer(asked!, headOf(asked!.id, 2, 6, 8))
  expect(namesOf(sides.fresh!)).toEqual(['2.6 as it is', 'with linear scaling of the rope, factor 2'])
})
