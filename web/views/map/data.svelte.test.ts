import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MapKind } from '../../engine/protocol/protocol'
import { Bench } from '../../session/bench.svelte'
import { EngineState } from '../../session/engine.svelte'
import { FakeWorker, soon } from '../../testing/fakeEngine'
import { fakePlace } from '../../testing/fakeBench'
import type { Mean } from '../../charts/attention-map/model'
import type { Inputs } from '../module'
import type { MapParams } from '.'
import { MapNumbers } from './data.svelte'

/** The data of an open map. */
function openMap(bench: Bench) {
  let kind = $state<MapKind>('weight')
  let mean = $state<Mean>('head')
  let data!: MapNumbers
  const end = $effect.root(() => {
    const inputs: Pick<Inputs<MapParams>, 'bench' | 'run' | 'params'> = {
      bench,
      get run() {
        return bench.run
      },
      get params() {
        return { kind, mean, picked: [], scale: 'root' as const, special: 'show' as const }
      },
    }
    data = new MapNumbers(inputs)
    $effect(() => void data.head)
  })
  return {
    end,
    data,
    set kind(to: MapKind) {
      kind = to
    },
    set mean(to: Mean) {
      mean = to
    },
  }
}

const worker = new FakeWorker()
let bench: Bench
let open: ReturnType<typeof openMap>

beforeEach(async () => {
  const engine = new EngineState(() => worker)
  bench = new Bench(engine, fakePlace(`#${new URLSearchParams({ text: 'the dog sat' })}`).place)
  engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: [] })
  await soon()
  await worker.loaded()
  await worker.ran()
  open = openMap(bench)
  await soon()
})

afterEach(() => open.end())

async function show(kind: MapKind): Promise<void> {
  open.kind = kind
  await soon()
}

async function answer(numbers: Float32Array): Promise<void> {
  const request = worker.requests('map').at(-1)
  if (!request) throw new Error('no map was asked for')
  const { run, kind } = request.params
  await worker.answer(request, { run, kind, length: Math.sqrt(numbers.length), numbers })
}

test('weights are there with the head; all else is asked for, stays until it is answered, and runs nothing', async () => {
  const runs = worker.requests('run').length
  expect(open.data.head?.kind).toBe('weight')
  expect(worker.requests('map')).toEqual([])

  await show('score')
  expect(open.data.head?.kind).toBe('weight')
  const { length } = open.data.head?.run.reading.ids ?? { length: 0 }
  const scores = new Float32Array(length ** 2).fill(-3)
  await answer(scores)
  expect(open.data.head).toMatchObject({ kind: 'score', values: scores })
  expect(open.data.stale).toBe(false)

  await show('rotation')
  expect(open.data.head).toMatchObject({ kind: 'score', values: scores })
  expect(open.data.stale).toBe(true)
  await show('weight')
  expect(open.data.head?.values).toBe(bench.run?.head.attention)
  await show('score')
  expect(open.data.head?.values).toBe(scores)
  expect(worker.requests('map').map(({ params }) => params.kind)).toEqual(['score', 'rotation'])
  expect(worker.requests('run')).toHaveLength(runs)
})

test('means are asked for once, know their heads, and stay apart from the head’s own', async () => {
  const before = worker.requests('map').length
  open.mean = 'layer'
  await soon()
  const request = worker.requests('map').at(-1)
  const heads = bench.run?.model.info.num_attention_heads ?? 0
  expect(request?.params.heads).toHaveLength(heads)
  expect(open.data.head, 'nothing new is said before it is there').toMatchObject({ mean: 'head', count: 1 })
  const { length } = open.data.head?.run.reading.ids ?? { length: 0 }
  const numbers = new Float32Array(length ** 2).fill(0.25)
  await answer(numbers)
  expect(open.data.head).toMatchObject({ mean: 'layer', count: heads, kind: 'weight', values: numbers })
  expect(open.data.head?.weights).toBe(numbers)
  await show('output')
  await answer(numbers)
  expect(open.data.head).toMatchObject({ kind: 'output', weights: undefined })
  open.mean = 'head'
  await soon()
  await answer(numbers)
  expect(open.data.head?.weights).toBe(bench.run?.head.attention)
  expect(worker.requests('map')).toHaveLength(before + 3)
})
