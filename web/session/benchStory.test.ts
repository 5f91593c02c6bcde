import { expect, it, vi } from 'vitest'
import { link, setUp } from '../testing/fakeBench'
import { soon } from '../testing/fakeEngine'
import { examples } from '../viewstate/examples'
import { noInterventions } from './interventions'

const story = {
  ...noInterventions,
  text: examples[0].text,
  layer: 0,
  head: 1,
  query: 2,
  key: 1,
  open: ['mute'],
  offset: 10,
}

async function setUpStory() {
  const world = await setUp(link({ text: 'a dog of mine', open: 'lines', off: '1.1' }))
  await world.worker().ran()
  world.bench.choose({ key: 1 })
  // The link is written a moment later.
  await vi.waitUntil(() => world.history.place.location.hash.includes('key=1'))
  const before = { ...world.bench.choice }
  const entries = world.history.entries.length
  world.bench.showStory(story)
  await soon()
  return { ...world, before, entries }
}

it('a story leaves no trace: not in the choice, nor in the link, nor in what can be undone', async () => {
  const { bench, before, history, entries } = await setUpStory()
  const url = history.place.location.hash
  expect(bench.choice).toMatchObject(story)
  expect(bench.undoable).toEqual({ undo: false, redo: false })
  bench.choose({ head: 0, open: ['map'] })
  await soon()
  expect(bench.undoable.undo).toBe(true)
  expect(history.place.location.hash).toBe(url)
  bench.endStory()
  await soon()
  expect({ ...bench.choice }).toEqual(before)
  expect([bench.inStory, history.entries.length]).toEqual([false, entries])
  bench.undo()
  expect(bench.choice).toMatchObject({ text: 'a dog of mine', key: 8 })
})

it('what the visitor writes during a story stays, and is one step from what was before it', async () => {
  const { bench, before } = await setUpStory()
  bench.choose({ text: 'written in it' }, 'text')
  bench.endStory({ text: bench.choice.text })
  expect(bench.choice).toMatchObject({ ...before, text: 'written in it' })
  bench.undo()
  expect({ ...bench.choice }).toEqual(before)
})

it('Back ends a story, and its state is no step', async () => {
  const { bench, before, history } = await setUpStory()
  history.follow(`#${new URLSearchParams({ text: 'another', model: before.model })}`)
  expect([bench.inStory, bench.choice.text]).toEqual([false, 'another'])
  bench.undo()
  expect(bench.choice.text).toBe('a dog of mine')
})

it('after a story of another model the text stays, even an example for other models', async () => {
  const { bench, worker, engine } = await setUp(link({ text: examples[0].text }), { is_decoder: true })
  await worker().ran()
  bench.showStory({ ...story, text: 'the story', model: 'roformer-english-causal' })
  await soon()
  bench.endStory()
  engine.load({ kind: 'url', base: 'http://host/n/', name: 'n', files: [] })
  await soon()
  await worker().loaded({ is_decoder: true })
  expect(bench.choice.text).toBe(examples[0].text)
})
