// On a wide screen views gain room, not longer bars.
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Mark } from '../charts/marks'
import { InThreadWorker, openBench } from '../testing/inThreadWorker'
import { openView } from '../testing/openView.svelte'
import { views } from '.'

vi.hoisted(() => {
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('matchMedia', () => new EventTarget())
})
afterAll(() => vi.unstubAllGlobals())

/** Of a view in a window of 2560 × 1440. */
const room = { width: 1900, height: 1050 }
/** px; an outline ends half a pixel outside. */
const longest = 361
const fills = ['bar', 'edge', 'ink', 'positive', 'negative']

let opened: Awaited<ReturnType<typeof openBench<InThreadWorker>>>
beforeAll(async () => {
  opened = await openBench(new InThreadWorker(), 'roformer-english', 'The dog sat on the [MASK] by the door.')
}, 60_000)

it.each(views.filter(({ rare }) => !rare))('$id has no bar longer than 360 px', async (view) => {
  const { picture, settled, close } = await openView(opened, view, room)
  await settled()
  const isLong = (mark: Mark) => {
    if (mark.kind !== 'rect' || !fills.includes(mark.fill ?? '')) return false
    // The weights by distance are an area below a curve.
    return Math.max(mark.width, view.id === 'distance' ? 0 : mark.height) > longest
  }
  expect(picture().scene?.marks.filter(isLong) ?? []).toEqual([])
  close()
})
