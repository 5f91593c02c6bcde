import { describe, expect, it } from 'vitest'
import type { Prediction } from '../../session/predictions'
import { classChanges, fillChanges, guess, labelCounts, mostMoved } from './model'
import { gap, inSight, tokenWidth } from './positions'
import { isOff, presetOf, presetOff, toggled } from './switches'

const fills = (...of: [string, number][]): Prediction['fills'] =>
  of.map(([token, probability]) => ({
    id: [...token].reduce((id, one) => id * 31 + one.charCodeAt(0), 0),
    token,
    probability,
  }))
const whole: Prediction[] = [{ position: 7, fills: fills(['table', 0.203], ['floor', 0.095], ['sofa', 0.05]) }]

describe('fills before and after', () => {
  it('stand in the order of now, then those that fell out, with what is known of each', () => {
    const now: Prediction[] = [{ position: 7, fills: fills(['table', 0.189], ['bed', 0.12], ['floor', 0.09]) }]
    const [place] = fillChanges(now, whole)
    expect(place?.fills.map(({ token, whole, now }) => [token, whole, now])).toEqual([
      ['table', 0.203, 0.189],
      ['bed', null, 0.12],
      ['floor', 0.095, 0.09],
      ['sofa', 0.05, null],
    ])
    expect(place?.least).toEqual({ whole: 0.05, now: 0.09 })
  })

  it('are as many as there is room for, and those that were among as many before', () => {
    const now = [{ position: 7, fills: fills(['sofa', 0.3], ['door', 0.2], ['table', 0.1]) }]
    const [place] = fillChanges(now, whole, 2)
    expect(place?.fills.map(({ token, whole, now }) => [token, whole, now])).toEqual([
      ['sofa', 0.05, 0.3],
      ['door', null, 0.2],
      ['table', 0.203, 0.1],
      ['floor', 0.095, null],
    ])
    expect(place?.least).toEqual({ whole: 0.05, now: 0.1 })
  })

  it('are each their own where nothing is changed', () => {
    const [place] = fillChanges(whole, whole)
    expect(place?.fills.every(({ whole, now }) => whole === now)).toBe(true)
  })

  it('say whether the best guess stays or turns', () => {
    const stays = fillChanges([{ position: 7, fills: fills(['table', 0.189]) }], whole)
    expect(stays[0] && guess(stays[0])).toEqual({ kind: 'stays', token: 'table', whole: 0.203, now: 0.189 })
    const turns = fillChanges([{ position: 7, fills: fills(['bed', 0.3], ['table', 0.1]) }], whole)
    expect(turns[0] && guess(turns[0])).toEqual({ kind: 'turns', from: 'table', to: 'bed', whole: 0.203, now: 0.3 })
    const untold = fillChanges([{ position: 7, fills: fills(['bed', 0.3]) }], [])
    expect(untold[0] && guess(untold[0])).toBeUndefined()
  })

  it('name the position that is moved most, one that turns first', () => {
    const before = [...whole, { position: 9, fills: fills(['a', 0.5], ['b', 0.45]) }]
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
      { label: 'good', now: 0.6, whole: 0.1 },
      { label: 'bad', now: 0.4, whole: 0.9 },
    ])
    expect(classChanges(now, null).map(({ whole }) => whole)).toEqual([0.6, 0.4])
  })

  it('count the labels of tokens', () => {
    const tokens = ['O', 'LOC', 'O'].map((label, position) => ({ label, position, probability: 1 }))
    expect(labelCounts({ kind: 'tokens', tokens })).toEqual([
      ['O', 2],
      ['LOC', 1],
    ])
  })
})

describe('heads that are off', () => {
  const size = { layers: 2, heads: 3 }
  const chosen = { layer: 1, head: 2 }

  it('are the same change in whichever order they were clicked', () => {
    const one = toggled(toggled([], { layer: 1, head: 0 }), { layer: 0, head: 2 })
    const other = toggled(toggled([], { layer: 0, head: 2 }), { layer: 1, head: 0 })
    expect(one).toEqual(other)
    expect(isOff(one, { layer: 1, head: 0 })).toBe(true)
    expect(toggled(one, { layer: 1, head: 0 })).toEqual([{ layer: 0, head: 2 }])
  })

  it('follow the presets, and tell which one they are', () => {
    for (const preset of ['none', 'head', 'layer'] as const) {
      expect(presetOf(presetOff(preset, chosen, size), chosen, size)).toBe(preset)
    }
    expect(presetOff('layer', chosen, size)).toHaveLength(3)
    expect(presetOf([{ layer: 0, head: 0 }], chosen, size)).toBeUndefined()
  })

  it('are walked with keys and never left', () => {})
})

describe('the row of positions', () => {
  it('shows a short text whole', () => {
    expect(inSight(['[CLS]', 'the', 'dog', '[SEP]'], 1, 400, 2)).toEqual([0, 4])
    expect(inSight([], 0, 400, 2)).toEqual([0, 0])
  })

  it('shows of a long text what fits around the chosen token, also at its ends', () => {
    const tokens = Array.from({ length: 4096 }, () => 'word')
    for (const around of [0, 2000, 4095]) {
      const [from, to] = inSight(tokens, around, 400, 2)
      expect(from).toBeLessThanOrEqual(around)
      expect(to).toBeGreaterThan(around)
      expect((to - from) * (tokenWidth('word', around) + gap)).toBeLessThanOrEqual(2 * (400 + gap))
      expect(to - from).toBeGreaterThan(6)
    }
  })
})
