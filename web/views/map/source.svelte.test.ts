import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MapKind } from '../../engine/protocol/protocol'
import { Bench } from '../../session/bench.svelte'
import { EngineState } from '../../session/engine.svelte'
import { FakeWorker, soon } from '../../session/fakeEngine'
import { fakePlace } from '../../viewstate/fakePlace'
import type { Mean } from '../../charts/attention-map/subject'
import { Source } from './source.svelte'

/** A source as a component would hold it. */
function sourceBeside(bench: Bench) {
  let kind = $state<MapKind>('weight')
  let mean = $state<Mean>('head')
  let source!: Source
  const end = $effect.root(() => {
    source = new Source(bench, () => ({ kind, mean, picked: [] }))
    $effect(() => void source.current)
  })
  return {
    end,
    source,
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
let beside: ReturnType<typeof sourceBeside>

beforeEach(async () => {
  const engine = new EngineState(() => worker)
  bench = new Bench(engine, fakePlace(`#${new URLSearchParams({ text: 'the dog sat' })}`).place)
  engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: [] })
  await soon()
  await worker.loaded()
  await worker.ran()
  beside = sourceBeside(bench)
  await soon()
})

afterEach(() => beside.end())

async function show(kind: MapKind): Promise<void> {
  beside.kind = kind
  await soon()
}

async function answer(numbers: Float32Array): Promise<void> {
  const asked = worker.asked('map').at(-1)
  if (!asked) throw new Error('no map was asked for')
  const { run, kind } = asked.params
  await worker.answer(asked, { run, kind, length: Math.sqrt(numbers.length), numbers })
}

test('weights are there with the head; all else is asked for, stays until it is answered, and runs nothing', async () => {
  const runs = worker.asked('run').length
  expect(beside.source.current?.kind).toBe('weight')
  expect(worker.asked('map')).toEqual([])

  await show('score')
  expect(beside.source.current?.kind).toBe('weight')
  const { length } = beside.source.current?.shown.reading.ids ?? { length: 0 }
  const scores = new Float32Array(length ** 2).fill(-3)
  await answer(scores)
  expect(beside.source.current).toMatchObject({ kind: 'score', values: scores })

  await show('rotation')
  expect(beside.source.current).toMatchObject({ kind: 'score', values: scores })
  await show('weight')
  expect(beside.source.current?.values).toBe(bench.shown?.head.attention)
  await show('score')
  expect(beside.source.current?.values).toBe(scores)
  expect(worker.asked('map').map(({ params }) => params.kind)).toEqual(['score', 'rotation'])
  expect(worker.asked('run')).toHaveLength(runs)
})

test('means are asked for once, know their heads, and stay apart from the head’s own', async () => {
  const before = worker.asked('map').length
  beside.mean = 'layer'
  await soon()
  const asked = worker.asked('map').at(-1)
  const heads = bench.shown?.model.info.num_attention_heads ?? 0
  expect(asked?.params.heads).toHaveLength(heads)
  expect(beside.source.current, 'nothing new is said before it is there').toMatchObject({ mean: 'head', count: 1 })
  const { length } = beside.source.current?.shown.reading.ids ?? { length: 0 }
  const numbers = new Float32Array(length ** 2).fill(0.25)
  await answer(numbers)
  expect(beside.source.current).toMatchObject({ mean: 'layer', count: heads, kind: 'weight', values: numbers })
  expect(beside.source.current?.weights).toBe(numbers)
  await show('output')
  await answer(numbers)
  expect(beside.source.current).toMatchObject({ kind: 'output', weights: undefined })
  beside.mean = 'head'
  await soon()
  await answer(numbers)
  expect(beside.source.current?.weights).toBe(bench.shown?.head.attention)
  expect(worker.asked('map')).toHaveLength(before + 3)
})
