import { describe, expect, it } from 'vitest'
import { contextExtensions, type ContextExtensionName } from '../../engine/protocol/mathematics'
import { itemOf, misfits } from '../../testing/outputs'
import { longRopeHead, quantities } from '.'
import { countsOf, newAngles, reachesOf, stretchedOf, unturned, waysOf, type Stretched } from './picture'
import { t } from './messages.en'
import * as module from './view'

const scores = Float64Array.from({ length: 1025 }, (_, at) => Math.cos(at / 40))
const before = { theta: Float64Array.of(1, 0.1, 0.01, 1), scores }
const after = { theta: Float64Array.of(1, 0.05, 0.0025, 1.2), scores }

const paramsOf = (...ways: ContextExtensionName[]) => ({ ways: ['trained' as const, ...ways], context: 512, factor: 4 })
const stretched = (ways: ContextExtensionName[], answers: (typeof before)[]): Stretched => {
  const all = stretchedOf(paramsOf(...ways), answers)
  if (!all) throw new Error('no answers')
  return all
}

describe('stretched ropes', () => {
  it('count unchanged, blended and divided pairs, and those that stand still', () => {
    const { theta, ways } = stretched(['yarn', 'longrope', 'clamp'], [before, after, after, before])
    expect(ways[0]?.magnitude).toBe(1.2)
    const [yarn, searched, clamped] = ways.map((way) => countsOf(way, 4))
    expect([yarn, clamped]).toEqual(['keeps 1 pair, blends 1, divides 1', t().unchanged])
    expect(searched).toMatch(/1\.00 to 4\.00$/)
    const [still] = stretched(['partial'], [before, { ...before, theta: Float64Array.of(1, 0, 0, 1) }]).ways
    expect(still && countsOf(still, 1)).toBe(t().still(2))
    expect(unturned(theta, 100)).toBe(1)
    expect(stretchedOf(paramsOf('yarn'), [])).toBeUndefined()
  })

  it('are of the ways that fit a head, in their order', () => {
    expect(waysOf(['llama', 'trained', 'nothing', 'ntk', 'longrope'], 64)).toEqual(['ntk', 'llama'])
    expect(waysOf(['longrope'], longRopeHead)).toEqual(['longrope'])
  })

  it('are compared up to the most that have a dash of their own, the oldest leaves', () => {
    const toggled = (ways: string[], at: number) => {
      const params = { quantity: 'ratio', ways }
      const { above } = module
        .output({ bench: { choice: { headSize: 64 } }, params } as never, {} as never)
        .pictureFor(undefined)
      return itemOf(above, 'buttons').buttons[at]
    }
    const six = ['interpolation', 'ntk', 'dynamic', 'yarn', 'yarnCode', 'llama']
    expect(toggled(six, 0)).toMatchObject({ pressed: true, to: { params: { ways: six.slice(1) } } })
    const partial = contextExtensions.slice(1).indexOf('partial')
    expect(toggled(six, partial)).toMatchObject({
      pressed: false,
      to: { params: { ways: [...six.slice(1), 'partial'] } },
    })
    expect(toggled(['longrope'], contextExtensions.slice(1).indexOf('longrope'))).toMatchObject({
      pressed: false,
      disabled: true,
    })
  })

  it('bring angles that training had not, unless frequencies are divided or distances clamped', () => {
    const slow = { theta: Float64Array.of(1, 0.01, 0.001, 1), scores }
    const divided = { theta: Float64Array.of(0.25, 0.0025, 0.00025, 1), scores }
    const ropes = stretched(['interpolation', 'clamp'], [slow, divided, slow])
    const [interpolation, clamp] = ropes.ways
    expect(newAngles(reachesOf(ropes, undefined))).toBe(2)
    expect(newAngles(reachesOf(ropes, interpolation))).toBe(0)
    expect(newAngles(reachesOf(ropes, clamp))).toBe(0)
    expect(reachesOf(ropes, clamp)[2]?.stretched).toBeCloseTo(0.128)
  })

  it('stay in their room, whatever is drawn of them, and are published by pair and by distance', async () => {
    const many: ContextExtensionName[] = ['yarn', 'yarnCode', 'llama', 'partial', 'proportional', 'clamp']
    for (const ways of [['yarn' as const], many]) {
      const latest = {
        request: { params: { ...paramsOf(...ways), headSize: 6, base: 10_000 } },
        value: [before, ...ways.map(() => after)],
      }
      const output = (quantity: string, room: object) =>
        module
          .output(
            { bench: { choice: { headSize: 6 } }, params: { quantity, ways }, ...room } as never,
            { latest } as never,
          )
          .pictureFor(undefined)
      for (const quantity of quantities)
        expect(await misfits((room) => output(quantity, room).scene ?? { ...room, marks: [] })).toEqual([])
      const published = output('ratio', { width: 820, height: 620 }).published
      expect(published?.subject).toBe('6-10000-4')
      const [ratios, byDistance] = published?.tables ?? []
      expect(ratios?.table.row(3)).toEqual([t().magnitude, ...ways.map(() => 1.2)])
      expect(byDistance?.table.row(1024).slice(0, 2)).toEqual([2048, scores[1024]])
    }
  })
})
