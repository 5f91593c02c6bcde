import { flushSync } from 'svelte'
import { afterAll, expect, it, vi } from 'vitest'
import { headMap } from '../../charts/attention-map/model'
import { link, setUp } from '../../testing/fakeBench'
import { soon } from '../../testing/fakeEngine'
import { openView } from '../../testing/openView.svelte'
import { plainHeadline } from '../../testing/outputs'
import { viewOf } from '..'
import type { MapDrawing } from './data.svelte'
import { seekHeadline } from './headline.svelte'

vi.hoisted(() => {
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('matchMedia', () => new EventTarget())
})
afterAll(() => vi.unstubAllGlobals())

it.each(['weight', 'value', 'score', 'content'] as const)('of a map of %s takes a step for each row', (kind) => {
  const names = Array.from({ length: 64 }, String)
  const map = headMap({ values: new Float32Array(64 ** 2).fill(1), names, causal: false })
  const search = seekHeadline({ kind, map, weights: map, isLinear: false, ids: names.map(Number) })
  let steps = 0
  while (!search.next().done) steps++
  expect(steps).toBeGreaterThanOrEqual(64)
})

it('reads the map no second time where the pointer moves', async () => {
  const { bench, worker } = await setUp(link({ 'map.kind': 'score' }))
  await worker().ran()
  const view = await openView({ bench, complete: soon }, viewOf('map')!)
  const request = worker().requests('map').at(-1)!
  const { length } = bench.run!.head
  // As if each key had some weight.
  bench.run!.head.attention.fill(1 / length)
  const numbers = new Float32Array(length ** 2).map((_, cell) => cell % 7)
  await worker().answer(request, { run: request.params.run, kind: 'score', length, numbers })
  flushSync()
  expect(plainHeadline(view.published()?.headline)?.line).toMatch(/^Scores go from 0\.00 to 6\.00/)
  const rows = vi.spyOn(Float32Array.prototype, 'subarray')
  const { map } = view.picture().drawing as MapDrawing
  map.pointed = { query: 1, key: 0, small: false, touch: undefined }
  flushSync()
  expect(map.hovered).toMatchObject({ query: 1, key: 0 })
  expect(view.published()?.headline).toBeDefined()
  expect(rows.mock.calls.length).toBeLessThan(length)
  rows.mockRestore()
  view.close()
})
