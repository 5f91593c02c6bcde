import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mute, mutedElsewhere, mutedOf, muteOf, preset, presetOf, toggled } from './muted'

const heads = { num_attention_heads: 8, num_key_value_heads: 8 }
const grouped = { num_attention_heads: 8, num_key_value_heads: 2 }
const place = { layer: 2, head: 6 }
const some = (layer: number | null, head: number | null, ...pairs: number[]) => ({ layer, head, pairs })

describe('the muted pairs of a head', () => {
  it('are its own, its layer’s and the model’s', () => {
    const ablated = [some(2, 6, 0, 1), some(2, null, 4), some(null, null, 3, 1), some(2, 5, 9), some(1, null, 8)]
    expect(mutedOf({ frozen: [], ablated }, place, heads)).toEqual({ ablated: [0, 1, 3, 4], frozen: [] })
  })

  it('are cut where they are stopped and cut', () => {
    expect(mutedOf({ frozen: [some(2, 6, 0, 1)], ablated: [some(2, null, 1)] }, place, heads)).toEqual({
      ablated: [1],
      frozen: [0],
    })
  })

  it('stop for all heads that share a key head, and are cut for one alone', () => {
    const muting = { frozen: [some(2, 4, 0)], ablated: [some(2, 4, 1)] }
    expect(mutedOf(muting, place, grouped)).toEqual({ frozen: [0], ablated: [] })
    expect(mutedOf(muting, { layer: 2, head: 3 }, grouped)).toEqual({ frozen: [], ablated: [] })
    expect(mutedOf(muting, place, heads)).toEqual({ frozen: [], ablated: [] })
  })
})

describe('muting', () => {
  it('puts pairs of a head, its layer or the model in the place of what reached it', () => {
    const before = { frozen: [some(2, 6, 7)], ablated: [some(2, 6, 0), some(1, 1, 3)] }
    const after = mute(before, place, heads, [5, 4], { how: 'ablated', where: 'layer' })
    expect(after).toEqual({ frozen: [], ablated: [some(1, 1, 3), some(2, null, 4, 5)] })
    expect(mutedElsewhere(after, place, heads)).toBe(true)
    expect(mute(before, place, heads, [], { how: 'ablated', where: 'all' })).toEqual({
      frozen: [],
      ablated: [some(1, 1, 3)],
    })
  })

  it('leaves exactly what was asked for, however it was before', () => {
    const pairs = fc.uniqueArray(fc.nat(15), { minLength: 1 })
    const layer = fc.option(fc.nat(3))
    const entry = fc.tuple(layer, fc.option(fc.nat(7)), pairs).map(([l, h, p]) => some(l, l === null ? null : h, ...p))
    const how = fc.constantFrom('frozen' as const, 'ablated' as const)
    const where = fc.constantFrom('head' as const, 'layer' as const, 'all' as const)
    const muting = fc.record({ frozen: fc.array(entry), ablated: fc.array(entry) })
    const model = fc.constantFrom(heads, grouped)
    fc.assert(
      fc.property(muting, pairs, how, where, model, (before, pairs, how, where, model) => {
        const after = mute(before, place, model, pairs, { how, where })
        const found = mutedOf(after, place, model)
        expect(found[how]).toEqual([...pairs].sort((a, b) => a - b))
        expect(found[how === 'ablated' ? 'frozen' : 'ablated']).toEqual([])
        const as = muteOf(after, place, model, { how: 'ablated', where: 'head' })
        expect(as).toEqual({ how, where })
      }),
    )
  })

  it('toggles pairs together: some of them muted are all muted first', () => {
    expect(toggled([1], [0, 1])).toEqual([0, 1])
    expect(toggled([0, 1, 5], [0, 1])).toEqual([5])
    expect(toggled([], [3])).toEqual([3])
  })

  it('is as it was last wanted where nothing is muted', () => {
    const input = { how: 'frozen', where: 'all' } as const
    expect(muteOf({ frozen: [], ablated: [] }, place, heads, input)).toEqual(input)
    expect(
      muteOf({ frozen: [some(null, null, 1)], ablated: [] }, place, heads, { how: 'ablated', where: 'head' }),
    ).toEqual(input)
  })
})

describe('presets', () => {
  const order = Array.from({ length: 16 }, (_, pair) => pair)

  it('follow from the model’s number of pairs', () => {
    expect(preset('fast', order)).toEqual([0, 1, 2, 3])
    expect(preset('slow', order)).toEqual([8, 9, 10, 11, 12, 13, 14, 15])
    expect(preset('fast', [0, 1, 2, 3])).toEqual([0, 1])
    expect(preset('none', order)).toEqual([])
  })

  it('go by speed, not by number', () => {
    expect(preset('fast', [3, 2, 1, 0, 7, 6, 5, 4])).toEqual([0, 1, 2, 3])
    expect(preset('slow', [3, 2, 1, 0])).toEqual([0, 1])
  })

  it('are known again', () => {
    for (const which of ['slow', 'fast', 'none'] as const) expect(presetOf(preset(which, order), order)).toBe(which)
    expect(presetOf([0, 1, 2], order)).toBeNull()
  })
})
