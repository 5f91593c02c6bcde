import { describe, expect, it } from 'vitest'
import { changed, flatLabels } from './change'
import type { WasmEngine } from './surface'

/** What the WASM is told. */
const told = (...[change, labels, beyondLength]: [Parameters<typeof changed>[1]?, Int32Array?, boolean?]) => {
  let heard: unknown[] = []
  const engine = { change: (...args: unknown[]) => void (heard = args) } as unknown as WasmEngine
  changed(engine, change, labels, beyondLength)
  return heard
}
const all = 4294967295
const none = 4294967294

describe('a change', () => {
  it('that is none changes nothing', () => {
    const none = [undefined, undefined]
    expect(told()).toEqual([
      new Uint32Array(),
      new Uint32Array(),
      new Int32Array(),
      '',
      false,
      false,
      ...none,
      false,
      '',
    ])
  })

  it('is told pair by pair and head by head', () => {
    const change = {
      muted: [
        { layer: 2, head: 6, pairs: [0, 3], fate: 'stop' as const },
        { layer: 1, head: null, pairs: [5], fate: 'cut' as const },
      ],
      off: [{ layer: 0, head: 1 }],
      offBy: 'mean' as const,
      ropeScaling: '{"rope_type":"linear","factor":2}',
      rotaryValue: true,
      rotatesValues: true,
      logN: 0.5,
      reach: 0,
      attention: 'linear' as const,
    }
    expect(told(change, Int32Array.of(4), true)).toEqual([
      Uint32Array.of(2, 6, 0, 0, 2, 6, 3, 0, 1, all, 5, 1),
      Uint32Array.of(0, 1, 1),
      Int32Array.of(4),
      '{"rope_type":"linear","factor":2}',
      true,
      true,
      0.5,
      0,
      true,
      'linear',
    ])
  })

  it('with numbers that are no indices names what no model has, never all heads', () => {
    const muted = [{ layer: 0.5, head: -1, pairs: [Number.NaN, 2 ** 40], fate: 'stop' as const }]
    expect(told({ muted, off: [{ layer: -7, head: all }] }).slice(0, 2)).toEqual([
      Uint32Array.of(none, none, none, 0, none, none, none, 0),
      Uint32Array.of(none, none, 0),
    ])
    for (const reach of [-1, 0.5, Number.NaN, 2 ** 40]) {
      expect(() => told({ reach })).toThrow(expect.objectContaining({ code: 'invalid-distance' }))
    }
    expect(flatLabels([3, null, -2, 1.5])).toEqual(Int32Array.of(3, -1, 2147483647, 2147483647))
  })
})
