import { expect, it } from 'vitest'
import { sourceOf } from '../../engine/protocol/parts'
import { InThreadWorker, openBench } from '../../testing/inThreadWorker'
import { openView } from '../../testing/openView.svelte'
import { atOnce } from '../../ui/slices.svelte'
import { sinks } from '.'
import { t } from './messages.en'
import { partsReceived, strongest } from './view'

const attention = Float32Array.of(1, 0, 0, 0.75, 0.25, 0, 0.5, 0.25, 0.25)

it('sums the columns of a map', () => {
  expect(Array.from(atOnce(partsReceived({ attention, length: 3 }, 3)))).toEqual([0.75, 0.5 / 3, 0.25 / 3])
})

it('leaves out tokens that are no keys', () => {
  const cross = Float32Array.of(0, 0, 0, 0, 0, 0, 0.75, 0.25, 0)
  expect(Array.from(atOnce(partsReceived({ attention: cross, length: 3 }, 2)))).toEqual([0.75, 0.25])
})

it('lists the keys with the largest parts first', () => {
  expect(strongest(Float64Array.of(0.1, 0.6, 0.3))).toEqual([1, 2, 0])
})

it('says what its bars leave out', () => {
  expect(t().limits(6, 0.037, false)).toMatch(/^Not listed: 6 keys, at most 3\.7\s% each\. Special tokens count/)
  expect(t().limits(0, 0, true)).toMatch(/^Early keys receive more/)
})

it('lists the tokens of the source alone where attention crosses', async () => {
  const opened = await openBench(new InThreadWorker(), 'marian-numbers', '>>hu<<1984\tezerkilencszáz')
  const { published, settled, close } = await openView(opened, sinks)
  await settled()
  const { display = [], pair } = opened.bench.run?.reading ?? {}
  const source = sourceOf(pair) ?? 0
  expect(source).toBeGreaterThan(1)
  const { table } = published()!.tables![0]!
  const rows = Array.from({ length: table.length }, (_, at) => table.row(at))
  expect(rows.map(([name]) => name)).toEqual(display.slice(0, source))
  expect(rows.reduce((sum, [, , part]) => sum + Number(part), 0)).toBeCloseTo(1)
  close()
})

it('says how many keys it does not list, and the most that one of them receives', async () => {
  const opened = await openBench(
    new InThreadWorker(),
    'roformer-english',
    'the dog sat on the floor and the cat sat on the dog',
  )
  const { picture, settled, close } = await openView(opened, sinks, { width: 640, height: 120 })
  await settled()
  const { below = [], published } = picture()
  const { table } = published!.tables![0]!
  const parts = Array.from({ length: table.length }, (_, at) => Number(table.row(at)[2])).sort(
    (one, other) => other - one,
  )
  const sentence = below.flat().find((item) => item && item.kind === 'text' && item.name === 'limits')
  const listed = 8
  expect(parts.length).toBeGreaterThan(listed)
  expect(sentence).toMatchObject({ text: t().limits(parts.length - listed, parts[listed]!, false) })
  close()
})
