import { expect, it } from 'vitest'
import type { Run } from '../session/runs.svelte'
import { Publication } from './output'

const published = { subject: 'a' }
const run = { result: { run: 7 } } as Run

it('what is published of an answer is read only with the run of that answer', () => {
  for (const of of [Publication.from({ run }, published), Publication.from({ run: 7 }, published)])
    expect([of.of(7), of.of(8), of.of(undefined)]).toEqual([published, undefined, undefined])
})

it('what no run is needed for is read with any', () => {
  const of = Publication.none(published)
  expect([of.of(7), of.of(undefined)]).toEqual([published, published])
})

it('takes its run from an answer, and from nothing else', () => {
  // @ts-expect-error The number may be that of the run on show.
  void (() => Publication.from(7, published))
  // @ts-expect-error Whether a run is needed is said by name.
  void (() => Publication.from(undefined, published))
  // @ts-expect-error An answer that is not there yet has no run.
  void (() => Publication.from({ run: undefined }, published))
})
