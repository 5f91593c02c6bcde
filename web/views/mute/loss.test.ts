import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelInfo } from '../../engine/protocol/protocol'
import { changeKey } from '../../session/change'
import type { Mark } from '../../charts/marks'
import type { Added } from '../../session/losses'
import { plainText } from '../../i18n/rich'
import { loss as words } from '../../i18n/en/views/loss'
import { drawLoss, type LossShown } from './drawLoss'
import { layOut } from './layout'
import { changeOf, eachAlone, lossTables, needNotTurn, pairLosses, tokensOf, type PairLoss } from './loss'

const info = { num_hidden_layers: 2, num_attention_heads: 2, num_key_value_heads: 2, head_size: 4 } as ModelInfo
const told = (added: number, labels = 100): Added => ({ before: 3, added, labels })
const whole = (labels = 100) => ({ mean: 3, labels })
const of = (pair: number, cut?: number, stop?: number): PairLoss => ({
  pair,
  cut: cut === undefined ? undefined : told(cut),
  stop: stop === undefined ? undefined : told(stop),
})

describe('what is measured', () => {
  it('is the change that the result was run with, wherever the text lies', () => {
    const cut = [{ layer: 1, head: 0, pairs: [0, 1] }]
    const key = changeKey({ offset: 700, stop: [], cut, off: [{ layer: 0, head: 1 }] })
    const { name, change } = changeOf(key, info) ?? {}
    expect(name).toBe(changeKey({ offset: 0, stop: [], cut, off: [{ layer: 0, head: 1 }] }))
    expect(change).toEqual({ muted: [{ ...cut[0], fate: 'cut' }], off: [{ layer: 0, head: 1 }] })
    expect(changeOf('', info)).toBeUndefined()
    expect(changeOf(changeKey({ offset: 700, stop: [], cut: [], off: [] }), info)).toBeUndefined()
  })

  it('is each pair alone, in all heads of all layers, cut and stopped', () => {
    const changes = eachAlone([1, 0], info)
    expect(changes.map(({ change }) => change.muted)).toEqual(
      [1, 0].flatMap((pair) =>
        (['cut', 'stop'] as const).map((fate) => [0, 1].map((layer) => ({ layer, head: null, pairs: [pair], fate }))),
      ),
    )
    expect(new Set(changes.map(({ name }) => name)).size).toBe(4)
    const measured = { before: whole(), added: (name: string) => told(changes.findIndex((one) => one.name === name)) }
    expect(pairLosses([1, 0], measured)).toEqual([of(1, 0, 1), of(0, 2, 3)])
  })

  it('says which slow pairs need not turn: without a gap, and only where that was measured', () => {
    const losses = [of(0, 1, 1), of(1, 0.1, 0.0001), of(2, 0.1, 0.01), of(3, 0.1, -0.001), of(4, 0.1, 0.0009)]
    expect(needNotTurn(losses, 0.001)).toEqual([3, 4])
    expect(needNotTurn([...losses, of(5)], 0.001)).toEqual([])
    expect(tokensOf([of(0), { ...of(1, 1), stop: told(2, 40) }])).toBe(40)
  })

  it('is a table of what was measured', () => {
    const key = changeKey({ offset: 0, stop: [], cut: [{ layer: 0, head: 0, pairs: [0] }], off: [] })
    const changed = changeOf(key, info)
    const measured = { before: whole(200), added: () => told(0.5, 80) }
    const [named] = lossTables(measured, changed, [of(7, 0.25)], words)
    const rows = Array.from({ length: named?.table.length ?? 0 }, (_, index) => named?.table.row(index))
    expect(rows).toEqual([
      ['nothing', 3, 0, 200],
      ['what is changed now', 3.5, 0.5, 80],
      ['pair 7 cut out in all heads', 3.25, 0.25, 100],
    ])
    expect(lossTables({ ...measured, before: undefined }, changed, [], words)).toEqual([])
  })
})

describe('the words', () => {
  it('say loss, what is added, and over how many tokens', () => {
    const line = (...args: Parameters<typeof words.line>) => plainText(words.line(...args))
    expect(line(3.497, 0.1304, 3704)).toBe('loss 3.50 +0.13 (n = 3,704 masked tokens)')
    expect(line(3.497, -0.0012, 512)).toBe('loss 3.50 −0.001 (n = 512 masked tokens)')
    expect(line(3.497, -0.0002, 512)).toBe('loss 3.50 0.000 (n = 512 masked tokens)')
    expect(line(3.497, undefined, 76)).toBe('loss 3.50 (n = 76 masked tokens)')
    expect([1, 0.1, 0.001].map(words.tick)).toEqual(['+1', '+.1', '+.001'])
  })
})

describe('the chart', () => {
  const box = { x: 0, y: 300, width: 420, height: 170 }
  const plan = { left: 30, right: 418, pitch: 97 }
  const losses = [of(0, 1.1, 1.12), of(1, 0.1, 0.01), of(2, 0.01, 0.0004), of(3, 0.02, -0.01)]
  const shown: LossShown = { losses, heads: 32, book: 'A Book', complete: true }
  const draw = (over: Partial<LossShown> = {}) => drawLoss(box, plan, { ...shown, ...over }, words)
  const texts = (marks: readonly Mark[]) => marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
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
        ...words.needNotTurn(2, 3),
        'log scale; 100 masked tokens of “A Book”',
        '+1',
        '+.001',
      ]),
    )
    expect(texts(draw({ complete: false }))).not.toContain(words.needNotTurn(2, 3)[0])
  })

  it('stays in its room, however much was measured', () => {
    const loss = fc.option(fc.double({ min: -2, max: 12, noNaN: true }), { nil: undefined })
    const pair = fc.tuple(loss, loss).map(([cut, stop]) => of(0, cut, stop))
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 64 }), fc.integer({ min: 320, max: 900 }), (losses, width) => {
        const place = { left: 30, right: width - 2, pitch: (width - 32) / Math.max(losses.length, 1) }
        for (const mark of drawLoss({ ...box, width }, place, { ...shown, losses }, words)) {
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
        const { parts, loss, mapA, mapB, sweep, fills: guess, ...whole } = layOut(width, height, fills, true)
        if (!loss) throw new Error('no room for losses')
        expect([loss.x, loss.width]).toEqual([parts.x, parts.width])
        expect(loss.y).toBeGreaterThanOrEqual(parts.y + parts.height)
        expect(loss.y + loss.height).toBeLessThanOrEqual(whole.height)
        for (const other of [mapA, mapB, sweep, ...(guess ? [guess] : [])]) {
          const apart = other.x >= loss.x + loss.width || other.y >= loss.y + loss.height
          expect(apart).toBe(true)
          expect(other.y + other.height).toBeLessThanOrEqual(whole.height + 1)
        }
      }),
    )
  })
})
