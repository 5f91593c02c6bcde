import { describe, expect, it } from 'vitest'
import { fillChanges } from './model'
import { tellCandidates, tellFills, tellVerdict } from './tell'

const of = (position: number, ...fills: [number, string, number][]) => ({
  position,
  fills: fills.map(([id, token, probability]) => ({ id, token, probability })),
})
const whole = [of(7, [1, 'table', 0.203], [2, 'floor', 0.095])]
const masked = { change: '', mask: '[MASK]', causal: false }
const without = { ...masked, change: 'without head 2.6' }

describe('what is told of fills', () => {
  it('names the best guess and the next ones where nothing is changed', () => {
    const { headline, groups } = tellFills(fillChanges(whole, whole), masked)
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
    const { headline, groups } = tellFills(fillChanges([of(7, [1, 'table', 0.189], [3, 'bed', 0.1])], whole), without)
    expect(headline).toEqual({
      title: 'Without head 2.6 the guess for [MASK] 7 stays table: 20.3 → 18.9\u00a0%.',
      line: 'No other guess moves by as much as 0.1 points.',
    })
    expect(groups[0]?.rows.map(({ numbers }) => numbers)).toEqual([
      ['20.3\u00a0%', '18.9\u00a0%', '−1.4'],
      ['< 9.5\u00a0%', '10.0\u00a0%', ''],
      ['9.5\u00a0%', '< 10.0\u00a0%', ''],
    ])
  })

  it('says that nothing moves where it does not', () => {
    expect(tellFills(fillChanges(whole, whole), without).headline?.line).toBe(
      'No other guess moves by as much as 0.1 points.',
    )
  })

  it('names the other guess that moves most', () => {
    const now = [of(7, [1, 'table', 0.268], [2, 'floor', 0.113])]
    expect(tellFills(fillChanges(now, whole), without).headline?.line).toBe(
      'Of the others floor moves most: 9.5 → 11.3\u00a0%, +1.8 points.',
    )
  })

  it('says what a change does to it: it turns', () => {
    const { headline } = tellFills(fillChanges([of(7, [3, 'bed', 0.3], [1, 'table', 0.1])], whole), without)
    expect(headline).toEqual({
      title: 'Without head 2.6 the guess for [MASK] 7 turns from table to bed.',
      line: 'With nothing changed table had 20.3\u00a0%; now bed has 30.0\u00a0%.',
    })
  })

  it('says of a causal model what comes next, and of no mask that there is none', () => {
    const causal = { ...masked, causal: true }
    expect(tellFills(fillChanges(whole, whole), causal).headline?.title).toBe(
      'The model expects table next: 20.3\u00a0%.',
    )
    expect(tellFills([], masked).headline?.title).toBe('No token is masked.')
    expect(tellFills([], causal).headline).toBeUndefined()
  })

  it('has every fill in its table, and says which are not known', () => {
    const [{ table } = { table: undefined }] = tellFills(fillChanges([of(7, [3, 'bed', 0.1])], whole), without).tables
    expect(table?.length).toBe(3)
    expect(table?.row(0)).toEqual([7, 'bed', 'not among the first', 0.1])
    expect(table?.row(1)).toEqual([7, 'table', 0.203, 'not among the first'])
  })
})

describe('what is told of other models', () => {
  it('is what may come next before and after the settings', () => {
    const candidates = [
      { id: 5, before: 0.2, after: 0.5 },
      { id: 6, before: 0.1, after: 0 },
    ]
    const { rows, table } = tellCandidates(candidates, (id) => `t${id}`, 5)
    expect(rows.map(({ name, value, before, weight }) => [name, value, before, weight])).toEqual([
      ['t5', 0.5, 0.2, 'strong'],
      ['t6', 0, 0.1, 'faint'],
    ])
    expect(table.table.row(1)).toEqual(['t6', 0.1, 0])
  })

  it('is the class, before and after a change', () => {
    const now = { kind: 'classes' as const, classes: [{ label: 'good', probability: 0.6 }] }
    const before = { kind: 'classes' as const, classes: [{ label: 'good', probability: 0.8 }] }
    expect(tellVerdict(now, now, [], '').headline?.title).toBe('The model says good: 60.0\u00a0%.')
    expect(tellVerdict(now, before, [], 'without layer 2').headline?.title).toBe(
      'Without layer 2 the model says good: 80.0 → 60.0\u00a0%.',
    )
  })

  it('is how many tokens have which label, and where an answer lies', () => {
    const tokens = ['O', 'LOC', 'O'].map((label, position) => ({ label, position, probability: 0.9 }))
    expect(tellVerdict({ kind: 'tokens', tokens }, null, ['a', 'b', 'c'], '').headline?.title).toBe(
      'Of 3 tokens 2 are O and 1 is LOC.',
    )
    expect(tellVerdict({ kind: 'answer', start: 1, end: 2 }, null, ['a', 'b', 'c'], '').headline?.title).toBe(
      'The answer starts at b 1 and ends at c 2.',
    )
  })
})
