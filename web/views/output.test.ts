import { expect, it } from 'vitest'
import type { Run } from '../session/runs.svelte'
import { Output, type Picture, type Target } from './output'

const scene = { width: 1, height: 1, marks: [] }
const picture: Picture<unknown> = { scene, published: { subject: 'a' } }
const run = { result: { run: 7 } } as Run

it('a picture is complete with the run that it is computed of', () => {
  for (const output of [Output.of({ run }, picture), Output.of({ run: 7 }, picture)]) {
    expect(output.with(7)).toBe(picture)
    for (const other of [8, undefined]) expect(output.with(other)).toEqual({ scene, stale: true, published: undefined })
  }
})

it('a picture of two runs is complete with neither', () => {
  const output = Output.of([{ run }, { run: 8 }], picture)
  for (const one of [7, 8]) expect(output.with(one)).toEqual({ scene, stale: true, published: undefined })
  expect(Output.of([{ run }, { run: 7 }], picture).with(7)).toBe(picture)
})

it('what no run is needed for is complete with any', () => {
  const output = Output.none(picture)
  expect([output.with(7), output.with(undefined)]).toEqual([picture, picture])
})

it('from the picture of another run nothing leads to positions: they are of another text', () => {
  const output = Output.of({ run }, picture)
  const cell: Target = { cursor: { query: 2, key: 1 }, say: '2, 1' }
  expect([output.lead(cell, 7), output.lead(cell, 8)]).toEqual([cell, undefined])
  expect(output.lead({ walk: 3 }, 8)).toBeUndefined()
  expect(output.lead({ cursor: { layer: 1, head: 2, query: 3 }, params: { order: 'text' }, say: 'L1·H2' }, 8)).toEqual({
    cursor: { layer: 1, head: 2 },
    params: { order: 'text' },
  })
})

it('takes its run from an answer, and from nothing else', () => {
  // @ts-expect-error The number may be that of the run on show.
  void (() => Output.of(7, picture))
  // @ts-expect-error Whether a run is needed is said by name.
  void (() => Output.of(undefined, picture))
  // @ts-expect-error Whether a run is needed is said by name.
  void (() => Output.of([], picture))
  // @ts-expect-error An answer that is not there yet has no run.
  void (() => Output.of({ run: undefined }, picture))
  // @ts-expect-error A picture without its run is no output.
  void ((): Output => picture)
  // @ts-expect-error Nothing is read without the run on show.
  void (() => Output.of({ run }, picture).scene)
})
