import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { t as loss } from '../../charts/held-out-loss/messages.en'
import type { Mark } from '../../charts/marks'
import type { ScoreParts } from '../../engine/protocol/mathematics'
import type { ModelInfo } from '../../engine/protocol/protocol'
import { plainText } from '../../i18n/rich'
import { changeKey } from '../../session/change'
import { measuredChange } from '../../session/heldOutLoss.svelte'
import type { Added } from '../../session/losses'
import type { Run } from '../../session/runs.svelte'
import type { MutedPairs } from '../../viewstate/choice'
import {
  comparable,
  eachAlone,
  fillsOf,
  needNotTurn,
  pairLosses,
  pairParts,
  pairsPerSwitch,
  switchRows,
  switches,
  tokensOf,
  type Compared,
  type LossChart,
  type PairLoss,
  type PairParts,
} from './data'
import { t, type MuteFacts } from './messages.en'
import { drawLoss, drawParts, planParts, switchHeight } from './parts'
import { drawFills, drawMap, layOut } from './picture'
import { factsOf, lossTables, muteTables } from './view'
import { plainHeadline } from '../../testing/plainHeadline'

// A component needs a window.
vi.mock('./View.svelte', () => ({ default: {} }))

const place = { layer: 2, head: 6 }
const testModel = {
  info: { num_hidden_layers: 4, num_attention_heads: 8, num_key_value_heads: 8, head_size: 8, is_decoder: false },
  tokenizer: { display: (id: number) => `t${id}` },
}
const reading = { display: ['a', '[MASK]', 'c'] }

interface Over {
  frozen?: MutedPairs[]
  ablated?: MutedPairs[]
  offset?: number
  fills?: [id: number, probability: number][]
  attention?: number[]
}

function runWith({ frozen = [], ablated = [], offset = 0, fills = [], attention = [] }: Over = {}): Run {
  return {
    model: testModel,
    reading,
    changed: changeKey({ offset, frozen, ablated, ablatedHeads: [] }),
    head: { ...place, length: 3, attention: Float32Array.from({ length: 9 }, (_, cell) => attention[cell] ?? 0) },
    result: {
      // θ differs by layer; the last values are the selected one's.
      theta: Float64Array.of(7, 7, 7, 7, 7, 7, 7, 7, 1, 0.1, 0.01, 0.001),
      rows: Uint32Array.from(fills.length > 0 ? [1] : []),
      topIds: Uint32Array.from(fills.map(([id]) => id)),
      topProbabilities: Float32Array.from(fills.map(([, probability]) => probability)),
    },
  } as unknown as Run
}

const parts = (...parts: number[]) => ({ parts: Float64Array.from(parts) }) as ScoreParts

describe('parts before and after', () => {
  it('say what became of each pair', () => {
    const ablated = [{ ...place, pairs: [0] }]
    const found = pairParts(
      runWith(),
      runWith({ ablated, frozen: [{ layer: 2, head: null, pairs: [1] }] }),
      parts(5, 1, 2, 3),
      parts(0, 0.5, 2, 3),
    )
    expect(found.map(({ pair, kind, before, after }) => [pair, kind, before, after])).toEqual([
      [0, 'ablated', 5, 0],
      [1, 'frozen', 1, 0.5],
      [2, 'turns', 2, 2],
      [3, 'turns', 3, 3],
    ])
  })

  it('belong to one text and one head', () => {
    const one = runWith()
    expect(comparable(one, one)).toBe(true)
    expect(comparable(one, { ...one, head: { ...one.head, head: 5 } })).toBe(false)
    expect(comparable(one, { ...one, reading: { ...one.reading } })).toBe(false)
    expect(comparable(undefined, one)).toBe(false)
  })
})

describe('fills before and after', () => {
  const before = runWith({
    fills: [
      [1, 0.5],
      [2, 0.3],
      [3, 0.1],
    ],
  })
  const after = runWith({
    fills: [
      [4, 0.6],
      [2, 0.2],
      [1, 0.05],
    ],
  })

  it('are A’s likeliest, and B’s first', () => {
    expect(fillsOf(before, after, 3)).toEqual({
      position: 1,
      fills: [
        { token: 't1', before: expect.closeTo(0.5, 6), after: expect.closeTo(0.05, 6) },
        { token: 't2', before: expect.closeTo(0.3, 6), after: expect.closeTo(0.2, 6) },
        { token: 't4', before: undefined, after: expect.closeTo(0.6, 6) },
      ],
      least: [expect.closeTo(0.1, 6), expect.closeTo(0.05, 6)],
    })
  })

  it('are none where nothing is predicted', () => {
    expect(fillsOf(runWith(), runWith(), 3)).toBeUndefined()
  })
})

describe('switches', () => {
  it('are 24 px wide at least: in two rows, or one for several pairs, where there is no room', () => {
    expect([switchRows(16, 384), switchRows(16, 328), switchRows(64, 328)]).toEqual([1, 2, 1])
    const many = Array.from({ length: 16 }, (_, index) => pair(index, 1, 1))
    const phone = planParts({ x: 0, y: 0, width: 362, height: 220 }, many)
    expect(phone.switches.map(({ pairs }) => pairs)).toEqual(many.map(({ pair }) => [pair]))
    const [first, second, third] = phone.switches.map(({ box }) => box)
    expect([second?.x, third?.x]).toEqual([first?.x, first!.x + first!.width])
    expect(second!.y).toBeGreaterThanOrEqual(first!.y + first!.height)
    expect([pairsPerSwitch(16, 384), pairsPerSwitch(16, 383), pairsPerSwitch(64, 400)]).toEqual([1, 2, 4])
    expect(switches([3, 2, 1, 0, 4], 2)).toEqual([[3, 2], [1, 0], [4]])
  })
})

describe('the headline', () => {
  function compared(after: Run): Compared {
    const baseline = runWith({ attention: [0, 0, 0, 0, 0, 0, 0, 0.77], fills: [[1, 0.2]] })
    const curve = { values: new Float64Array(4 * 64 + 1), reach: 32 }
    const pairs = pairParts(baseline, after, parts(5, 1, 2, 3), parts(0, 0, 2, 3))
    return { baseline, run: after, query: 2, key: 1, pairs, score: [12.21, 4.75], curves: [curve, curve] }
  }
  const headline = (after: Run, loss?: MuteFacts['loss']) =>
    plainHeadline(t().headline(factsOf(compared(after), loss)))!
  const attention = [0, 0, 0, 0, 0, 0, 0, 0.06]
  const fills: [number, number][] = [[1, 0.3]]

  it('is what was measured', () => {
    expect(headline(runWith({ ablated: [{ ...place, pairs: [0, 1] }], attention, fills }))).toEqual({
      title: 'Without its two fastest pairs, head L2·H6 gives [MASK] 1 0.060 instead of 0.77.',
      line: 'The score of c 2 → [MASK] 1 goes from 12.21 to 4.75; these pairs gave 6.00 of it. The guess for [MASK] 1 stays “t1” (20.0\u00a0% → 30.0\u00a0%).',
    })
  })

  it('tells the loss on unseen text as soon as it is measured', () => {
    const ablated = runWith({ ablated: [{ ...place, pairs: [0, 1] }], attention, fills })
    expect(headline(ablated, { before: 3.497, added: 0.105 }).line).toBe(
      'The score of c 2 → [MASK] 1 goes from 12.21 to 4.75. The guess for [MASK] 1 stays “t1” (20.0\u00a0% → 30.0\u00a0%). Held-out loss: 3.50 → 3.60.',
    )
  })

  it('names where and how', () => {
    const title = (over: Over) => headline(runWith({ ...over, attention, fills })).title
    expect(title({ frozen: [{ layer: 2, head: null, pairs: [2, 3] }] })).toMatch(
      /^With the two slowest pairs frozen in all of layer 2, head L2·H6/,
    )
    expect(title({ ablated: [{ layer: null, head: null, pairs: [0, 2, 3] }] })).toMatch(
      /^Without the pairs 0 and 2–3 in all 32 heads,/,
    )
    expect(title({ ablated: [{ ...place, pairs: [1] }] })).toMatch(/^Without its pair 1, head/)
    expect(title({ ablated: [{ layer: 1, head: 1, pairs: [1] }] })).toMatch(
      /^With what is changed elsewhere, head L2·H6/,
    )
  })

  it('claims no change where there is none, and tells of a guess that turns', () => {
    expect(headline(runWith()).title).toMatch(/^No pair of head L2·H6 is muted/)
    const same = runWith({
      ablated: [{ ...place, pairs: [3] }],
      attention: [0, 0, 0, 0, 0, 0, 0, 0.77],
      fills: [[2, 0.4]],
    })
    expect(headline(same).title).toMatch(/gives \[MASK\] 1 0.77, as before\.$/)
    expect(headline(same).line).toContain('turns from “t1” to “t2” (20.0\u00a0% → 40.0\u00a0%)')
  })

  it('does not hide that something else is changed, too', () => {
    expect(headline(runWith({ offset: 5, ablated: [{ ...place, pairs: [3] }], attention })).line).toContain(
      'B includes the other interventions.',
    )
  })

  it('has its numbers as tables', () => {
    const one = compared(runWith({ ablated: [{ ...place, pairs: [0, 1] }], fills }))
    const [pairs, sweep, guesses] = muteTables(one, fillsOf(one.baseline, one.run, 4))
    expect(pairs?.table.row(0)).toEqual([0, 2 * Math.PI, 5, 0, 'ablated'])
    expect([sweep?.table.length, sweep?.table.row(0)]).toEqual([65, [-32, 0, 0]])
    expect(guesses?.table.row(0)).toEqual(['t1', expect.closeTo(0.2, 6), expect.closeTo(0.3, 6)])
  })
})

const pair = (pair: number, before: number, after: number, kind: PairParts['kind'] = 'turns'): PairParts => ({
  pair,
  wavelength: 6.28 * 4 ** pair,
  before,
  after,
  kind,
})
const drawnPairs = [pair(0, 5, 0, 'ablated'), pair(1, -1, -1), pair(2, 2, 1.5, 'frozen'), pair(3, 1, 1)]
const box = { x: 0, y: 0, width: 400, height: 220 }
const texts = (marks: readonly Mark[]) => marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))

describe('parts and switches as marks', () => {
  const plan = planParts(box, drawnPairs)
  const draw = (muted: [number, 'frozen' | 'ablated'][] = []) =>
    drawParts(plan, { pairs: drawnPairs, score: [7, 1.5], muted: new Map(muted), selected: null })

  it('outlines what a muted pair was, and says what it lost', () => {
    const marks = draw()
    const outlined = marks.filter((mark) => mark.kind === 'rect' && mark.dash === '3 2' && mark.stroke === 'positive')
    expect(outlined).toHaveLength(2)
    expect(texts(marks)).toEqual(expect.arrayContaining(['−5.0', '−0.5', '7.00', '1.50']))
    const filled = marks.filter(
      (mark) => mark.kind === 'rect' && (mark.fill === 'positive' || mark.fill === 'negative'),
    )
    expect(filled).toHaveLength(3)
  })

  it('strikes a cut pair’s switch through, before its run is there', () => {
    const strikes = (marks: readonly Mark[]) =>
      marks.filter((mark) => mark.kind === 'line' && mark.stroke === 'ink' && mark.y1 > plan.bottom).length
    expect(strikes(draw())).toBe(0)
    expect(strikes(draw([[1, 'ablated']]))).toBe(1)
    expect(strikes(draw([[1, 'frozen']]))).toBe(0)
  })

  it('gives every switch 24 px, and all of them the axis’s width', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 128 }), fc.integer({ min: 180, max: 900 }), (count, width) => {
        const many = Array.from({ length: count }, (_, index) => pair(index, index % 3, 1))
        const { switches, left, right } = planParts({ ...box, width }, many)
        expect(switches.flatMap(({ pairs }) => pairs)).toEqual(many.map(({ pair }) => pair))
        for (const { box } of switches.slice(0, -1)) expect(box.width).toBeGreaterThanOrEqual(24 - 1e-9)
        expect(switches[0]?.box.x).toBe(left)
        const last = switches.at(-1)?.box
        expect((last?.x ?? 0) + (last?.width ?? 0)).toBeCloseTo(right, 6)
        expect(last?.height).toBe(switchHeight)
      }),
    )
  })
})

describe('the room', () => {
  it('is shared without overlaps, and is enough', () => {
    const size = fc.record({ width: fc.integer({ min: 340, max: 1800 }), height: fc.integer({ min: 300, max: 1200 }) })
    fc.assert(
      fc.property(size, fc.constantFrom(0, 1, 4), ({ width, height }, fills) => {
        const { parts, mapA, mapB, sweep, fills: guess, labels, ...layout } = layOut(width, height, fills)
        const boxes = [
          parts,
          { ...mapA, x: mapA.x - labels, width: mapA.width + labels },
          mapB,
          sweep,
          ...(guess ? [guess] : []),
        ]
        boxes.forEach((one, index) => {
          expect(one.x).toBeGreaterThanOrEqual(0)
          expect(one.x + one.width).toBeLessThanOrEqual(width + 1)
          expect(one.y + one.height).toBeLessThanOrEqual(layout.height + 1)
          for (const other of boxes.slice(index + 1)) {
            const separate =
              one.x + one.width <= other.x + 1e-6 ||
              other.x + other.width <= one.x + 1e-6 ||
              one.y + one.height <= other.y + 1e-6 ||
              other.y + other.height <= one.y + 1e-6
            expect(separate).toBe(true)
          }
        })
        if (width >= 400 && height >= 420 && (width >= 640 || height < 600))
          expect(layout.height).toBeLessThanOrEqual(height)
      }),
    )
  })
})

it('a map shows the selected cell and its weight', () => {
  const attention = Float32Array.of(1, 0, 0.25, 0.75)
  const head = { run: 1, layer: 0, head: 0, length: 2, attention, query: attention, key: attention }
  const palette = new Uint8Array(768).map((_, index) => Math.floor(index / 3))
  const marks = drawMap(
    { x: 10, y: 20, width: 100, height: 100 },
    { head, tokens: ['a', 'b'], query: 1, key: 0, title: 'A', strong: false, labels: 40, palette },
  )
  const raster = marks.find((mark) => mark.kind === 'raster')
  expect(raster?.kind === 'raster' && Array.from(raster.pixels.filter((_, at) => at % 4 === 0))).toEqual([
    255, 0, 128, 221,
  ])
  expect(marks).toContainEqual({
    kind: 'rect',
    x: 10,
    y: 70,
    width: 50,
    height: 50,
    stroke: 'ink',
    weight: 2,
    role: 'cursor',
  })
  expect(texts(marks)).toEqual(['A', '0.25', 'a', 'a', 'b'])
})

it('a fill that is not told of is below the least that is', () => {
  const fills = {
    position: 3,
    fills: [{ token: 'x', before: 0.5, after: undefined }],
    least: [0.1, 0.02] as [number, number],
  }
  const marks = drawFills({ x: 0, y: 0, width: 300, height: 60 }, fills, 'guess')
  expect(texts(marks)).toEqual(['guess', 'A', 'B', 'x', '50.0\u00a0%', '< 2.0\u00a0%'])
})

const info = { num_hidden_layers: 2, num_attention_heads: 2, num_key_value_heads: 2, head_size: 4 } as ModelInfo
const addedOf = (added: number, labels = 100): Added => ({ before: 3, added, error: undefined, labels })
const baseline = (labels = 100) => ({ mean: 3, labels })
const of = (pair: number, ablated?: number, frozen?: number): PairLoss => ({
  pair,
  ablated: ablated === undefined ? undefined : addedOf(ablated),
  frozen: frozen === undefined ? undefined : addedOf(frozen),
})

describe('what is measured', () => {
  it('is the change that the result was run with, wherever the text lies', () => {
    const ablated = [{ layer: 1, head: 0, pairs: [0, 1] }]
    const key = changeKey({ offset: 700, frozen: [], ablated, ablatedHeads: [{ layer: 0, head: 1 }] })
    const { name, change } = measuredChange(key, info) ?? {}
    expect(name).toBe(changeKey({ offset: 0, frozen: [], ablated, ablatedHeads: [{ layer: 0, head: 1 }] }))
    expect(change).toEqual({ muted: [{ ...ablated[0], kind: 'ablated' }], ablatedHeads: [{ layer: 0, head: 1 }] })
    expect(measuredChange('', info)).toBeUndefined()
    expect(measuredChange(changeKey({ offset: 700, frozen: [], ablated: [], ablatedHeads: [] }), info)).toBeUndefined()
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
    const key = changeKey({ offset: 0, frozen: [], ablated: [{ layer: 0, head: 0, pairs: [0] }], ablatedHeads: [] })
    const changed = measuredChange(key, info)
    const measured = { before: baseline(200), added: () => addedOf(0.5, 80) }
    const [named] = lossTables(measured, changed, [of(7, 0.25)])
    const rows = Array.from({ length: named?.table.length ?? 0 }, (_, index) => named?.table.row(index))
    expect(rows).toEqual([
      ['nothing', 3, 0, 200],
      ['what is changed now', 3.5, 0.5, 80],
      ['pair 7 ablated in all heads', 3.25, 0.25, 100],
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
    expect([1, 0.1, 0.001].map(t().loss.tick)).toEqual(['+1', '+.1', '+.001'])
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
        '+.001',
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
