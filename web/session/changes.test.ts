import { describe, expect, it } from 'vitest'
import { unchanged } from './change'
import { changed, headsNamed } from './changes'

const none = unchanged
const layer = (of: number) => Array.from({ length: 8 }, (_, head) => ({ layer: of, head }))

describe('what is changed in the model', () => {
  it('names a few heads, a whole layer as one, and counts many', () => {
    expect(headsNamed([{ layer: 2, head: 6 }], 8)).toBe('head L2·H6')
    expect(headsNamed([...layer(0).slice(0, 2), { layer: 2, head: 6 }], 8)).toBe('heads L0·H0, L0·H1 and L2·H6')
    expect(headsNamed(layer(2), 8)).toBe('layer 2')
    expect(headsNamed([...layer(2).slice(1), { layer: 3, head: 0 }], 8)).toBe('8 heads')
    expect(headsNamed([{ layer: 0, head: 0 }], 1)).toBe('head L0·H0')
  })

  it('says every change, and nothing of none', () => {
    expect(changed(none, 8)).toBe('')
    expect(changed({ ...none, offset: 1 }, 8)).toBe('shifted by 1 position')
    expect(changed({ ...none, offset: 10_000, ablatedHeads: [{ layer: 2, head: 6 }] }, 8)).toBe(
      'without head L2·H6, shifted by 10,000 positions',
    )
    expect(changed({ ...none, ablated: [{ layer: 2, head: 6, pairs: [0, 1, 2, 3] }] }, 8)).toBe(
      'with 4 pairs of head L2·H6 ablated',
    )
    expect(changed({ ...none, frozen: [{ layer: null, head: null, pairs: [15] }] }, 8)).toBe(
      'with pair 15 of all heads frozen',
    )
    const ablatedHeads = [{ layer: 2, head: 6 }]
    expect(changed({ ...none, ablatedHeads, headReplacement: 'mean' }, 8)).toBe('with the mean in place of head L2·H6')
    expect(changed({ ...none, ablatedHeads: layer(2), headReplacement: 'mean' }, 8)).toBe(
      'with the mean in place of layer 2',
    )
    expect(changed({ ...none, headReplacement: 'mean' }, 8)).toBe('')
    expect(changed({ ...none, rotaryValue: true, rotatesValues: true, logN: 512, distanceClamp: 1000 }, 8)).toBe(
      'with values rotated (rotary_value), with values rotated and rotated back (RoVE), with log-n scaling, n = 512, with distances clamped to 1,000',
    )
    expect(changed({ ...none, attention: 'linear_rotate_first' }, 8)).toBe('with linear attention, rotated before φ')
    expect(changed({ ...none, logN: 0.5, distanceClamp: 0 }, 8)).toBe(
      'with log-n scaling, n = 0.50, with distances clamped to 0',
    )
  })

  it('says of a rope’s scaling a short name and a number, whatever a link holds', () => {
    const text = (scaling: string) => changed({ ...none, scaling }, 8)
    expect(text('{"rope_type":"yarn","factor":4}')).toBe('with yarn RoPE scaling, factor 4')
    expect(text('{"type":"linear","factor":1.5}')).toBe('with linear RoPE scaling, factor 1.50')
    for (const hostile of ['{', 'null', '7', '[]', '{"rope_type":7}', '{"rope_type":"<b>bold</b>"}']) {
      expect(text(hostile)).toBe('with another RoPE scaling')
    }
    expect(text(`{"rope_type":"${'x'.repeat(4000)}","factor":1e999}`)).toBe('with another RoPE scaling')
  })
})
