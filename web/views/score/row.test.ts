import { describe, expect, it } from 'vitest'
import type { Mark } from '../../charts/marks'
import { scoreAt } from '../../charts/sweep/model'
import { plainText } from '../../i18n/rich'
import type { Run } from '../../session/runs.svelte'
import { pathFrom } from '../../session/walk.svelte'
import { plainHeadline } from '../../testing/outputs'
import { formulaOf, kindOf, type ScoreKind } from './formula'
import { t } from './messages.en'
import { canMove, drawScore, factsOf, planScore, rowCaptionOf } from './picture'
import { explainRow } from './row'
import { tablesOf } from './view'

const queries = [
  [1, 0, 2, 0],
  [0, 1, 0, 1],
  [2, 0, 1, 0],
  [1, 1, 1, 1],
]
const keys = [
  [1, 0, 0, 0],
  [0, 2, 4, 0],
  [-3, 0, 0, 1],
  [2, 2, 1, 1],
]

/** A head of two pairs over four tokens. Its scores are half the products. */
function run(over: { causal?: boolean; source?: number } = {}): Run {
  const scores = queries.map((query) =>
    keys.map((key) => query.reduce((sum, q, at) => sum + 0.5 * q * (key[at] ?? 0), 0)),
  )
  const weights = scores.map((row) => {
    const total = row.reduce((sum, score) => sum + Math.exp(score), 0)
    return row.map((score) => Math.exp(score) / total)
  })
  return {
    id: 1,
    interventions: '',
    head: {
      layer: 1,
      head: 0,
      length: 4,
      query: Float32Array.from(queries.flat()),
      key: Float32Array.from(keys.flat()),
      attention: Float32Array.from(weights.flat()),
    },
    model: {
      info: { head_size: 4, scale: 0.5, attention: 'softmax', is_decoder: over.causal ?? false, adds_positions: true },
    },
    reading: {
      display: ['one', 'two', 'three', 'four'],
      ...(over.source === undefined
        ? {}
        : { pair: { source: new Uint32Array(over.source), text: new Uint32Array(4 - over.source), part: 'cross' } }),
    },
  } as unknown as Run
}

const explained = (of: Run, query: number, key: number) => explainRow(of, { query, key }, pathFrom(of, { query, key }))
const drawn = (of: ReturnType<typeof explained>) => {
  const plan = planScore(of, { width: 350, height: 410, selected: null })
  return { plan, marks: drawScore(of, plan, { selected: null, pointed: {}, walking: undefined }).marks }
}
const texts = (marks: readonly Mark[]) => marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))

describe('a score where nothing rotates', () => {
  it('is the sum of its pairs, and agrees with the weights', () => {
    const { score, waterfall, check, hands } = explained(run(), 2, 1)
    expect(waterfall.steps.map(({ part }) => part)).toEqual([0, 2])
    expect([score, waterfall.tail]).toEqual([2, undefined])
    expect(check.state).toBe('agrees')
    expect(hands[0]).toMatchObject({ pair: 0, theta: 0, query: 2, key: 2, angle: Math.PI / 2 })
  })

  it('has a score for each token of the path, and none between', () => {
    const { path, sweep } = explained(run(), 2, 1)
    expect(path).toEqual([2, 1, 0, -1])
    expect(path.map((distance) => scoreAt(sweep, distance))).toEqual([1, 2, -3, 2.5])
    expect(scoreAt(sweep, 0.5)).toBeNaN()
  })

  it('is compared with the keys that the query sees', () => {
    expect(explained(run({ causal: true }), 2, 1)).toMatchObject({ peak: { distance: 1, score: 2 }, row: { keys: 3 } })
    const masked = explained(run({ causal: true }), 1, 2)
    expect([masked.check.state, canMove(masked)]).toEqual(['masked', false])
    const crossing = explained(run({ source: 2 }), 3, 0)
    expect([crossing.path, crossing.row?.keys]).toEqual([[3, 2], 2])
  })
})

describe('its picture', () => {
  it('has dials of the strongest pairs without angles, and names tokens below the handle', () => {
    const { plan, marks } = drawn(explained(run(), 2, 1))
    expect(plan.dials.map(({ pair }) => pair)).toEqual([1, 0])
    expect(texts(marks)).toEqual(expect.arrayContaining(['pair 1', 'components 2, 3', 'adds +2.00', 'one', 'three']))
    expect(texts(marks).filter((text) => text.includes('°'))).toEqual([])
    const keys = marks.filter((mark) => mark.kind === 'line' && mark.stroke === 'key' && mark.dash === '2 2.5')
    expect(keys).toEqual([])
  })

  it('keeps its axis, its dials and the length of hands while the walk goes on', () => {
    const own = explained(run(), 2, 1)
    const next = explainRow(run(), { query: 2, key: 3 }, own.path)
    const [one, other] = [drawn(own).plan, planScore(next, { width: 350, height: 410, selected: null, chooser: own })]
    expect(other.waterfall.y.domain()).toEqual(one.waterfall.y.domain())
    expect(other.dials.map(({ pair }) => pair)).toEqual(one.dials.map(({ pair }) => pair))
    expect(next.row).toEqual(own.row)
  })

  it('has no curve where the query does not see the key', () => {
    const { marks } = drawn(explained(run({ causal: true }), 1, 2))
    expect(texts(marks)).not.toContain(t().row.title(true))
  })

  it('draws the keys around in a long text, says so, and has all keys in its table', () => {
    const length = 40
    const vectors = new Float32Array(4 * length).map((_, at) => Math.sin(at))
    const long = run()
    Object.assign(long.head, { length, query: vectors, key: vectors, attention: new Float32Array(length ** 2) })
    Object.assign(long.reading, { display: Array.from({ length }, (_, at) => `t${at}`) })
    const of = explained(long, 20, 10)
    expect(of.path.length).toBeLessThan(length)
    expect(texts(drawn(of).marks)).toContain('The same query with the keys of the tokens around')
    expect(texts(drawn(explained(run(), 2, 1)).marks)).toContain('The same query with the key of every token')
    const [, keys] = tablesOf(of)
    expect(keys?.table).toHaveLength(length)
    expect(keys?.table.row(10)).toEqual([10, 't10', of.score])
  })

  it('has a table of the pairs and one of the keys', () => {
    const [pairs, others] = tablesOf(explained(run(), 2, 1))
    expect(pairs?.table.header).toEqual(t().unrotatedHeader)
    expect(others?.table.row(3)).toEqual([3, 'four', 2.5])
  })
})

describe('its sentences', () => {
  const title = (of: ReturnType<typeof explained>) => plainHeadline(t().headline(factsOf(of)))?.title

  it('say which key has the highest score', () => {
    expect(title(explained(run(), 2, 1))).toBe(
      'The score of three 2 and two 1 is 2.00; of 4 keys, that of four 3 has the highest: 2.50.',
    )
    expect(title(explained(run(), 2, 3))).toBe('The score of three 2 and four 3 is 2.50, the highest of 4 keys.')
    expect(title(explained(run({ causal: true }), 1, 2))).toMatch(/but the query does not see this key\.$/)
  })

  it('speak of points only where there are some, and of no largest pairs: a dial may be of the selected one', () => {
    const below = (of: ReturnType<typeof explained>) => plainText(t().highest(factsOf(of)))
    expect(below(explained(run({ causal: true }), 2, 1))).toMatch(/already\. Each point is a token’s own key\.$/)
    expect(below(explained(run({ causal: true }), 1, 2))).toMatch(/already\.$/)
    expect(t().row.help).not.toContain('most')
  })

  it('say what adds most', () => {
    expect(plainText(t().why(factsOf(explained(run(), 2, 1))) ?? '')).toBe(
      'For three 2 and two 1 pair 1, components 2 and 3, adds most: +2.00 of 2.00.',
    )
  })

  it('say of each step of the walk what is measured, and that the token is another one', () => {
    const own = explained(run(), 2, 1)
    const caption = (key: number, of = own) => {
      const present = explainRow(of.run, { query: of.query, key }, of.path)
      return plainText(t().row.caption(rowCaptionOf(of, present)))
    }
    expect(caption(0)).toBe(
      'Two tokens back is one 0: its key scores 1.00, 1.00 below two 1. Another token, at another place.',
    )
    expect(caption(1)).toBe('One token back is two 1: score 2.00. Pair 1 adds most, +2.00.')
    expect(caption(1, explained(run({ source: 2 }), 3, 0))).toMatch(/^In the source is two 1: its key scores/)
  })
})

describe('its formula and its note', () => {
  const note = (kind: ScoreKind) => t().sourceOf(kind)
  const rotated = { rotates: true, attention: 'softmax', factor: undefined } as const

  it('speak of no rotation where positions are added', () => {
    const kind = kindOf(explained(run(), 2, 1))
    expect(kind).toEqual({ ...rotated, rotates: false })
    expect(note(kind)).not.toMatch(/θ|equation|bound/)
    expect(formulaOf(kind)).not.toMatch(/θ|cos/)
  })

  it('are the view’s own where a softmax reads rotated queries and keys', () => {
    expect(formulaOf(rotated)).toBeUndefined()
    expect(t().source).toBe(note(rotated))
  })

  it('speak of no softmax, and have no factor, where attention is linear', () => {
    const linear = { ...rotated, attention: 'linear' } as const
    expect(note(linear)).toMatch(/There is no softmax/)
    expect(note(linear)).not.toMatch(/logarithm/)
    expect(formulaOf(linear)).not.toMatch(/msqrt/)
    expect(note({ ...linear, attention: 'linear_rotate_first' })).toMatch(/differs from it/)
  })

  it('name the factor of a score where it is not 1/√d', () => {
    const of = explained(run(), 2, 1)
    expect(kindOf({ ...of, scale: 0.25 }).factor).toBe(0.25)
    const own = { ...rotated, factor: 0.25 }
    expect(note(own)).toContain('factor s is 0.25')
    expect(formulaOf(own)).not.toMatch(/msqrt/)
  })
})
