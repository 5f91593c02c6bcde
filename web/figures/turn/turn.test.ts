import { beforeAll, describe, expect, it } from 'vitest'
import { openEdition } from '../../i18n/edition.svelte'
import { plainText, type Sentence } from '../../i18n/rich'
import { itemOf } from '../../testing/panelItems'
import { misfits } from '../../testing/misfits'
import { arrowsOf, type Rotated } from './data'
import { drawTurn, moved, planTurn, reach, steps, vectorAt } from './picture'
import body, { tableOf } from './view'

/** Vectors as if they were turned to positions 30 and 10, farther apart than the curve reaches. */
const sweep = Float64Array.from({ length: 2 * 20 * steps + 1 }, (_, at) => at)
const [query, key] = [Float64Array.of(1, 0), Float64Array.of(0, 1)]
const answer = {
  latest: { key: { params: { query, key, m: 30, n: 10, reach: 20 } }, value: { query: key, key: query, sweep } },
} as unknown as Rotated

beforeAll(() => openEdition('en'))

describe('two arrows', () => {
  it('stay in their room, and a vector is read back from where it is drawn', async () => {
    const arrows = arrowsOf(answer, true)
    if (!arrows) throw new Error('no arrows')
    expect(
      await misfits((room) => {
        const plan = planTurn(room.width, room.height)
        expect(vectorAt(plan, plan.x + 0.5 * plan.unit, plan.y - 0.25 * plan.unit)).toEqual([0.5, 0.25])
        expect(Math.hypot(...vectorAt(plan, plan.x + 9999, plan.y))).toBeCloseTo(1)
        return drawTurn(plan, arrows)
      }),
    ).toEqual([])
  })

  it('have a score at their distance, and the curve around 0', () => {
    const arrows = arrowsOf(answer, false)
    expect(arrows?.query).toEqual({ before: [1, 0], after: [0, 1] })
    expect(arrows?.score).toBe(sweep.at(-1))
    expect(arrows?.sweep).toHaveLength(2 * reach * steps + 1)
    expect(arrows?.sweep[reach * steps]).toBe(20 * steps)
    expect(tableOf(sweep).table.row(40)).toEqual([20, sweep.at(-1)])
  })

  it('are dragged and turned at their tips, above the score that they have', () => {
    const params = { angle: 30, qx: 1, qy: 0, kx: 0, ky: 1, pairs: 'neighbours' }
    const output = body.output({ params, width: 820, height: 620 } as never, answer)
    const [key, query] = output.sliders ?? []
    expect([key?.now, query?.now]).toEqual([90, 0])
    expect(query?.keys('left')).toEqual({ params: { qx: 0.996, qy: 0.087 } })
    expect(query?.keys('first')).toBeUndefined()
    const plan = planTurn(820, 620)
    expect(key?.hit(plan.x, plan.y + 0.5 * plan.unit)).toEqual({ params: { kx: 0, ky: -0.5 } })
    expect(key?.box?.y).toBe(plan.y - plan.unit - 14)
    expect(plainText(itemOf(output.below, 'text').text as Sentence)).toContain('query at 30, key at 10: score')
  })

  it('turn by keys, and keep a length above 0', () => {
    const [x, y] = moved([1, 0], { turn: 90 })
    expect([x, y]).toEqual([0, 1])
    expect(Math.hypot(...moved([0.05, 0], { longer: -1 }))).toBeCloseTo(0.05)
  })
})
