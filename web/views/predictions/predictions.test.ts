import { describe, expect, it } from 'vitest'
import type { LensResult } from '../../engine/protocol/protocol'
import { classChanges, fillChanges, guess } from '../../session/guesses'
import { predictedPosition, type Prediction } from '../../session/predictions'
import {
  areSumsOn,
  isAblated,
  isLensOn,
  labelCounts,
  lensLayers,
  presetHeads,
  presetOf,
  settledAt,
  toggled,
  type PredictionInputs,
} from './data'
import { fillAnswers, lensAnswers, verdictAnswers } from './answers'
import { plainHeadline } from '../../testing/outputs'

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

const of = (position: number, ...fills: [number, string, number][]) => ({
  position,
  fills: fills.map(([id, token, probability]) => ({ id, token, probability })),
})
const predictions = [of(7, [1, 'table', 0.203], [2, 'floor', 0.095])]
const siteOf = (id: number) => `probabilities[7,${id}]`
const masked = { change: '', mask: '[MASK]', causal: false, siteOf }
const without = { ...masked, change: 'without head L2·H6' }

describe('answers for masks', () => {
  it('names the best guess and the next ones where nothing is changed', () => {
    const { headline, groups } = fillAnswers(fillChanges(predictions, predictions)[0], masked)
    expect(plainHeadline(headline)).toEqual({
      title: 'The guess for [MASK] 7 is “table”: 20.3\u00a0%.',
      line: 'Then “floor” 9.5\u00a0%.',
    })
    expect(headline?.title).toContainEqual({ site: siteOf(1), text: '20.3\u00a0%' })
    expect(headline?.line).toContainEqual({ site: siteOf(2), text: '9.5\u00a0%' })
    expect(groups[0]?.rows.map(({ sites }) => sites)).toEqual([[siteOf(1)], [siteOf(2)]])
    expect(groups[0]?.rows.map(({ name, numbers, before }) => [name, numbers, before])).toEqual([
      ['table', ['20.3\u00a0%'], undefined],
      ['floor', ['9.5\u00a0%'], undefined],
    ])
  })

  it('says what a change does to it: it stays', () => {
    const { headline, groups } = fillAnswers(
      fillChanges([of(7, [1, 'table', 0.189], [3, 'bed', 0.1])], predictions)[0],
      without,
    )
    expect(plainHeadline(headline)).toEqual({
      title: 'Without head L2·H6 the guess for [MASK] 7 stays “table”: 20.3 → 18.9\u00a0%.',
      line: 'No other guess moves by as much as 0.1 points.',
    })
    expect(groups[0]?.rows.map(({ numbers }) => numbers)).toEqual([
      ['20.3\u00a0%', '18.9\u00a0%', '−1.4'],
      ['< 9.5\u00a0%', '10.0\u00a0%', ''],
      ['9.5\u00a0%', '< 10.0\u00a0%', ''],
    ])
    // The number before the change is of another run, and one that is not known has no site.
    expect(groups[0]?.rows.map(({ sites }) => sites)).toEqual([
      [undefined, siteOf(1)],
      [undefined, siteOf(3)],
      undefined,
    ])
  })

  it('says that nothing moves where it does not', () => {
    expect(plainHeadline(fillAnswers(fillChanges(predictions, predictions)[0], without).headline)?.line).toBe(
      'No other guess moves by as much as 0.1 points.',
    )
  })

  it('names the other guess that moves most', () => {
    const now = [of(7, [1, 'table', 0.268], [2, 'floor', 0.113])]
    expect(plainHeadline(fillAnswers(fillChanges(now, predictions)[0], without).headline)?.line).toBe(
      'Of the others “floor” moves most: 9.5 → 11.3\u00a0%, +1.8 points.',
    )
  })

  it('says what a change does to it: it turns', () => {
    const { headline } = fillAnswers(fillChanges([of(7, [3, 'bed', 0.3], [1, 'table', 0.1])], predictions)[0], without)
    expect(plainHeadline(headline)).toEqual({
      title: 'Without head L2·H6 the guess for [MASK] 7 turns from “table” to “bed”.',
      line: 'Before, “table” had 20.3\u00a0%; now “bed” has 30.0\u00a0%.',
    })
  })

  it('says of a causal model what comes next, and of no mask that there is none', () => {
    const causal = { ...masked, causal: true }
    expect(plainHeadline(fillAnswers(fillChanges(predictions, predictions)[0], causal).headline)?.title).toBe(
      'The model expects “table” next: 20.3\u00a0%.',
    )
    expect(plainHeadline(fillAnswers(undefined, masked).headline)?.title).toBe('No token is masked.')
    expect(fillAnswers(undefined, causal).headline).toBeUndefined()
  })

  it('has every fill in its table, and says which are not known', () => {
    const [{ table } = { table: undefined }] = fillAnswers(
      fillChanges([of(7, [3, 'bed', 0.1])], predictions)[0],
      without,
    ).tables
    expect(table?.length).toBe(3)
    expect(table?.row(0)).toEqual([7, 'bed', 'not among the first', 0.1])
    expect(table?.row(1)).toEqual([7, 'table', 0.203, 'not among the first'])
    expect([table?.siteOf?.(0, 3), table?.siteOf?.(0, 2), table?.siteOf?.(1, 3)]).toEqual([
      siteOf(3),
      undefined,
      undefined,
    ])
  })
})

describe('a quotation mark', () => {
  it('is legible between quotation marks', () => {
    const place = of(7, [4, '"', 0.5])
    expect(
      plainHeadline(fillAnswers(fillChanges([place], [place])[0], { ...masked, causal: true }).headline)?.title,
    ).toBe('The model expects ‘"’ next: 50.0\u00a0%.')
  })
})

describe('what is open by itself', () => {
  const run = { model: { info: { predicts_tokens: true, num_hidden_layers: 12 } } } as PredictionInputs['run']
  const at = (width: number, height: number, lens: 'auto' | 'off' | 'on' = 'auto') => {
    const inputs = { run, params: { lens, sums: lens }, width, height }
    return [isLensOn(inputs), areSumsOn(inputs)]
  }

  it('is what has room: the layers first, then the sums', () => {
    expect(at(400, 900)).toEqual([false, false])
    expect(at(950, 440)).toEqual([true, false])
    expect(at(950, 700)).toEqual([true, true])
    expect(at(1500, 440)).toEqual([true, true])
  })

  it('is what the visitor sets', () => {
    expect(at(400, 300, 'on')).toEqual([true, true])
    expect(at(1500, 900, 'off')).toEqual([false, false])
  })
})

describe('answers of other models', () => {
  it('is the class, before and after a change', () => {
    const now = { kind: 'classes' as const, classes: [{ label: 'good', probability: 0.6 }] }
    const before = { kind: 'classes' as const, classes: [{ label: 'good', probability: 0.8 }] }
    expect(plainHeadline(verdictAnswers(now, now, [], '').headline)?.title).toBe('The model says good: 60.0\u00a0%.')
    expect(plainHeadline(verdictAnswers(now, before, [], 'without layer 2').headline)?.title).toBe(
      'Without layer 2 the model says good: 80.0 → 60.0\u00a0%.',
    )
  })

  it('is how many tokens have which label, and where an answer lies', () => {
    const tokens = ['O', 'LOC', 'O'].map((label, position) => ({ label, position, probability: 0.9 }))
    expect(plainHeadline(verdictAnswers({ kind: 'tokens', tokens }, null, ['a', 'b', 'c'], '').headline)?.title).toBe(
      'Of 3 tokens 2 are O and 1 is LOC.',
    )
    expect(
      plainHeadline(verdictAnswers({ kind: 'answer', start: 1, end: 2 }, null, ['a', 'b', 'c'], '').headline)?.title,
    ).toBe('The answer starts at b 1 and ends at c 2.')
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
      ['input', 'a-very-long…', '0\u00a0%', 'a', undefined],
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
