import { describe, expect, it } from 'vitest'
import { en } from '../../i18n/en'
import { plainText } from '../../i18n/rich'
import { fine } from '../../charts/sweep/model'
import { waterfall } from './model'
import type { Explained } from './oneScore.svelte'
import { curvesOf, picture, tellOf } from './picture'

/** A score whose curve is highest where `peak` says. */
function explained(query: number, key: number, peak: number | undefined, second?: number): Explained {
  const reach = 32
  const height = (distance: number) => (distance === peak ? 9 : distance === second ? 8.9 : 1)
  const values = Float64Array.from({ length: 2 * reach * fine + 1 }, (_, index) => height(index / fine - reach))
  return {
    shown: {
      head: { layer: 2, head: 6 },
      model: { info: { is_decoder: false } },
      reading: { shown: ['[CLS]', 'and', 'looked', 'at'] },
    },
    query,
    key,
    score: 9,
    weight: 0.5,
    check: { state: 'agrees', by: 0 },
    fall: waterfall([8, 1], [6.28, 62.8]),
    swept: { values, reach },
    single: 0,
    lone: undefined,
    bound: undefined,
  } as unknown as Explained
}

const said = (of: Explained) => {
  const told = tellOf(of, en.score)
  return { ...en.score.headline(told), highest: plainText(en.score.highest(told)) }
}

describe('what is said of a score', () => {
  it('is that the key stands where the curve is highest, only where it does', () => {
    expect(said(explained(2, 1, 1))).toEqual({
      title: 'and 1 is where looked 2 wants its key: one token back.',
      line: 'In head 2.6 their score is 9.00, which gives 0.50 of the row’s weight; pair 0 of 2 does most: +8.00.',
      highest: 'Highest exactly one token back. Only rotation differs.',
    })
    const elsewhere = said(explained(2, 1, -3))
    expect(elsewhere.title).toBe('looked 2 wants this key three tokens ahead; and 1 stands one token back.')
    expect(elsewhere.line).toContain('Three tokens ahead it would be 9.00.')
    expect(elsewhere.highest).toBe('Highest three tokens ahead. Only rotation differs.')
  })

  it('does not make much of a place that is all but as high', () => {
    expect(said(explained(2, 1, 0, 1))).toMatchObject({
      title: 'and 1, one token back, stands almost where looked 2 wants it most.',
      line: expect.stringMatching(/ Highest on the query’s own place: 9\.00\.$/),
    })
  })

  it('claims no place where distance makes no difference', () => {
    expect(said(explained(2, 1, undefined)).title).toBe('In head 2.6, distance means nothing to looked 2 and and 1.')
  })
})

it('both pictures are one to be saved, inside its edges', () => {
  const one = explained(2, 1, 1)
  const curves = curvesOf(one, en)
  expect(curves.peak).toBeUndefined()
  expect(curvesOf(explained(2, 1, 5), en).peak).toBe(5)
  const scene = picture(
    { explained: one, told: tellOf(one, en.score), curves, pair: null, width: 350, upper: 180, lower: 170 },
    en.score,
  )
  for (const mark of scene.marks) if (mark.kind === 'text') expect(mark.y).toBeLessThanOrEqual(scene.height)
  expect(scene.marks.filter((mark) => mark.kind === 'circle')).toHaveLength(1)
})
