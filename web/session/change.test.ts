import { describe, expect, it } from 'vitest'
import type { ModelInfo } from '../engine/protocol/protocol'
import { attentionOf, changeKey, changingOf, readChange, runChange, scaleOf, unchanged, type Changing } from './change'
import { decode, defaults } from '../viewstate/codec'

const info = {
  num_hidden_layers: 3,
  num_attention_heads: 8,
  num_key_value_heads: 8,
  head_size: 32,
  attention: 'softmax',
  scale: 0.5,
} as ModelInfo
const all: Changing = {
  offset: 40,
  frozen: [{ layer: 1, head: 2, pairs: [0, 99] }],
  ablated: [{ layer: null, head: null, pairs: [15] }],
  ablatedHeads: [
    { layer: 2, head: 6 },
    { layer: 9, head: 0 },
    { layer: 2, head: 6 },
  ],
  headReplacement: 'mean',
  scaling: '{"rope_type":"linear","factor":2}',
  rotaryValue: true,
  rotatesValues: true,
  logN: 0.5,
  distanceClamp: 0,
  attention: 'linear',
}

describe('a change', () => {
  it('is a text that gives it back, and empty where nothing is changed', () => {
    expect(readChange(changeKey(all))).toEqual(all)
    expect(changeKey(unchanged)).toBe('')
    expect(readChange('')).toEqual(unchanged)
    expect(changeKey(defaults)).toBe('')
    for (const name of Object.keys(all) as (keyof Changing)[]) {
      const one = { ablatedHeads: name === 'headReplacement' ? all.ablatedHeads : [], [name]: all[name] }
      expect(readChange(changeKey(one)), name).toEqual({ ...unchanged, ...one })
    }
  })

  it('is the same in whichever order it is said, and of no heads the same by zero and by their mean', () => {
    const { offset, ...others } = all
    expect(changeKey({ ...others, offset })).toBe(changeKey(all))
    expect(changeKey({ ...unchanged, headReplacement: 'mean' })).toBe('')
    expect(changeKey({ ablatedHeads: all.ablatedHeads, headReplacement: 'mean' })).not.toBe(
      changeKey({ ablatedHeads: all.ablatedHeads }),
    )
  })

  it('is all that a link says of it, and nothing else of the choice', () => {
    const link =
      '#/explorer?off=2.6&offBy=mean&rotaryValue=1&rotatesValues=1&logN=512&reach=64&offset=3&scaling={}&attention=linear&layer=1'
    expect(readChange(changeKey(changingOf(decode(link))))).toEqual({
      ...unchanged,
      ablatedHeads: [{ layer: 2, head: 6 }],
      headReplacement: 'mean',
      rotaryValue: true,
      rotatesValues: true,
      logN: 512,
      distanceClamp: 64,
      offset: 3,
      scaling: '{}',
      attention: 'linear',
    })
  })

  it('is asked of what the model has; what its engine refuses it is told all the same', () => {
    const ablated = { head: null, pairs: [15], kind: 'ablated' }
    expect(runChange(all, info)).toEqual({
      muted: [{ layer: 1, head: 2, pairs: [0], kind: 'frozen' }, ...[0, 1, 2].map((layer) => ({ layer, ...ablated }))],
      ablatedHeads: [{ layer: 2, head: 6 }],
      headReplacement: 'mean',
      ropeScaling: '{"rope_type":"linear","factor":2}',
      rotaryValue: true,
      rotatesValues: true,
      logN: 0.5,
      distanceClamp: 0,
      attention: 'linear',
    })
    expect(runChange(unchanged, info)).toEqual({ muted: [], ablatedHeads: [] })
    expect(runChange({ ...unchanged, headReplacement: 'mean' }, info)).toEqual({ muted: [], ablatedHeads: [] })
    expect(runChange({ ...unchanged, attention: 'softmax' }, info)).toEqual({ muted: [], ablatedHeads: [] })
  })

  it('says how heads weighed values, and what scores were multiplied by', () => {
    const run = (attention: Changing['attention'], own: ModelInfo['attention'], scale: number) => ({
      model: { info: { attention: own, scale, head_size: 4 } },
      changed: changeKey({ attention }),
    })
    expect(attentionOf(run('', 'linear', 1))).toBe('linear')
    expect(attentionOf(run('linear_rotate_first', 'softmax', 0.3))).toBe('linear_rotate_first')
    expect(scaleOf(run('', 'softmax', 0.3))).toBe(0.3)
    expect(scaleOf(run('linear', 'softmax', 0.3))).toBe(1)
    expect(scaleOf(run('softmax', 'linear', 1))).toBe(0.5)
  })
})
