import { expect, test } from 'vitest'
import { interventionsText } from '../../session/interventions'
import { Output, type Published } from '../output'
import { activationsName, captionOf, factsOf, fileName, originOf } from './origin'

const run = {
  id: 7,
  text: 'the cat\nsat',
  interventions: interventionsText({ offset: 3 }),
  reading: {},
  model: { info: { name: 'roformer-english' }, source: { kind: 'hub', name: 'a/b', revision: '0f' } },
}
const bench = { run, head: { layer: 2, head: 6 } } as unknown as Parameters<typeof originOf>[2]

/** Of a view with these numbers. */
function origin(published: Published, view = { id: 'map' }) {
  const found = originOf(view, Output.of({ run: 7 }, { published }), bench)
  if (!found) throw new Error('nothing is published')
  return found
}

test('a file is named by its model, head and view', () => {
  expect(fileName(origin({}), 'csv')).toBe('ropescope-roformer-english-L2H6-map.csv')
  expect(fileName(origin({ kind: 'score' }), 'svg')).toBe('ropescope-roformer-english-L2H6-map-score.svg')
  expect(fileName(origin({ subject: 'layer-2' }), 'csv')).toBe('ropescope-roformer-english-layer-2-map.csv')
  expect(fileName(origin({ subject: '' }, { id: 'flow' }), 'csv')).toBe('ropescope-roformer-english-flow.csv')
  expect(activationsName('owner/a model')).toBe('ropescope-owner-a-model-activations.safetensors')
})

test('a caption says model, head, quantity, change and text', () => {
  expect(captionOf(origin({ quantity: 'attention weight' }), 'Map')).toBe(
    'roformer-english · L2·H6 · attention weight · shifted by 3 positions · “the cat sat”',
  )
  expect(captionOf(origin({ subject: '' }), 'Heads as points')).toMatch(/^roformer-english · Heads as points · /)
  const long = origin({})
  const text = 'word '.repeat(90)
  expect(captionOf({ ...long, run: { ...run, text } as unknown as typeof long.run }, 'Map')).toMatch(/word…”$/)
})

test('a caption says the part of an encoder–decoder, and so does a file’s name', () => {
  const pair = { ...run, reading: { pair: { part: 'cross' } } }
  const found = originOf({ id: 'map' }, Output.of({ run: 7 }, { published: {} }), {
    ...bench,
    run: pair,
  } as typeof bench)
  expect(found && captionOf(found, 'Map')).toMatch(/^roformer-english · cross-attention · L2·H6 · Map · /)
  expect(found && fileName(found, 'csv')).toBe('ropescope-roformer-english-cross-L2H6-map.csv')
})

test('heads over a book are of the model and of no text', () => {
  const book = originOf({ id: 'points' }, Output.ofNoRun({ published: { subject: '' } }), bench)
  if (!book) throw new Error('nothing is published')
  expect(captionOf(book, 'Heads as points')).toBe('roformer-english · Heads as points')
  expect(fileName(book, 'csv')).toBe('ropescope-roformer-english-points.csv')
  const { commit, ...facts } = factsOf(book)
  expect(facts).toEqual({ model: 'roformer-english', revision: '0f' })
  expect(commit).toBe(import.meta.env.COMMIT || undefined)
})

test('numbers that need no model name none', () => {
  const none = originOf({ id: 'speeds', alone: true }, Output.ofNoRun({ published: { subject: '64-10000' } }), bench)
  expect(none && fileName(none, 'csv')).toBe('ropescope-64-10000-speeds.csv')
  expect(none && Object.keys(factsOf(none)).filter((fact) => fact !== 'commit')).toEqual([])
})

test('a file says which model, text and head it is of, what was changed, and the commit', () => {
  const { commit, ...facts } = factsOf(origin({ command: 'ropescope run' }))
  expect(facts).toEqual({
    model: 'roformer-english',
    revision: '0f',
    text: 'the cat\nsat',
    head: 'L2·H6',
    changes: { offset: 3 },
    command: 'ropescope run',
  })
  expect(commit).toBe(import.meta.env.COMMIT || undefined)
  expect(factsOf(origin({ subject: '' }))).not.toHaveProperty('head')
})

test('a run that is no longer on screen has no files', () => {
  expect(originOf({ id: 'map' }, Output.of({ run: 6 }, { published: {} }), bench)).toBeUndefined()
})

test('numbers of a head that is still loading have no files', () => {
  const output = (stale: boolean) => Output.of({ run: 7 }, { published: {}, stale })
  expect(originOf({ id: 'map' }, output(false), bench)).toBeDefined()
  expect(originOf({ id: 'map' }, output(true), bench)).toBeUndefined()
})
