import { describe, expect, it } from 'vitest'
import { changed, headsNamed } from './en/changed'

const none = { offset: 0, stop: [], cut: [], off: [] }
const layer = (of: number) => Array.from({ length: 8 }, (_, head) => ({ layer: of, head }))

describe('what is changed in the model', () => {
  it('names a few heads, a whole layer as one, and counts many', () => {
    expect(headsNamed([{ layer: 2, head: 6 }], 8)).toBe('head 2.6')
    expect(headsNamed([...layer(0).slice(0, 2), { layer: 2, head: 6 }], 8)).toBe('heads 0.0, 0.1 and 2.6')
    expect(headsNamed(layer(2), 8)).toBe('layer 2')
    expect(headsNamed([...layer(2).slice(1), { layer: 3, head: 0 }], 8)).toBe('8 heads')
    expect(headsNamed([{ layer: 0, head: 0 }], 1)).toBe('head 0.0')
  })

  it('says every change, and nothing of none', () => {
    expect(changed(none, 8)).toBe('')
    expect(changed({ ...none, offset: 1 }, 8)).toBe('shifted by 1 position')
    expect(changed({ ...none, offset: 10_000, off: [{ layer: 2, head: 6 }] }, 8)).toBe(
      'without head 2.6, shifted by 10,000 positions',
    )
    expect(changed({ ...none, cut: [{ layer: 2, head: 6, pairs: [0, 1, 2, 3] }] }, 8)).toBe(
      'with 4 pairs of head 2.6 cut out',
    )
    expect(changed({ ...none, stop: [{ layer: null, head: null, pairs: [15] }] }, 8)).toBe(
      'with pair 15 of all heads stopped',
    )
  })
})
