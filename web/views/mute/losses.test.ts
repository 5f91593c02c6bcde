// The loss on a held-out book: what is measured, its words and its chart.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { t as loss } from '../../charts/held-out-loss/messages.en'
import type { Mark } from '../../charts/marks'
import type { ModelInfo } from '../../engine/protocol/protocol'
import { plainText } from '../../i18n/rich'
import { interventionsText } from '../../session/interventions'
import { measuredChange } from '../../session/heldOutLoss.svelte'
import type { AddedLoss } from '../../session/heldOut'
import { eachAlone, needNotTurn, pairLosses, tokensOf, type LossChart, type PairLoss } from './data'
import { t } from './messages.en'
import { drawLoss } from './parts'
import { layOut } from './picture'
import { lossTables } from './view'

// A component needs a window.
vi.mock('./View.svelte', () => ({ default: {} }))

const texts = (marks: readonly Mark[]) => marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
const info = { num_hidden_layers: 2, num_attention_heads: 2, num_key_value_heads: 2, head_size: 4 } as ModelInfo
const addedOf = (added: number, labels = 100): AddedLoss => ({ before: 3, added, error: undefined, labels })
const baseline = (labels = 100) => ({ mean: 3, labels })
const of = (pair: number, ablated?: number, frozen?: number): PairLoss => ({
  pair,
  ablated: ablated === undefined ? undefined : addedOf(ablated),
  frozen: frozen === undefined ? undefined : addedOf(frozen),
})

describe('what is measured', () => {
  it('is the change that the result was run with, wherever the text lies', () => {
    const ablated = [{ layer: 1, head: 0, pairs: [0, 1] }]
    const key = interventionsText({ offset: 700, frozen: [], ablated, ablatedHeads: [{ layer: 0, head: 1 }] })
    const { name, change } = measuredChange(key, info) ?? {}
    expect(name).toBe(interventionsText({ offset: 0, frozen: [], ablated, ablatedHeads: [{ layer: 0, head: 1 }] }))
    expect(change).toEqual({ muted: [{ ...ablated[0], kind: 'ablated' }], ablatedHeads: [{ layer: 0, head: 1 }] })
    expect(measuredChange('', info)).toBeUndefined()
    expect(
      measuredChange(interventionsText({ offset: 700, frozen: [], ablated: [], ablatedHeads: [] }), info),
    ).toBeUndefined()
  })

  it('is each pair alone, in all heads of all layers, ablated and frozen', () => {
    const changes = eachAlone([1, 0], info)
    expect(changes.map(({ change }) => change.muted)).toEqual(
      [1, 0].flatMap((pair) =>
        (['ablated', 'frozen'] as const).map((kind) =>
          [0, 1].map((layer) => ({ layer, head: null, pairs: [pair], kind })),
        ),
      ),
    )
    expect(new Set(changes.map(({ name }) => name)).size).toBe(4)
    const measured = {
      before: baseline(),
      added: (name: string) => addedOf(changes.findIndex((one) => one.name === name)),
    }
    expect(pairLosses([1, 0], measured)).toEqual([of(1, 0, 1), of(0, 2, 3)])
  })

  it('says which slow pairs need not turn: without a gap, and only where that was measured', () => {
    const losses = [of(0, 1, 1), of(1, 0.1, 0.0001), of(2, 0.1, 0.01), of(3, 0.1, -0.001), of(4, 0.1, 0.0009)]
    expect(needNotTurn(losses, 0.001)).toEqual([3, 4])
    expect(needNotTurn([...losses, of(5)], 0.001)).toEqual([])
    expect(tokensOf([of(0), { ...of(1, 1), frozen: addedOf(2, 40) }])).toBe(40)
  })

  it('is a table of what was measured', () => {
    const key = interventionsText({
      offset: 0,
      frozen: [],
      ablated: [{ layer: 0, head: 0, pairs: [0] }],
      ablatedHeads: [],
    })
    const changed = measuredChange(key, info)
    const measured = { before: baseline(200), added: () => addedOf(0.5, 80) }
    const [named] = lossTables(measured, changed, [of(7, 0.25)])
    const rows = Array.from({ length: named?.table.length ?? 0 }, (_, index) => named?.table.row(index))
    expect(rows).toEqual([
      ['none', 3, 0, '', 200],
      ['the current changes', 3.5, 0.5, '', 80],
      ['pair 7 ablated in all heads', 3.25, 0.25, '', 100],
    ])
    expect(lossTables({ ...measured, before: undefined }, changed, [])).toEqual([])
  })
})

describe('the words', () => {
  it('say loss, what is added, and over how many tokens', () => {
    const line = (before: number | undefined, added: number | undefined, labels: number, error?: number) =>
      plainText(loss().line({ before, added, error, labels, masked: 3704 }))
    expect(line(3.497, 0.1304, 3704, 0.0213)).toBe('loss 3.50 +0.13 ± 0.02 (3,704 masked tokens)')
    expect(line(undefined, -0.0012, 512, 0.004)).toBe('−0.001 ± 0.004 (512 of 3,704 masked tokens)')
    expect(line(3.497, -0.0002, 512)).toBe('loss 3.50 0.000 (512 of 3,704 masked tokens)')
    expect(line(3.497, undefined, 76)).toBe('loss 3.50 (76 of 3,704 masked tokens)')
    expect([1, 0.1, 0.001].map(t().loss.tick)).toEqual(['+1', '+0.1', '+0.001'])
  })
})

describe('the chart', () => {
  const box = { x: 0, y: 300, width: 420, height: 170 }
  const plan = { left: 30, right: 418, pitch: 97 }
  const losses = [of(0, 1.1, 1.12), of(1, 0.1, 0.01), of(2, 0.01, 0.0004), of(3, 0.02, -0.01)]
  const chart: LossChart = { losses, heads: 32, book: 'A Book', complete: true }
  const draw = (over: Partial<LossChart> = {}) => drawLoss(box, plan, { ...chart, ...over })
  const rects = (marks: readonly Mark[]) =>
    marks.flatMap((mark) => (mark.kind === 'rect' && mark.width !== 9 ? [mark] : []))

  it('has a filled and an outlined bar a pair, a decade of loss as high as any other', () => {
    const bars = rects(draw())
    expect(bars.map(({ fill }) => fill)).toEqual(['bar', 'card', 'bar', 'card', 'bar', 'ink', 'bar', 'ink'])
    const [zero = 0, , tenth = 0, hundredth = 0, same] = bars.map(({ height }) => height)
    expect(tenth).toBeCloseTo(2 * hundredth)
    expect(same).toBeCloseTo(hundredth)
    expect(zero).toBeGreaterThan(3 * hundredth)
  })

  it('tells the greatest, the slow pairs that need not turn, and what it was measured on', () => {
    expect(texts(draw())).toEqual(
      expect.arrayContaining([
        '+1.12',
        ...t().loss.needNotTurn(2, 3),
        'log scale; 100 masked tokens of “A Book”',
        '+1',
        '+0.001',
      ]),
    )
    expect(texts(draw({ complete: false }))).not.toContain(t().loss.needNotTurn(2, 3)[0])
  })

  it('stays in its room, however much was measured', () => {
    const loss = fc.option(fc.double({ min: -2, max: 12, noNaN: true }), { nil: undefined })
    const pair = fc.tuple(loss, loss).map(([ablated, frozen]) => of(0, ablated, frozen))
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 64 }), fc.integer({ min: 320, max: 900 }), (losses, width) => {
        const place = { left: 30, right: width - 2, pitch: (width - 32) / Math.max(losses.length, 1) }
        for (const mark of drawLoss({ ...box, width }, place, { ...chart, losses })) {
          if (mark.kind !== 'rect') continue
          expect(mark.x).toBeGreaterThanOrEqual(0)
          expect(mark.x + mark.width).toBeLessThanOrEqual(width)
          expect(mark.y).toBeGreaterThanOrEqual(box.y)
          expect(mark.y + mark.height).toBeLessThanOrEqual(box.y + box.height)
        }
      }),
    )
  })

  it('has a place under the parts, of their width, that nothing else takes', () => {
    const size = fc.record({ width: fc.integer({ min: 340, max: 1800 }), height: fc.integer({ min: 300, max: 1200 }) })
    fc.assert(
      fc.property(size, fc.constantFrom(0, 1, 4), ({ width, height }, fills) => {
        expect(layOut(width, height, fills).loss).toBeUndefined()
        const { parts, loss, mapA, mapB, sweep, fills: guess, ...layout } = layOut(width, height, fills, true)
        if (!loss) throw new Error('no room for losses')
        expect([loss.x, loss.width]).toEqual([parts.x, parts.width])
        expect(loss.y).toBeGreaterThanOrEqual(parts.y + parts.height)
        expect(loss.y + loss.height).toBeLessThanOrEqual(layout.height)
        for (const other of [mapA, mapB, sweep, ...(guess ? [guess] : [])]) {
          const separate = other.x >= loss.x + loss.width || other.y >= loss.y + loss.height
          expect(separate).toBe(true)
          expect(other.y + other.height).toBeLessThanOrEqual(layout.height + 1)
        }
      }),
    )
  })
})
