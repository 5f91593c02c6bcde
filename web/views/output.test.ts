import { expect, it } from 'vitest'
import { Output, type Picture, type Target } from './output'

const scene = { width: 1, height: 1, marks: [] }
const picture: Picture<unknown> = { scene, published: { subject: 'a' } }
const onShow = (run: number) => ({ id: run })

it('a picture is complete with the run that it is computed of', () => {
  const output = Output.of({ run: 7 }, picture)
  expect(output.pictureFor(onShow(7))).toBe(picture)
  for (const other of [onShow(8), undefined])
    expect(output.pictureFor(other)).toEqual({ scene, stale: true, published: undefined })
})

it('a picture of two runs is complete with neither', () => {
  const output = Output.of([{ run: 7 }, { run: 8 }], picture)
  for (const one of [7, 8]) expect(output.pictureFor(onShow(one))).toEqual({ scene, stale: true, published: undefined })
  expect(Output.of([{ run: 7 }, { run: 7 }], picture).pictureFor(onShow(7))).toBe(picture)
})

it('what no run is needed for is complete with any', () => {
  const output = Output.ofNoRun(picture)
  expect([output.pictureFor(onShow(7)), output.pictureFor(undefined)]).toEqual([picture, picture])
})

it('from the picture of another run nothing leads to positions: they are of another text', () => {
  const output = Output.of({ run: 7 }, picture)
  const cell: Target = { cursor: { query: 2, key: 1 }, say: '2, 1' }
  expect([output.reachable(cell, onShow(7)), output.reachable(cell, onShow(8))]).toEqual([cell, undefined])
  expect(output.reachable({ walk: 3 }, onShow(8))).toBeUndefined()
  const head: Target = { cursor: { layer: 1, head: 2, query: 3 }, params: { order: 'text' }, say: 'L1·H2' }
  expect(output.reachable(head, onShow(8))).toEqual({ cursor: { layer: 1, head: 2 }, params: { order: 'text' } })
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
  void (() => Output.of({ run: 7 }, picture).scene)
})
