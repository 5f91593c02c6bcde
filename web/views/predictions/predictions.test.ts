import { describe, expect, it } from 'vitest'
import type { LensResult } from '../../engine/protocol/protocol'
import { predictedPosition, type Prediction } from '../../session/predictions'
import {
  classChanges,
  fillChanges,
  guess,
  isAblated,
  labelCounts,
  lensLayers,
  mostMoved,
  presetHeads,
  presetOf,
  settledAt,
  toggled,
} from './data'
import { candidateAnswers, fillAnswers, gap, lensAnswers, tokenWidth, verdictAnswers, visibleRange } from './picture'

const fills = (...of: [string, number][]): Prediction['fills'] =>
  of.map(([token, probability]) => ({
    id: [...token].reduce((id, one) => id * 31 + one.charCodeAt(0), 0),
    token,
    probability,
  }))
const baseline: Prediction[] = [{ position: 7, fills: fills(['table', 0.203], ['floor', 0.095], ['sofa', 0.05]) }]

describe('fills before and after', () => {
  it('stand in the order of now, then those that fell out, with what is known of each', () => {
    const now: Prediction[] = [{ position: 7, fills: fills(['table', 0.189], ['bed', 0.12], ['floor', 0.09]) }]
    const [place] = fillChanges(now, baseline)
    expect(place?.fills.map(({ token, baseline, now }) => [token, baseline, now])).toEqual([
      ['table', 0.203, 0.189],
      ['bed', null, 0.12],
      ['floor', 0.095, 0.09],
      ['sofa', 0.05, null],
    ])
    expect(place?.least).toEqual({ baseline: 0.05, now: 0.09 })
  })

  it('are as many as there is room for, and those that were among as many before', () => {
    const now = [{ position: 7, fills: fills(['sofa', 0.3], ['door', 0.2], ['table', 0.1]) }]
    const [place] = fillChanges(now, baseline, 2)
    expect(place?.fills.map(({ token, baseline, now }) => [token, baseline, now])).toEqual([
      ['sofa', 0.05, 0.3],
      ['door', null, 0.2],
      ['table', 0.203, 0.1],
      ['floor', 0.095, null],
    ])
    expect(place?.least).toEqual({ baseline: 0.05, now: 0.1 })
  })

  it('are each their own where nothing is changed', () => {
    const [place] = fillChanges(baseline, baseline)
    expect(place?.fills.every(({ baseline, now }) => baseline === now)).toBe(true)
  })

  it('say whether the best guess stays or turns', () => {
    const stays = fillChanges([{ position: 7, fills: fills(['table', 0.189]) }], baseline)
    expect(stays[0] && guess(stays[0])).toEqual({ kind: 'stays', token: 'table', baseline: 0.203, now: 0.189 })
    const turns = fillChanges([{ position: 7, fills: fills(['bed', 0.3], ['table', 0.1]) }], baseline)
    expect(turns[0] && guess(turns[0])).toEqual({ kind: 'turns', from: 'table', to: 'bed', baseline: 0.203, now: 0.3 })
    const untold = fillChanges([{ position: 7, fills: fills(['bed', 0.3]) }], [])
    expect(untold[0] && guess(untold[0])).toBeUndefined()
  })

  it('name the position that is moved most, one that turns first', () => {
    const before = [...baseline, { position: 9, fills: fills(['a', 0.5], ['b', 0.45]) }]
    const now = [
      { position: 7, fills: fills(['table', 0.05]) },
      { position: 9, fills: fills(['b', 0.5], ['a', 0.45]) },
    ]
    expect(mostMoved(fillChanges(now, before))?.position).toBe(9)
    expect(mostMoved(fillChanges([...now].slice(0, 1), before))?.position).toBe(7)
    expect(mostMoved([])).toBeUndefined()
  })
})

describe('verdicts', () => {
  const now = {
    kind: 'classes' as const,
    classes: [
      { label: 'good', probability: 0.6 },
      { label: 'bad', probability: 0.4 },
    ],
  }

  it('keep what each class had before', () => {
    const before = {
      kind: 'classes' as const,
      classes: [
        { label: 'bad', probability: 0.9 },
        { label: 'good', probability: 0.1 },
      ],
    }
    expect(classChanges(now, before)).toEqual([
      { label: 'good', now: 0.6, baseline: 0.1 },
      { label: 'bad', now: 0.4, baseline: 0.9 },
    ])
    expect(classChanges(now, null).map(({ baseline }) => baseline)).toEqual([0.6, 0.4])
  })

  it('count the labels of tokens', () => {
    const tokens = ['O', 'LOC', 'O'].map((label, position) => ({ label, position, probability: 1 }))
    expect(labelCounts({ kind: 'tokens', tokens })).toEqual([
      ['O', 2],
      ['LOC', 1],
    ])
  })
})

describe('ablated heads', () => {
  const size = { layers: 2, heads: 3 }
  const selected = { layer: 1, head: 2 }

  it('are the same change in whichever order they were clicked', () => {
    const one = toggled(toggled([], { layer: 1, head: 0 }), { layer: 0, head: 2 })
    const other = toggled(toggled([], { layer: 0, head: 2 }), { layer: 1, head: 0 })
    expect(one).toEqual(other)
    expect(isAblated(one, { layer: 1, head: 0 })).toBe(true)
    expect(toggled(one, { layer: 1, head: 0 })).toEqual([{ layer: 0, head: 2 }])
  })

  it('follow the presets, and tell which one they are', () => {
    for (const preset of ['none', 'head', 'layer'] as const) {
      expect(presetOf(presetHeads(preset, selected, size), selected, size)).toBe(preset)
    }
    expect(presetHeads('layer', selected, size)).toHaveLength(3)
    expect(presetOf([{ layer: 0, head: 0 }], selected, size)).toBeUndefined()
  })
})

describe('the row of positions', () => {
  it('shows a short text whole', () => {
    expect(visibleRange(['[CLS]', 'the', 'dog', '[SEP]'], 1, 400, 2)).toEqual([0, 4])
    expect(visibleRange([], 0, 400, 2)).toEqual([0, 0])
  })

  it('shows of a long text what fits around the selected token, also at its ends', () => {
    const tokens = Array.from({ length: 4096 }, () => 'word')
    for (const around of [0, 2000, 4095]) {
      const [from, to] = visibleRange(tokens, around, 400, 2)
      expect(from).toBeLessThanOrEqual(around)
      expect(to).toBeGreaterThan(around)
      expect((to - from) * (tokenWidth('word', around) + gap)).toBeLessThanOrEqual(2 * (400 + gap))
      expect(to - from).toBeGreaterThan(6)
    }
  })
})

const of = (position: number, ...fills: [number, string, number][]) => ({
  position,
  fills: fills.map(([id, token, probability]) => ({ id, token, probability })),
})
const predictions = [of(7, [1, 'table', 0.203], [2, 'floor', 0.095])]
const masked = { change: '', mask: '[MASK]', causal: false }
const without = { ...masked, change: 'without head L2·H6' }

describe('answers for masks', () => {
  it('names the best guess and the next ones where nothing is changed', () => {
    const { headline, groups } = fillAnswers(fillChanges(predictions, predictions), masked)
    expect(headline).toEqual({
      title: 'The guess for [MASK] 7 is table: 20.3\u00a0%.',
      line: 'Then floor 9.5\u00a0%, of the whole vocabulary.',
    })
    expect(groups[0]?.rows.map(({ name, numbers, before }) => [name, numbers, before])).toEqual([
      ['table', ['20.3\u00a0%'], undefined],
      ['floor', ['9.5\u00a0%'], undefined],
    ])
  })

  it('says what a change does to it: it stays', () => {
    const { headline, groups } = fillAnswers(
      fillChanges([of(7, [1, 'table', 0.189], [3, 'bed', 0.1])], predictions),
      without,
    )
    expect(headline).toEqual({
      title: 'Without head L2·H6 the guess for [MASK] 7 stays table: 20.3 → 18.9\u00a0%.',
      line: 'No other guess moves by as much as 0.1 points.',
    })
    expect(groups[0]?.rows.map(({ numbers }) => numbers)).toEqual([
      ['20.3\u00a0%', '18.9\u00a0%', '−1.4'],
      ['< 9.5\u00a0%', '10.0\u00a0%', ''],
      ['9.5\u00a0%', '< 10.0\u00a0%', ''],
    ])
  })

  it('says that nothing moves where it does not', () => {
    expect(fillAnswers(fillChanges(predictions, predictions), without).headline?.line).toBe(
      'No other guess moves by as much as 0.1 points.',
    )
  })

  it('names the other guess that moves most', () => {
    const now = [of(7, [1, 'table', 0.268], [2, 'floor', 0.113])]
    expect(fillAnswers(fillChanges(now, predictions), without).headline?.line).toBe(
      'Of the others floor moves most: 9.5 → 11.3\u00a0%, +1.8 points.',
    )
  })

  it('says what a change does to it: it turns', () => {
    const { headline } = fillAnswers(fillChanges([of(7, [3, 'bed', 0.3], [1, 'table', 0.1])], predictions), without)
    expect(headline).toEqual({
      title: 'Without head L2·H6 the guess for [MASK] 7 turns from table to bed.',
      line: 'Before, table had 20.3\u00a0%; now bed has 30.0\u00a0%.',
    })
  })

  it('says of a causal model what comes next, and of no mask that there is none', () => {
    const causal = { ...masked, causal: true }
    expect(fillAnswers(fillChanges(predictions, predictions), causal).headline?.title).toBe(
      'The model expects table next: 20.3\u00a0%.',
    )
    expect(fillAnswers([], masked).headline?.title).toBe('No token is masked.')
    expect(fillAnswers([], causal).headline).toBeUndefined()
  })

  it('has every fill in its table, and says which are not known', () => {
    const [{ table } = { table: undefined }] = fillAnswers(
      fillChanges([of(7, [3, 'bed', 0.1])], predictions),
      without,
    ).tables
    expect(table?.length).toBe(3)
    expect(table?.row(0)).toEqual([7, 'bed', 'not among the first', 0.1])
    expect(table?.row(1)).toEqual([7, 'table', 0.203, 'not among the first'])
  })
})

describe('answers of other models', () => {
  it('is what may come next before and after the settings', () => {
    const candidates = [
      { id: 5, before: 0.2, after: 0.5 },
      { id: 6, before: 0.1, after: 0 },
    ]
    const { rows, table } = candidateAnswers(candidates, (id) => `t${id}`, 5)
    expect(rows.map(({ name, value, before, weight }) => [name, value, before, weight])).toEqual([
      ['t5', 0.5, 0.2, 'strong'],
      ['t6', 0, 0.1, 'faint'],
    ])
    expect(table.table.row(1)).toEqual(['t6', 0.1, 0])
  })

  it('is the class, before and after a change', () => {
    const now = { kind: 'classes' as const, classes: [{ label: 'good', probability: 0.6 }] }
    const before = { kind: 'classes' as const, classes: [{ label: 'good', probability: 0.8 }] }
    expect(verdictAnswers(now, now, [], '').headline?.title).toBe('The model says good: 60.0\u00a0%.')
    expect(verdictAnswers(now, before, [], 'without layer 2').headline?.title).toBe(
      'Without layer 2 the model says good: 80.0 → 60.0\u00a0%.',
    )
  })

  it('is how many tokens have which label, and where an answer lies', () => {
    const tokens = ['O', 'LOC', 'O'].map((label, position) => ({ label, position, probability: 0.9 }))
    expect(verdictAnswers({ kind: 'tokens', tokens }, null, ['a', 'b', 'c'], '').headline?.title).toBe(
      'Of 3 tokens 2 are O and 1 is LOC.',
    )
    expect(verdictAnswers({ kind: 'answer', start: 1, end: 2 }, null, ['a', 'b', 'c'], '').headline?.title).toBe(
      'The answer starts at b 1 and ends at c 2.',
    )
  })
})

const names = ['a', 'on', 'sat', 'a-very-long-token']
const tokenOf = (id: number) => names[id] ?? ''

/** Best ids by layer, each before id 0. */
function lens(...best: number[]): LensResult {
  return {
    layers: best.length - 1,
    rows: Uint32Array.of(3),
    topIds: Uint32Array.from(best.flatMap((id) => [id, 0])),
    topProbabilities: Float32Array.from(best.flatMap((_, layer) => [0.25 * layer, 0.125])),
  }
}

describe('the lens', () => {
  it('reads the fills of each layer', () => {
    expect(lensLayers(lens(1, 2), tokenOf)).toEqual([
      [
        { id: 1, token: 'on', probability: 0 },
        { id: 0, token: 'a', probability: 0.125 },
      ],
      [
        { id: 2, token: 'sat', probability: 0.25 },
        { id: 0, token: 'a', probability: 0.125 },
      ],
    ])
  })

  it('has settled where the best fill stays that of the last layer', () => {
    const of = (...best: number[]) => settledAt(lensLayers(lens(...best), tokenOf))
    expect([of(2, 2, 2), of(1, 2, 2), of(2, 1, 2), of(1, 1, 2)]).toEqual([0, 1, 2, 2])
  })

  it('reads the query, if it is masked, else the first mask', () => {
    const rows = Uint32Array.of(3, 7)
    expect([predictedPosition(rows, 7), predictedPosition(rows, 5), predictedPosition(new Uint32Array(), 5)]).toEqual([
      7,
      3,
      undefined,
    ])
  })

  it('is bars, with the final guess in bold', () => {
    const { group, line, table } = lensAnswers(lensLayers(lens(3, 1, 2, 2), tokenOf), '[MASK] 3')
    expect(group.rows.map(({ name, numbers, weight }) => [name, ...numbers, weight])).toEqual([
      ['input', 'a-very-long…', '0.0\u00a0%', 'a', undefined],
      ['layer 0', 'on', '25.0\u00a0%', 'a', undefined],
      ['layer 1', 'sat', '50.0\u00a0%', 'a', 'strong'],
      ['layer 2', 'sat', '75.0\u00a0%', 'a', 'strong'],
    ])
    expect(line).toBe(
      'For [MASK] 3 the output head’s top token is “sat” from layer 1 on; one state earlier it is “on”.',
    )
    expect(table.table.length).toBe(8)
    expect(table.table.row(5)).toEqual(['layer 1', 'a', 0.125])
  })

  it('names the embeddings where they give it already', () => {
    expect(lensAnswers(lensLayers(lens(2, 2), tokenOf), 'the next token').line).toBe(
      'For the next token the output head’s top token is “sat” at every layer, even of the embeddings alone.',
    )
  })
})
