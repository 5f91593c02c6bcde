// What the page keeps of the engine's answers, counted after the garbage is collected.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { flushSync } from 'svelte'
import { expect, it } from 'vitest'
import { link, setUp } from '../testing/fakeBench'
import { soon } from '../testing/fakeEngine'
import { resource } from './resource.svelte'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const maps: { map: WeakRef<Float32Array>; bytes: number }[] = []

/** Untouched pages of an array take no memory. */
function headOf(run: number, layer: number, head: number, length: number) {
  const attention = new Float32Array(length ** 2)
  maps.push({ map: new WeakRef(attention), bytes: attention.byteLength })
  const rows = new Float32Array(length * 2)
  return { run, layer, head, length, attention, query: rows, key: rows }
}

async function liveBytes(): Promise<number> {
  // A WeakRef holds its target until the end of the turn.
  await soon()
  collect()
  return maps.filter(({ map }) => map.deref()).reduce((sum, { bytes }) => sum + bytes, 0)
}

it.each([1024, 2048, 4096])('moving through heads of %d tokens keeps at most 64 MiB of maps', async (length) => {
  maps.length = 0
  const text = 'the '.repeat(length - 2)
  const { bench, engine, worker } = await setUp(link({ text }), { max_position_embeddings: length })
  // A view that reads the head on show, too.
  const end = $effect.root(() => {
    resource(engine, 'head', () => bench.run && { params: { run: bench.run.id, ...bench.head } })
  })
  const { id } = worker().requests('run').at(-1)!
  const { layer, head } = worker().requests('run').at(-1)!.params.request
  await worker().ran(undefined, headOf(id, layer, head, length))
  expect(bench.run?.head.length).toBe(length)
  flushSync()
  for (let head = 0; head < 8; head++) {
    bench.choose({ layer: 0, head })
    await soon()
    const request = worker().requests('head').at(-1)!
    await worker().answer(request, headOf(id, 0, head, length))
    expect(bench.run?.head).toMatchObject({ layer: 0, head })
    expect(await liveBytes()).toBeLessThanOrEqual(64 << 20)
  }
  expect(worker().requests('head').length, 'both read a head once').toBe(8)
  const read = worker().requests('head').length
  bench.choose({ layer: 0, head: 6 })
  await soon()
  // As many heads as fit are there when one comes back to them.
  expect(worker().requests('head').length - read).toBe(length < 4096 ? 0 : 1)
  end()
})
