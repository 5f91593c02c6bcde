import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { Mark } from '../../charts/marks'
import type { ScoreParts } from '../../engine/protocol/mathematics'
import { interventionsText } from '../../session/interventions'
import type { Run } from '../../session/runs.svelte'
import type { MutedPairs } from '../../viewstate/choice'
import {
  comparable,
  fillsOf,
  pairParts,
  pairsPerSwitch,
  switchRows,
  switches,
  type Compared,
  type PairParts,
} from './data'
import { t, type MuteFacts } from './messages.en'
import { drawParts, planParts, switchHeight } from './parts'
import { drawFills, drawMap, layOut } from './picture'
import { factsOf, muteTables } from './view'
import { plainHeadline } from '../../testing/outputs'

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
    interventions: interventionsText({ offset, frozen, ablated, ablatedHeads: [] }),
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
      title:
        'Without its two fastest pairs, head L2·H6 gives [MASK] 1 6.0\u00a0% of its weight instead of 77.0\u00a0%.',
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
    expect(title({ ablated: [{ layer: 1, head: 1, pairs: [1] }] })).toMatch(/^With the other interventions, head L2·H6/)
  })

  it('claims no change where there is none, and tells of a guess that turns', () => {
    expect(headline(runWith()).title).toMatch(/^No pair of head L2·H6 is muted/)
    const same = runWith({
      ablated: [{ ...place, pairs: [3] }],
      attention: [0, 0, 0, 0, 0, 0, 0, 0.77],
      fills: [[2, 0.4]],
    })
    expect(headline(same).title).toMatch(/gives \[MASK\] 1 77.0\u00a0% of its weight, as before\.$/)
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

it.each([
  [100, 'A'],
  [200, 'A baseline'],
])('a map of %i px is named %s', (side, title) => {
  const attention = Float32Array.of(1, 0, 0.25, 0.75)
  const head = { run: 1, layer: 0, head: 0, length: 2, attention, query: attention, key: attention }
  const box = { x: 10, y: 20, width: side, height: side }
  const marks = drawMap(box, {
    head,
    tokens: ['a', 'b'],
    query: 1,
    key: 0,
    title: t().mapA,
    strong: false,
    labels: 40,
    palette: undefined,
  })
  expect(marks.find((mark) => mark.kind === 'text')).toMatchObject({ text: title })
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

it('a fill outside the returned ones is below the least of them', () => {
  const fills = {
    position: 3,
    fills: [{ token: 'x', before: 0.5, after: undefined }],
    least: [0.1, 0.02] as [number, number],
  }
  const marks = drawFills({ x: 0, y: 0, width: 300, height: 60 }, fills, 'guess')
  expect(texts(marks)).toEqual(['guess', 'A', 'B', 'x', '50.0\u00a0%', '< 2.0\u00a0%'])
  const legend = marks.flatMap((mark) => (mark.kind === 'rect' && mark.y < 12 ? [mark.fill] : []))
  expect(legend).toEqual(['edge', 'ink'])
})
