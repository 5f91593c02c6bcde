import { flushSync } from 'svelte'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { bundledModels } from '../../services/bundled'
import { Bench } from '../../session/bench.svelte'
import { EngineState } from '../../session/engine.svelte'
import { encoderDecoder, FakeWorker, headOf, soon } from '../../testing/fakeEngine'
import { fakePlace } from '../../testing/fakeBench'
import { inRoot } from '../../testing/inRoot.svelte'
import { defaults } from '../../viewstate/codec'
import type { ModelInfo, ModelSource } from '../../engine/protocol/protocol'
import type { Point } from '../../ui/pointer'
import { inputsOf } from '../module'
import { readParams, writeParams } from '../view'
import { compare, longestText, scalingNames, type CompareParams } from '.'
import { modelOf, modelOptions, namesOf, nextHead, scalingOf } from './data.svelte'
import * as module from './view'
import { commandOf, tablesOf } from './tables'

afterEach(() => vi.unstubAllGlobals())

const text = 'the dog sat on the floor'
const usual: CompareParams = { with: 'change', text: '', model: '', scaling: 'linear4', show: 'a' }

async function setUp(link: Record<string, string> = {}, info: Partial<ModelInfo> = {}) {
  const workers: FakeWorker[] = []
  const engine = new EngineState(() => {
    workers.push(new FakeWorker())
    return workers.at(-1) as FakeWorker
  })
  const bench = new Bench(engine, fakePlace(`#${new URLSearchParams({ text, layer: '2', head: '6', ...link })}`).place)
  engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: [] })
  await soon()
  const worker = workers[0] as FakeWorker
  await worker.loaded(info)
  await worker.ran()
  const params = inRoot<CompareParams>(usual)
  const pointer = inRoot<Point | undefined>(undefined)
  const { result, end } = params.make(() => {
    const inputs = inputsOf<CompareParams>(bench, {
      get params() {
        return params.value
      },
      get pointer() {
        return pointer.value
      },
      width: 850,
      height: 396,
      isPictureOnly: false,
      phone: false,
      scheme: 'light',
    })
    const data = module.data(inputs)
    const output = $derived(module.output(inputs, data).pictureFor(bench.run))
    $effect(() => void output)
    return { data: data.sides, output: () => output }
  })
  const { data, output } = result
  const set = async (change: Partial<CompareParams>) => {
    params.value = { ...params.value, ...change }
    flushSync()
    await soon()
  }
  await set({})
  const runs = () => worker.requests('run').length
  return { bench, worker, workers, data, output, pointer, set, runs, end }
}

it('B is the next head while nothing is changed, and is read, not run', async () => {
  const { worker, data, runs } = await setUp()
  expect(data.kind).toBe('head')
  const [request] = worker.requests('head')
  expect(request?.params).toMatchObject({ layer: 2, head: 7 })
  expect(data.current).toBeUndefined()
  await worker.answer(request!, headOf(request!.params.run, 2, 7, 8))
  expect(data.current?.contrast).toEqual({ by: 'head', head: 'L2·H6', other: 'L2·H7' })
  expect(commandOf(data.current!)).not.toContain('\n')
  expect(runs()).toBe(1)
})

it('keys start at the cell below the pointer, and a cursor that moves paints no map and words no headline again', async () => {
  const { bench, worker, output, pointer } = await setUp({ query: '1', key: '2' })
  const [request] = worker.requests('head')
  const { length } = bench.run!.head
  await worker.answer(request!, headOf(request!.params.run, 2, 7, length))
  flushSync()
  const maps = () => output().scene?.marks.filter((mark) => mark.kind === 'raster' && mark.rows === length)
  const [painted, { published }] = [maps(), output()]
  expect(painted).toHaveLength(3)
  expect(output().onAction?.('right')?.cursor).toEqual({ query: 1, key: 3 })
  bench.chooseForRun({ query: 4 })
  flushSync()
  expect(output().onAction?.('right')?.cursor).toEqual({ query: 4, key: 3 })
  const [, inB] = painted ?? []
  if (inB?.kind !== 'raster') throw new Error('B is not painted')
  const pitch = inB.width / length
  pointer.value = { x: inB.x + 5.5 * pitch, y: inB.y + 3.5 * pitch }
  flushSync()
  expect(output().onAction?.('right')?.cursor).toEqual({ query: 3, key: 6 })
  expect(output().hit?.(pointer.value.x, pointer.value.y)?.cursor).toEqual({ query: 3, key: 5 })
  maps()?.forEach((map, at) => expect(map).toBe(painted?.[at]))
  expect(output().published).toBe(published)
})

it('both maps are of one part of two encoder–decoders, also while another part runs', async () => {
  vi.stubGlobal('document', { baseURI: 'http://host/' })
  const pair = { text: 'the dog\tthe cat' }
  const { bench, worker, workers, data, set } = await setUp(pair, encoderDecoder)
  await set({ with: 'model' })
  const other = workers[1]!
  await other.loaded(encoderDecoder)
  flushSync()
  await soon()
  const answer = async () => {
    flushSync()
    await soon()
    const request = other.requests('comparisonHead').at(-1)!
    const { layer, head } = request.params
    await other.answer(request, headOf(request.id, layer, head, bench.run!.reading.ids.length))
  }
  const parts = () => [data.current?.a, data.current?.b].map((side) => side?.reading.pair?.part)
  await answer()
  expect(parts()).toEqual(['cross', 'cross'])
  bench.choose({ part: 'decoder' })
  flushSync()
  await soon()
  expect(parts()).toEqual(['cross', 'cross'])
  await worker.ran()
  expect(data.current).toBeUndefined()
  await answer()
  expect(parts()).toEqual(['decoder', 'decoder'])
})

it('B is another text, a suggestion while none is typed, in the same head', async () => {
  const { bench, worker, data, output, set, runs } = await setUp()
  await set({ with: 'text' })
  const suggested = worker.requests('comparisonHead')[0]
  expect(data.text).toBe(data.suggestion)
  expect(suggested?.params).toMatchObject({ layer: 2, head: 6 })
  await set({ text: 'the cat sat on the floor' })
  const typed = worker.requests('comparisonHead')[1]
  await worker.answer(typed!, headOf(typed!.id, 2, 6, 8))
  const pair = data.current
  expect(pair?.contrast).toEqual({ by: 'text', head: 'L2·H6' })
  expect(pair?.alignment.compared).toBe('places')
  expect(namesOf(pair!)).toEqual([`L2·H6 in “${text}”`, 'L2·H6 in “the cat sat on the floor”'])
  expect(commandOf(pair!).split('\n')).toEqual([
    expect.stringMatching(/--text 'the dog .*--output a\.safetensors$/),
    expect.stringMatching(/--text 'the cat .*--output b\.safetensors$/),
  ])
  bench.choose({ layer: 1, head: 0 })
  flushSync()
  await soon()
  // While the other head is loading the former pair stays.
  expect(data.comparison).toBe(pair)
  const { run } = worker.requests('head').at(-1)!.params
  await worker.answer(worker.requests('head').at(-1)!, headOf(run, 1, 0, 8))
  flushSync()
  await soon()
  const ofB = worker.requests('comparisonHead').at(-1)!
  expect(ofB.params).toMatchObject({ ids: typed?.params.ids, layer: 1, head: 0 })
  expect([data.comparison === pair, output().stale]).toEqual([true, true])
  await worker.answer(ofB, headOf(typed!.id, 1, 0, 8))
  expect(output().stale).toBe(false)
  expect(data.current?.contrast).toEqual({ by: 'text', head: 'L1·H0' })
  expect([runs(), worker.requests('comparisonHead').length]).toEqual([1, 3])
})

it('a difference is told of the tokens that are compared alone', async () => {
  const { worker, data, set } = await setUp()
  await set({ with: 'text', text: 'the dog sat down on the floor' })
  const request = worker.requests('comparisonHead')[0]
  await worker.answer(request!, headOf(request!.id, 2, 6, request!.params.ids.length))
  const pair = data.current
  expect(pair?.alignment.compared).toBe('ends')
  const names = (at: number) => tablesOf(pair!, new Float32Array(64))[at]?.table.header
  expect(names(1)).toContain('down 4')
  expect(names(2)).toEqual(names(0))
  await set({ text: 'x' })
  const other = worker.requests('comparisonHead')[1]
  await worker.answer(other!, headOf(other!.id, 2, 6, other!.params.ids.length))
  expect(data.current?.alignment.compared).toBe('none')
  expect(tablesOf(data.current!, new Float32Array(64)).length).toBe(2)
})

it('A is the text as it is where B is of another rope, and nothing else runs for it', async () => {
  const scaling = '{"rope_type":"linear","factor":2}'
  const { worker, data } = await setUp({ scaling })
  // The unchanged text runs first, then the changed one.
  await worker.ran()
  flushSync()
  await soon()
  expect(data.kind).toBe('change')
  expect(worker.requests('comparisonHead')).toEqual([])
  expect(data.current?.contrast).toMatchObject({ by: 'change', change: 'with linear RoPE scaling, factor 2' })
})

it('B is the same text under another rope', async () => {
  const { worker, data, set } = await setUp()
  await set({ with: 'scaling', scaling: 'linear2' })
  const [request] = worker.requests('comparisonHead')
  expect(request?.params.change?.ropeScaling).toBe('{"rope_type":"linear","factor":2}')
  await worker.answer(request!, headOf(request!.id, 2, 6, 8))
  expect(namesOf(data.current!)).toEqual(['L2·H6 baseline', 'with linear RoPE scaling, factor 2'])
})

it('B is the next head of the layer where no other is selected', () => {
  expect(nextHead({ layer: 2, head: 7 }, 8)).toEqual({ layer: 2, head: 0 })
  expect(nextHead({ layer: 0, head: 0 }, 1)).toEqual({ layer: 0, head: 0 })
})

it('a number beyond the model’s heads selects the last one', async () => {
  const { bench, output, set } = await setUp()
  bench.choose({ other: { layer: 1, head: 2 } })
  await set({})
  const fields = output()!
    .above!.flat()
    .filter((item) => item && 'min' in item && item.kind === 'number')
  const typed = (value: number) => fields.map((field) => field && field.kind === 'number' && field.to(value))
  expect(fields).toHaveLength(2)
  expect(typed(99)).toEqual([
    { choice: { other: { layer: 3, head: 2 } } },
    { choice: { other: { layer: 1, head: 7 } } },
  ])
  expect(typed(-3)).toEqual([
    { choice: { other: { layer: 0, head: 2 } } },
    { choice: { other: { layer: 1, head: 0 } } },
  ])
})

const othersThan = (name: string) => bundledModels.map(({ folder }) => folder).filter((folder) => folder !== name)

describe('what the link says of B', () => {
  const unchanged = defaults.viewParams

  it('is given back, and what is as by default is left out', () => {
    const change = { with: 'text', text: 'a & b = 100 % <b>', model: 'own', scaling: 'yarn8', show: 'b' }
    const written = writeParams(compare, change, unchanged)
    expect(written).toEqual({
      'compare.with': 'text',
      'compare.text': 'a & b = 100 % <b>',
      'compare.model': 'own',
      'compare.scaling': 'yarn8',
      'compare.show': 'b',
    })
    expect(readParams(compare, written)).toEqual(change)
    const usual = { with: 'change', text: '', model: '', scaling: 'linear4', show: 'a' }
    expect(writeParams(compare, usual, written)).toEqual({})
    // Each kind of B keeps its own parameter when another kind is selected.
    expect(writeParams(compare, { with: 'head' }, written)).toEqual({ ...written, 'compare.with': 'head' })
  })

  it('is taken from strangers only where it makes sense', () => {
    const hostile = {
      'compare.with': 'everything',
      'compare.text': 'x'.repeat(5000),
      'compare.model': '../../'.repeat(40),
      'compare.scaling': '{"rope_type":"linear","factor":1e308}',
    }
    const read = readParams(compare, hostile)
    expect(read).toMatchObject({ with: 'change', scaling: 'linear4', show: 'a' })
    expect((read['text'] as string).length).toBe(longestText)
    expect((read['model'] as string).length).toBe(64)
    // Only names from the options are ever fetched.
    const options = modelOptions({ kind: 'url', base: '', name: 'roformer-english', files: [] }, undefined, undefined)
    expect(options.map(({ id }) => id)).toEqual(othersThan('roformer-english'))
    expect(modelOf(read['model'] as string, options)?.id).toBe('roformer-english-causal')
    expect(modelOf('own', [])).toBeUndefined()
  })

  it('offers the visitor’s own model while it is there and another one than A’s', () => {
    const mine: ModelSource = { kind: 'files', files: [], name: 'mine' }
    const ids = (options: ReturnType<typeof modelOptions>) => options.map(({ id }) => id)
    expect(ids(modelOptions({ kind: 'url', base: '', name: 'roformer-english', files: [] }, mine, undefined))).toEqual([
      ...othersThan('roformer-english'),
      'own',
    ])
    expect(ids(modelOptions(mine, mine, undefined))).toEqual(othersThan(''))
  })
})

it('every scaling is a scaling as config.json has it', () => {
  const info = { max_position_embeddings: 512 } as ModelInfo
  expect(scalingNames.map((name) => JSON.parse(scalingOf(name, info)) as unknown)).toEqual([
    { rope_type: 'linear', factor: 2 },
    { rope_type: 'linear', factor: 4 },
    { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 512 },
    { rope_type: 'yarn', factor: 8, original_max_position_embeddings: 512 },
  ])
})
