import { expect, it } from 'vitest'
import type { LogitTerm } from '../../engine/protocol/explanation'
import { plainText } from '../../i18n/rich'
import { InThreadWorker, openBench } from '../../testing/inThreadWorker'
import { openView } from '../../testing/openView.svelte'
import { itemOf, misfits } from '../../testing/outputs'
import { residual } from '.'
import { barAt, drawWaterfall } from './picture'
import { rowsOf, totals } from './terms'

const term = (
  of: LogitTerm['of'],
  value: number,
  layer: number | null = null,
  head: number | null = null,
): LogitTerm => ({
  of,
  layer,
  head,
  at: '',
  value,
})

const terms = [
  term('embedding', 1),
  term('bias', 0.5, 0),
  term('head', 2, 0, 0),
  term('head', -1, 0, 1),
  term('feed_forward', 3, 0),
  term('bias', 0.25),
]

const attributionOf = (terms: readonly LogitTerm[]) => ({
  terms,
  logit: terms.reduce((sum, { value }) => sum + value, 0),
})
const attribution = attributionOf(terms)

it('joins heads and biases, in the order of the model', () => {
  expect(rowsOf(attribution, false).map(({ kind, value }) => [kind, value])).toEqual([
    ['embedding', 1],
    ['attention', 1],
    ['feed_forward', 3],
    ['bias', 0.75],
  ])
  expect(rowsOf(attribution, true).map(({ kind, head, value }) => [kind, head, value])).toEqual([
    ['embedding', undefined, 1],
    ['attention', 0, 2],
    ['attention', 1, -1],
    ['feed_forward', undefined, 3],
    ['bias', undefined, 0.75],
  ])
  const rounded = rowsOf({ terms, logit: attribution.logit + 0.1 }, false).at(-1)
  expect(rounded?.kind).toBe('rounding')
  expect(rounded?.value).toBeCloseTo(0.1)
  expect(totals(terms)).toEqual({ embedding: 1, attention: 1, feedForward: 3, bias: 0.75 })
})

it('joins the smallest of too many heads', () => {
  const many = Array.from({ length: 300 }, (_, at) => term('head', at / 100, at >> 3, at & 7))
  const rows = rowsOf(attributionOf(many), true)
  expect(rows).toHaveLength(61)
  expect(rows.at(-1)?.kind).toBe('others')
  expect(rows.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(many.reduce((sum, { value }) => sum + value, 0))
})

it('draws its bars in their room, one from the end of the other', async () => {
  const bars = rowsOf(attribution, true).map(({ value }, at) => ({ name: `part ${at}`, value, isSelected: at === 1 }))
  expect(await misfits(({ width }) => drawWaterfall(bars, 'Logit of table', width))).toEqual([])
  const rects = drawWaterfall(bars, 'all', 640).marks.filter((mark) => mark.kind === 'rect')
  const [first, second] = rects
  expect(first!.x + first!.width).toBeCloseTo(second!.x)
  expect([barAt(-1, 5), barAt(0, 5), barAt(24 * 5, 5)]).toEqual([undefined, 0, undefined])
})

it.each([
  ['roformer-english', 'The little dog sat on the [MASK] by the door.'],
  ['roformer-english-causal', 'The old man looked at the sea'],
  ['marian-numbers', '>>hu<<1984\tezer'],
])('adds up to the logit of the prediction of %s', async (folder, text) => {
  const { bench, complete } = await openBench(new InThreadWorker(), folder, text)
  const { picture, published, settled, close } = await openView({ bench, complete }, residual)
  await settled()
  const { table } = published()!.tables![0]!
  const values = Array.from({ length: table.length }, (_, at) => Number(table.row(at)[2]))
  const logit = Number(/of (\S+)\.$/.exec(plainText(published()!.headline!.title))?.[1]?.replace('−', '-'))
  expect(Math.abs(values.reduce((sum, value) => sum + value, 0) - logit)).toBeLessThan(0.01)
  const { result } = bench.run!
  const best = bench.run!.model.tokenizer.display(result.topIds[0]!)
  expect(itemOf(picture().above, 'select')).toMatchObject({
    options: expect.arrayContaining([{ value: '0', text: best }]),
  })
  bench.choose({ viewParams: { 'residual.heads': '1' } })
  await settled()
  const { num_hidden_layers: layers, num_attention_heads: heads, encoder } = bench.run!.model.info
  expect(picture().hit!(10, 24 * 0.5)).toBeUndefined()
  // Where cross-attention is shown, the layer's own heads come before.
  const first = 1.5 + (encoder ? heads : 0)
  expect(picture().hit!(10, 24 * first)?.cursor).toEqual({ layer: 0, head: 0 })
  // Down leads through all heads, from layer to layer.
  bench.choose({ layer: 0, head: 0 })
  await settled()
  for (let head = 1; head < layers * heads && head < 30; head++) {
    const target = picture().onAction!('down')
    expect(target?.cursor).toEqual({ layer: Math.floor(head / heads), head: head % heads })
    bench.choose(target!.cursor!)
    await settled()
  }
  close()
})
