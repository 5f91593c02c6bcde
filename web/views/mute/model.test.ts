import { describe, expect, it } from 'vitest'
import type { ScoreParts } from '../../engine/protocol/mathematics'
import { changeKey } from '../../session/change'
import type { MutedPairs } from '../../viewstate/choice'
import type { Shown } from '../../session/runs.svelte'
import { comparable, fillsOf, pairParts, pairsPerSwitch, pooled, switches } from './model'
import type { Compared } from './mutedScore.svelte'
import { mute, type MuteTold } from '../../i18n/en/views/mute'
import { muteTables, tellOf } from './told'

const place = { layer: 2, head: 6 }
const model = {
  info: { num_hidden_layers: 4, num_attention_heads: 8, num_key_value_heads: 8, head_size: 8, is_decoder: false },
  tokenizer: { display: (id: number) => `t${id}` },
}
const reading = { shown: ['a', '[MASK]', 'c'] }

interface Over {
  stop?: MutedPairs[]
  cut?: MutedPairs[]
  offset?: number
  fills?: [id: number, probability: number][]
  attention?: number[]
}

function shown({ stop = [], cut = [], offset = 0, fills = [], attention = [] }: Over = {}): Shown {
  return {
    model,
    reading,
    changed: changeKey({ offset, stop, cut, off: [] }),
    head: { ...place, length: 3, attention: Float32Array.from({ length: 9 }, (_, cell) => attention[cell] ?? 0) },
    result: {
      // Layers turn by θ of their own; this is the chosen one's.
      theta: Float64Array.of(7, 7, 7, 7, 7, 7, 7, 7, 1, 0.1, 0.01, 0.001),
      rows: Uint32Array.from(fills.length > 0 ? [1] : []),
      topIds: Uint32Array.from(fills.map(([id]) => id)),
      topProbabilities: Float32Array.from(fills.map(([, probability]) => probability)),
    },
  } as unknown as Shown
}

const parts = (...parts: number[]) => ({ parts: Float64Array.from(parts) }) as ScoreParts

describe('parts before and after', () => {
  it('say what became of each pair', () => {
    const cut = [{ ...place, pairs: [0] }]
    const found = pairParts(
      shown(),
      shown({ cut, stop: [{ layer: 2, head: null, pairs: [1] }] }),
      parts(5, 1, 2, 3),
      parts(0, 0.5, 2, 3),
    )
    expect(found.map(({ pair, fate, before, after }) => [pair, fate, before, after])).toEqual([
      [0, 'cut', 5, 0],
      [1, 'stop', 1, 0.5],
      [2, 'turns', 2, 2],
      [3, 'turns', 3, 3],
    ])
  })

  it('belong to one text and one head', () => {
    const one = shown()
    expect(comparable(one, one)).toBe(true)
    expect(comparable(one, { ...one, head: { ...one.head, head: 5 } })).toBe(false)
    expect(comparable(one, { ...one, reading: { ...one.reading } })).toBe(false)
    expect(comparable(undefined, one)).toBe(false)
  })
})

describe('fills before and after', () => {
  const before = shown({
    fills: [
      [1, 0.5],
      [2, 0.3],
      [3, 0.1],
    ],
  })
  const after = shown({
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
    expect(fillsOf(shown(), shown(), 3)).toBeUndefined()
  })
})

describe('switches', () => {
  it('are 24 px wide at least: where there is no room, one for several pairs', () => {
    expect([pairsPerSwitch(16, 384), pairsPerSwitch(16, 383), pairsPerSwitch(64, 400)]).toEqual([1, 2, 4])
    expect(switches([3, 2, 1, 0, 4], 2)).toEqual([[3, 2], [1, 0], [4]])
  })
})

it('a large map keeps its greatest weights in a small picture', () => {
  const attention = new Float32Array(36)
  attention[5 * 6 + 1] = 0.9
  const pool = pooled({ ...place, run: 0, length: 6, attention, query: attention, key: attention }, 3)
  expect(Array.from(pool)).toEqual([0, 0, 0, 0, 0, 0, expect.closeTo(0.9, 6), 0, 0])
})

describe('what is said of muting', () => {
  function compared(after: Shown): Compared {
    const whole = shown({ attention: [0, 0, 0, 0, 0, 0, 0, 0.77], fills: [[1, 0.2]] })
    const curve = { values: new Float64Array(4 * 64 + 1), reach: 32 }
    const pairs = pairParts(whole, after, parts(5, 1, 2, 3), parts(0, 0, 2, 3))
    return { whole, shown: after, query: 2, key: 1, pairs, score: [12.21, 4.75], curves: [curve, curve] }
  }
  const said = (after: Shown, loss?: MuteTold['loss']) => mute.headline(tellOf(compared(after), loss))
  const attention = [0, 0, 0, 0, 0, 0, 0, 0.06]
  const fills: [number, number][] = [[1, 0.3]]

  it('is what was measured', () => {
    expect(said(shown({ cut: [{ ...place, pairs: [0, 1] }], attention, fills }))).toEqual({
      title: 'Without its two fastest pairs, head 2.6 gives [MASK] 1 0.060 instead of 0.77.',
      line: 'The score of c 2 → [MASK] 1 goes from 12.21 to 4.75; these pairs gave 6.00 of it. The guess for [MASK] 1 stays “t1” (20.0\u00a0% → 30.0\u00a0%).',
    })
  })

  it('tells the loss on unseen text as soon as it is measured', () => {
    const cut = shown({ cut: [{ ...place, pairs: [0, 1] }], attention, fills })
    expect(said(cut, { before: 3.497, added: 0.105 }).line).toBe(
      'The score of c 2 → [MASK] 1 goes from 12.21 to 4.75. The guess for [MASK] 1 stays “t1” (20.0\u00a0% → 30.0\u00a0%). Held-out loss: 3.50 → 3.60.',
    )
  })

  it('names where and how', () => {
    const title = (over: Over) => said(shown({ ...over, attention, fills })).title
    expect(title({ stop: [{ layer: 2, head: null, pairs: [2, 3] }] })).toMatch(
      /^With the two slowest pairs stopped in all of layer 2, head 2.6/,
    )
    expect(title({ cut: [{ layer: null, head: null, pairs: [0, 2, 3] }] })).toMatch(
      /^Without the pairs 0 and 2–3 in all 32 heads,/,
    )
    expect(title({ cut: [{ ...place, pairs: [1] }] })).toMatch(/^Without its pair 1, head/)
    expect(title({ cut: [{ layer: 1, head: 1, pairs: [1] }] })).toMatch(/^With what is changed elsewhere, head 2.6/)
  })

  it('claims no change where there is none, and tells of a guess that turns', () => {
    expect(said(shown()).title).toMatch(/^All pairs of head 2.6 at work/)
    const same = shown({ cut: [{ ...place, pairs: [3] }], attention: [0, 0, 0, 0, 0, 0, 0, 0.77], fills: [[2, 0.4]] })
    expect(said(same).title).toMatch(/gives \[MASK\] 1 0.77, as before\.$/)
    expect(said(same).line).toContain('turns from “t1” to “t2” (20.0\u00a0% → 40.0\u00a0%)')
  })

  it('does not hide that something else is changed, too', () => {
    expect(said(shown({ offset: 5, cut: [{ ...place, pairs: [3] }], attention })).line).toContain(
      'What else is changed in the model is in B',
    )
  })

  it('has its numbers as tables', () => {
    const one = compared(shown({ cut: [{ ...place, pairs: [0, 1] }], fills }))
    const [pairs, sweep, guesses] = muteTables(one, fillsOf(one.whole, one.shown, 4), mute)
    expect(pairs?.table.row(0)).toEqual([0, 2 * Math.PI, 5, 0, 'cut out'])
    expect([sweep?.table.length, sweep?.table.row(0)]).toEqual([65, [-32, 0, 0]])
    expect(guesses?.table.row(0)).toEqual(['t1', expect.closeTo(0.2, 6), expect.closeTo(0.3, 6)])
  })
})
