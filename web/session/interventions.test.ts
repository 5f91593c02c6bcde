import { describe, expect, it } from 'vitest'
import type { ModelInfo } from '../engine/protocol/protocol'
import {
  attentionOf,
  interventionsText,
  interventionsOf,
  parseInterventions,
  existingChange,
  interventionsForRun,
  isExplained,
  scaleOf,
  noInterventions,
  type Interventions,
  changeInWords,
  headsNamed,
} from './interventions'
import { decode, defaults } from '../viewstate/codec'

const info = {
  num_hidden_layers: 3,
  num_attention_heads: 8,
  num_key_value_heads: 8,
  head_size: 32,
  hidden_size: 256,
  embedding_size: 128,
  intermediate_size: 512,
  attention: 'softmax',
  scale: 0.5,
} as ModelInfo
const all: Interventions = {
  offset: 40,
  frozen: [{ layer: 1, head: 2, pairs: [0, 99] }],
  ablated: [{ layer: null, head: null, pairs: [15] }],
  ablatedHeads: [
    { layer: 2, head: 6 },
    { layer: 9, head: 0 },
    { layer: 2, head: 6 },
  ],
  headReplacement: 'mean',
  neuronsOff: [
    { layer: 1, neuron: 511 },
    { layer: 1, neuron: 512 },
    { layer: 3, neuron: null },
    { layer: 1, neuron: 511 },
  ],
  numbers: ['hidden_states.3[1,255]=0.5', 'hidden_states.4[1,2]=1', 'ffn.2[9,2]=1'],
  scaling: '{"rope_type":"linear","factor":2}',
  rotaryValue: true,
  rotatesValues: true,
  logN: 0.5,
  distanceClamp: 0,
  attention: 'linear',
}

describe('a change', () => {
  it('is a text that gives it back, and empty where nothing is changed', () => {
    expect(parseInterventions(interventionsText(all))).toEqual(all)
    expect(interventionsText(noInterventions)).toBe('')
    expect(parseInterventions('')).toEqual(noInterventions)
    expect(interventionsText(defaults)).toBe('')
    for (const name of Object.keys(all) as (keyof Interventions)[]) {
      const one = { ablatedHeads: name === 'headReplacement' ? all.ablatedHeads : [], [name]: all[name] }
      expect(parseInterventions(interventionsText(one)), name).toEqual({ ...noInterventions, ...one })
    }
  })

  it('is the same in whichever order it is said, and of no heads the same by zero and by their mean', () => {
    const { offset, ...others } = all
    expect(interventionsText({ ...others, offset })).toBe(interventionsText(all))
    expect(interventionsText({ ...noInterventions, headReplacement: 'mean' })).toBe('')
    expect(interventionsText({ ablatedHeads: all.ablatedHeads, headReplacement: 'mean' })).not.toBe(
      interventionsText({ ablatedHeads: all.ablatedHeads }),
    )
  })

  it('is all that a link says of it, and nothing else of the choice', () => {
    const link =
      '#/explorer?off=2.6&offBy=mean&rotaryValue=1&rotatesValues=1&logN=512&reach=64&offset=3&scaling={}&attention=linear&layer=1'
    expect(parseInterventions(interventionsText(interventionsOf(decode(link))))).toEqual({
      ...noInterventions,
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
    expect(interventionsForRun(all, info)).toEqual({
      muted: [{ layer: 1, head: 2, pairs: [0], kind: 'frozen' }, ...[0, 1, 2].map((layer) => ({ layer, ...ablated }))],
      ablatedHeads: [{ layer: 2, head: 6 }],
      headReplacement: 'mean',
      neuronsOff: [{ layer: 1, neuron: 511 }],
      numbers: ['hidden_states.3[1,255]=0.5', 'ffn.2[9,2]=1'],
      ropeScaling: '{"rope_type":"linear","factor":2}',
      rotaryValue: true,
      rotatesValues: true,
      logN: 0.5,
      distanceClamp: 0,
      attention: 'linear',
    })
    expect(interventionsForRun(noInterventions, info)).toEqual({ muted: [], ablatedHeads: [] })
    expect(interventionsForRun({ ...noInterventions, headReplacement: 'mean' }, info)).toEqual({
      muted: [],
      ablatedHeads: [],
    })
    expect(interventionsForRun({ ...noInterventions, attention: 'softmax' }, info)).toEqual({
      muted: [],
      ablatedHeads: [],
    })
  })

  it('puts numbers in places that the model and the text have', () => {
    const numbers = [
      'embeddings[*,127]=1',
      'layer.*.head[7,3,31]=1',
      'layer.2.value[7,3,31]=1',
      'layer.2.residual[3,255]=1',
      'ffn.*[3,511]=1',
    ] as const
    const outside = [
      'embeddings[*,128]=1',
      'layer.0.head[8,3,31]=1',
      'layer.3.value[0,3,0]=1',
      'layer.0.key[0,3,32]=1',
      'layer.2.residual[3,256]=1',
      'ffn.0[3,512]=1',
      'ffn.0[4,0]=1',
    ] as const
    const change = { ...noInterventions, numbers: [...numbers, ...outside], neuronsOff: all.neuronsOff }
    expect(interventionsForRun(change, info, info, 4).numbers).toEqual(numbers)
    expect(interventionsForRun(change, info).numbers).toEqual([...numbers, 'ffn.0[4,0]=1'])
    // Of an encoder–decoder the decoder counts, whichever part is selected.
    const deeper = { ...info, num_hidden_layers: 4 }
    expect(interventionsForRun(change, info, deeper).neuronsOff).toEqual([
      { layer: 1, neuron: 511 },
      { layer: 3, neuron: null },
    ])
    expect(existingChange(change, info)).toMatchObject({
      neuronsOff: [{ layer: 1, neuron: 511 }],
      numbers: [...numbers, 'ffn.0[4,0]=1'],
    })
  })

  it('leaves explanations where it puts numbers and switches neurons off', () => {
    expect(isExplained(interventionsText({ neuronsOff: [{ layer: 0, neuron: 1 }], numbers: ['ffn.0[0,0]=1'] }))).toBe(
      true,
    )
    expect(isExplained(interventionsText({ ablatedHeads: [{ layer: 0, head: 1 }] }))).toBe(false)
  })

  it('says how heads weighed values, and what scores were multiplied by', () => {
    const run = (attention: Interventions['attention'], own: ModelInfo['attention'], scale: number) => ({
      model: { info: { attention: own, scale, head_size: 4 } },
      interventions: interventionsText({ attention }),
    })
    expect(attentionOf(run('', 'linear', 1))).toBe('linear')
    expect(attentionOf(run('linear_rotate_first', 'softmax', 0.3))).toBe('linear_rotate_first')
    expect(scaleOf(run('', 'softmax', 0.3))).toBe(0.3)
    expect(scaleOf(run('linear', 'softmax', 0.3))).toBe(1)
    expect(scaleOf(run('softmax', 'linear', 1))).toBe(0.5)
  })
})

const none = noInterventions
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
    expect(changeInWords(none, 8)).toBe('')
    expect(changeInWords({ ...none, offset: 1 }, 8)).toBe('shifted by 1 position')
    expect(changeInWords({ ...none, offset: 10_000, ablatedHeads: [{ layer: 2, head: 6 }] }, 8)).toBe(
      'without head L2·H6, shifted by 10,000 positions',
    )
    expect(changeInWords({ ...none, ablated: [{ layer: 2, head: 6, pairs: [0, 1, 2, 3] }] }, 8)).toBe(
      'with 4 pairs of head L2·H6 ablated',
    )
    expect(changeInWords({ ...none, frozen: [{ layer: null, head: null, pairs: [15] }] }, 8)).toBe(
      'with pair 15 of all heads frozen',
    )
    const ablatedHeads = [{ layer: 2, head: 6 }]
    expect(changeInWords({ ...none, ablatedHeads, headReplacement: 'mean' }, 8)).toBe(
      'with the mean in place of head L2·H6',
    )
    expect(changeInWords({ ...none, ablatedHeads: layer(2), headReplacement: 'mean' }, 8)).toBe(
      'with the mean in place of layer 2',
    )
    const neuron = { layer: 2, neuron: 17 }
    const without = (neuronsOff: Interventions['neuronsOff']) => changeInWords({ ...none, neuronsOff }, 8)
    expect(without([neuron])).toBe('without neuron L2·N17')
    expect(without([neuron, { layer: 1, neuron: 0 }])).toBe('without neurons L2·N17 and L1·N0')
    expect(without([{ layer: 1, neuron: null }])).toBe('without the feed-forward network of layer 1')
    expect(without([neuron, { layer: 1, neuron: null }])).toBe('without 2 neurons or networks')
    expect(changeInWords({ ...none, numbers: ['hidden_states.2[4,17]=-0.5', 'ffn.0[*,3]=1'] }, 8)).toBe(
      'with hidden_states.2[4,17] = -0.5, ffn.0[*,3] = 1',
    )
    expect(changeInWords({ ...none, numbers: Array(1000).fill('ffn.0[*,3]=1') }, 8)).toBe('with 1,000 numbers put in')
    expect(changeInWords({ ...none, headReplacement: 'mean' }, 8)).toBe('')
    expect(changeInWords({ ...none, rotaryValue: true, rotatesValues: true, logN: 512, distanceClamp: 1000 }, 8)).toBe(
      'with values rotated (rotary_value), with values rotated and rotated back (RoVE), with log-n scaling, n = 512, with distances clamped to 1,000',
    )
    expect(changeInWords({ ...none, attention: 'linear_rotate_first' }, 8)).toBe(
      'with linear attention, rotated before φ',
    )
    expect(changeInWords({ ...none, logN: 0.5, distanceClamp: 0 }, 8)).toBe(
      'with log-n scaling, n = 0.50, with distances clamped to 0',
    )
  })

  it('says of a rope’s scaling a short name and a number, whatever a link holds', () => {
    const text = (scaling: string) => changeInWords({ ...none, scaling }, 8)
    expect(text('{"rope_type":"yarn","factor":4}')).toBe('with yarn RoPE scaling, factor 4')
    expect(text('{"type":"linear","factor":1.5}')).toBe('with linear RoPE scaling, factor 1.50')
    for (const hostile of ['{', 'null', '7', '[]', '{"rope_type":7}', '{"rope_type":"<b>bold</b>"}']) {
      expect(text(hostile)).toBe('with another RoPE scaling')
    }
    expect(text(`{"rope_type":"${'x'.repeat(4000)}","factor":1e999}`)).toBe('with another RoPE scaling')
  })
})
