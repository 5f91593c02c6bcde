// The pointer on the map, with the engine behind it: the WASM on the CPU.
import { flushSync } from 'svelte'
import { expect, it } from 'vitest'
import { draw, preparePainting } from '../../testing/draw'
import { InThreadWorker, openBench } from '../../testing/inThreadWorker'
import { map } from '.'

preparePainting()

it('names a cell to Score, and none while other numbers are loading', async () => {
  const { bench, complete } = await openBench(new InThreadWorker(), 'roformer-english', 'the cat sat on the mat')
  const { target, picture, close } = await draw(bench, map, complete)
  const frame = target.querySelector('[data-testid=attention-map-frame]')!
  const grid = picture()!.anchors!['all']!
  const pitch = grid.width / bench.run!.head.length
  frame.dispatchEvent(
    new PointerEvent('pointermove', { clientX: grid.x + 2.5 * pitch, clientY: grid.y + 3.5 * pitch, bubbles: true }),
  )
  flushSync()
  expect(bench.cellUnderPointer).toEqual({ query: 3, key: 2 })
  bench.choose({ viewParams: { 'map.kind': 'score' } })
  flushSync()
  expect([picture()!.stale, bench.cellUnderPointer]).toEqual([true, undefined])
  await complete()
  expect([picture()!.stale, bench.cellUnderPointer]).toEqual([false, { query: 3, key: 2 }])
  await close()
})
