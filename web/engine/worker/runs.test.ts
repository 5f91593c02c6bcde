import { describe, expect, it } from 'vitest'
import { changeOf, flatLabels } from './handlers/runs'
import type { Change } from '../protocol/protocol'
import type { WasmEngine } from './handler'

/** The arguments of the WASM's constructor of changes. */
const argumentsOf = (change: Change = {}, labels?: Int32Array, beyondLength = false) => {
  let received: unknown[] = []
  const engine = { change: (...args: unknown[]) => void (received = args) } as unknown as WasmEngine
  changeOf(engine, { change, beyondLength }, labels)
  return received
}
const none = 4294967294

describe('a change', () => {
  it('that is none changes nothing', () => {
    expect(argumentsOf()).toEqual([[], new Int32Array(), '', false, undefined, false])
  })

  it('is a site and a replacement for each pair and head', () => {
    const change = {
      muted: [
        { layer: 2, head: 6, pairs: [0, 3], kind: 'frozen' as const },
        { layer: 1, head: null, pairs: [5], kind: 'ablated' as const },
      ],
      ablatedHeads: [{ layer: 0, head: 1 }],
      headReplacement: 'mean' as const,
      neuronsOff: [
        { layer: 2, neuron: 17 },
        { layer: 1, neuron: null },
      ],
      numbers: ['hidden_states.2[4,17]=-0.5'] as const,
      ropeScaling: '{"rope_type":"linear","factor":2}',
      rotaryValue: true,
      rotatesValues: true,
      logN: 0.5,
      distanceClamp: 0,
      attention: 'linear' as const,
    }
    expect(argumentsOf(change, Int32Array.of(4), true)).toEqual([
      [
        'layer.2.query.rotated[6,*,p0]=frozen',
        'layer.2.query.rotated[6,*,p3]=frozen',
        'layer.1.query.rotated[*,*,p5]=zero',
        'layer.0.head[1,*,*]=mean',
        'ffn.2[*,17]=zero',
        'ffn.1[*,*]=zero',
        'hidden_states.2[4,17]=-0.5',
        'layer.*.value=rotated',
        'layer.*.query.rotated=log-n:0.5',
        'layer.*.score=clamp:0',
      ],
      Int32Array.of(4),
      '{"rope_type":"linear","factor":2}',
      true,
      'linear',
      true,
    ])
  })

  it('with numbers that are no indices names what no model has, never all heads', () => {
    const muted = [{ layer: 0.5, head: -1, pairs: [Number.NaN, 2 ** 40], kind: 'frozen' as const }]
    expect(argumentsOf({ muted, ablatedHeads: [{ layer: -7, head: 2 ** 32 - 1 }] })[0]).toEqual([
      ...[none, none].map((pair) => `layer.${none}.query.rotated[${none},*,p${pair}]=frozen`),
      `layer.${none}.head[${none},*,*]=zero`,
    ])
    for (const distanceClamp of [-1, 0.5, Number.NaN, 2 ** 40]) {
      expect(() => argumentsOf({ distanceClamp })).toThrow(expect.objectContaining({ code: 'invalid-distance' }))
    }
    expect(flatLabels([3, null, -2, 1.5])).toEqual(Int32Array.of(3, -1, 2147483647, 2147483647))
  })
})
