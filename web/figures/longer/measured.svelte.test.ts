import { readFileSync } from 'node:fs'
import { flushSync } from 'svelte'
import { expect, it } from 'vitest'
import { EngineState } from '../../session/engine.svelte'
import { FakeWorker, headOf, soon } from '../../session/fakeEngine'
import { rooted } from '../../session/rooted.svelte'
import { LongTexts, type Wanted } from './measured.svelte'

const file = readFileSync('models/roformer-english/held-out-long.json', 'utf8')

async function setUp(way: Wanted['way']) {
  const worker = new FakeWorker()
  const engine = new EngineState(() => worker)
  engine.start('cpu', 'auto')
  engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: ['held-out-long.json'] })
  await worker.loaded({ vocab_size: 8192, head_size: 4, stretches: true })
  const wanted = rooted<Wanted>({ ways: [way], way, place: { layer: 0, head: 1 } })
  const { made: texts, end } = wanted.make(
    () =>
      new LongTexts(
        { engine } as never,
        () => wanted.value,
        async () => file,
      ),
  )
  flushSync()
  const look = async (head: number) => {
    wanted.value = { ...wanted.value, place: { layer: 0, head } }
    flushSync()
    await soon()
  }
  return { worker, texts, look, end }
}

it('a map is kept as that of the head that it was asked for, whatever is looked at meanwhile', async () => {
  const { worker, texts, look, end } = await setUp('partial')
  void texts.start()
  await soon()
  const [stretched] = worker.asked('stretched')
  // What a way does to the rope is on its way: another head is looked at.
  await look(3)
  const rope = { theta: Float64Array.of(1, 0.1, 1), scores: new Float64Array(2) }
  await worker.answer(stretched!, [rope, rope])
  const [beside] = worker.asked('beside')
  expect(beside?.params).toMatchObject({ layer: 0, head: 1 })
  const { length } = beside!.params.ids
  await worker.answer(beside!, headOf(beside!.id, 0, 1, length))
  expect(texts.map(1)).toBeUndefined()
  await look(1)
  expect(texts.map(1)).toBeDefined()
  end()
})

it('what was measured for another turn is not kept', async () => {
  const { worker, texts, end } = await setUp('plain')
  void texts.start()
  await soon()
  const [beside] = worker.asked('beside')
  texts.stop()
  void texts.start()
  await soon()
  const { length } = beside!.params.ids
  await worker.answer(beside!, headOf(beside!.id, 0, 1, length))
  expect(texts.map(1)).toBeUndefined()
  end()
})
