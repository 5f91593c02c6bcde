import { flushSync } from 'svelte'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scaleOf } from '../../session/interventions'
import { setUp } from '../../testing/fakeBench'
import { InThreadWorker, openBench } from '../../testing/inThreadWorker'
import { openView } from '../../testing/openView.svelte'
import { itemOf, plainHeadline } from '../../testing/outputs'
import type { Action } from '../../ui/keys'
import { servesModel, writeParams } from '../view'
import { rotate } from '.'
import { t } from './messages.en'
import { data, output } from './view'

const room = { width: 640, height: 480 }

let opened: Awaited<ReturnType<typeof openBench>>
let view: Awaited<ReturnType<typeof openView>>

beforeAll(async () => {
  opened = await openBench(new InThreadWorker(), 'roformer-english', 'the dog sat on the floor')
  view = await openView(opened, rotate, room)
})
afterAll(() => view.close())

/** Selects a query and a key, and moves the key if `distance` is given. @returns the rows of the table */
async function rowsAt(query: number, key: number, distance: number | null = null) {
  opened.bench.choose({ query, key, viewParams: writeParams(rotate, { distance }, {}) })
  await view.settled()
  const { table } = view.published()!.tables![0]!
  return Array.from({ length: table.length }, (_, at) => table.row(at).map(Number))
}

/** Between −π and π. */
const within = (angle: number) => Math.atan2(Math.sin(angle), Math.cos(angle))

it('turns pair i by the distance over 10000^(2i/d): the fastest pair by 1 radian a token', async () => {
  const rows = await rowsAt(5, 2)
  const size = opened.bench.run!.model.info.head_size
  expect(rows.length).toBe(size / 2)
  rows.forEach(([pair = NaN, wavelength, , , , rotation], rank) => {
    expect(pair).toBe(rank)
    expect(wavelength! / (2 * Math.PI * 10_000 ** ((2 * rank) / size))).toBeCloseTo(1, 5)
    expect(rotation).toBeCloseTo(3 / 10_000 ** ((2 * rank) / size), 5)
  })
  expect(view.picture().onAction?.('right')?.say).toMatch(/^pair 0 turns by 172° /)
})

it('adds |q| |k| cos of the angle between, by the model’s factor', async () => {
  const rows = await rowsAt(5, 2)
  const scale = scaleOf(opened.bench.run!)
  for (const [, , query, key, before, rotation, between, part] of rows) {
    expect(within(between! - (before! - rotation!))).toBeCloseTo(0, 4)
    expect(part).toBeCloseTo(scale * query! * key! * Math.cos(between!), 4)
  }
})

it('keeps the vectors of a key that is moved, and turns nothing at distance 0', async () => {
  const own = await rowsAt(5, 2)
  const moved = await rowsAt(5, 2, 0)
  expect(moved.map((row) => row.slice(0, 5))).toEqual(own.map((row) => row.slice(0, 5)))
  expect(moved.every((row) => row[5] === 0)).toBe(true)
  expect(plainHeadline(view.published()?.headline)?.title).toMatch(/^At distance 0 nothing rotates/)
  const rows = view.picture().above
  expect(itemOf(rows, 'slider').value).toBe(-0)
  expect(itemOf(rows, 'button').label).toBe('Back to its place')
})

it('walks the pairs by keys, from the fastest on', async () => {
  await rowsAt(5, 2)
  const select = async (pair: number | null) => {
    opened.bench.choose({ pair })
    await view.settled()
  }
  const press = (action: Action) => view.picture().onAction?.(action)?.cursor
  const last = opened.bench.run!.model.info.head_size / 2 - 1
  expect([press('right'), press('leave')]).toEqual([{ pair: 0 }, undefined])
  await select(4)
  expect((['left', 'right', 'first', 'last', 'leave'] as const).map(press)).toEqual(
    [3, 5, 0, last, null].map((pair) => ({ pair })),
  )
  await select(null)
})

it('is not offered where positions are added, and draws nothing where no pair rotates', async () => {
  await rowsAt(5, 2)
  const { bench } = opened
  const run = bench.run!
  expect(servesModel(rotate, run.model.info)).toBe(true)
  expect(servesModel(rotate, { ...run.model.info, adds_positions: true })).toBe(false)
  const { result } = run
  const still = { ...run, result: { ...result, theta: result.theta.map(() => 0) } }
  const inputs = {
    bench,
    run: still,
    cursor: bench.cursor,
    params: { distance: null },
    ...room,
  } as unknown as Parameters<typeof output>[0]
  const value = { run: still, query: 5, key: 2, hands: [], parts: new Float64Array(), distance: 3 }
  const picture = output(inputs, { value, stale: false } as unknown as ReturnType<typeof data>).pictureFor(undefined)
  expect(picture.message).toBe(t().nothing)
})

it('says why no dials come where the engine refuses, instead of loading for ever', async () => {
  const { bench, worker } = await setUp()
  await worker().ran()
  const failing = await openView({ bench, complete: async () => {} }, rotate, room)
  flushSync()
  expect(failing.picture().message).toBe(t().loading)
  await worker().fail(worker().requests('explain')[0]!, { code: 'gpu', message: 'refused', retryable: true })
  flushSync()
  expect(failing.picture().message).toBe('refused')
  failing.close()
})
