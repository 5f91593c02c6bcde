import { describe, expect, it } from 'vitest'
import type { ModelInfo } from '../engine/protocol'
import { fillMaskLine, runLine, type Told } from './command'

const told: Told = {
  folder: 'roformer-english',
  model: { name: 'my model', num_hidden_layers: 2, num_attention_heads: 2, head_size: 8 } as ModelInfo,
  text: "the dog's [MASK]",
  change: { offset: 0, stop: [], cut: [], off: [] },
}

describe('the command line', () => {
  it('quotes what a shell would take apart', () => {
    expect(fillMaskLine(told)).toBe(`ropescope fill-mask --model models/roformer-english --text 'the dog'\\''s [MASK]'`)
    expect(fillMaskLine({ ...told, folder: '', text: 'dog' })).toBe("ropescope fill-mask --model 'my model' --text dog")
  })

  it('says every change, head by head, for those that are there', () => {
    const change = {
      offset: 7,
      stop: [{ layer: 1, head: null, pairs: [0, 1, 3, 9] }],
      cut: [{ layer: null, head: 1, pairs: [2] }],
      off: [
        { layer: 0, head: 1 },
        { layer: 5, head: 1 },
      ],
    }
    expect(runLine({ ...told, text: 'dog', change }, 'attentions')).toBe(
      'ropescope run --model models/roformer-english --text dog --position-offset 7' +
        ' --stop-pairs 1.0:0-1,1.0:3,1.1:0-1,1.1:3 --cut-pairs 0.1:2,1.1:2 --heads-off 0.1' +
        ' --taps attentions --output out.safetensors',
    )
  })
})
