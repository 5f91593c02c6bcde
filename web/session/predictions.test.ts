import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ModelInfo } from '../engine/protocol/protocol'
import { TextTokenizer } from '../text/tokenizer'
import { clampCursor } from '../viewstate/choice'
import { defaults } from '../viewstate/codec'
import { mostPredictions, predictions, rowsToPredict, verdict } from './predictions'

const tokenizer = TextTokenizer.open({ tokenizer: readFileSync('models/roformer-english/tokenizer.json', 'utf8') })
const info = { predicts_tokens: true, is_decoder: false } as ModelInfo
const rows = (text: string, over: Partial<ModelInfo> = {}) =>
  Array.from(rowsToPredict({ info: { ...info, ...over }, tokenizer }, tokenizer.encode(text)))

describe('the positions that are predicted', () => {
  it('are the masks of the text, in order', () => {
    expect(rows('the [MASK] sat on the [MASK].')).toEqual([2, 6])
    expect(rows('no mask')).toEqual([])
    expect(rows('[MASK] '.repeat(200)).length).toBe(mostPredictions)
  })

  it('are the end of the text for a model that writes on, before [SEP]', () => {
    expect(rows('the dog', { is_decoder: true })).toEqual([2])
    expect(rows('', { is_decoder: true })).toEqual([0])
  })

  it('are none without a vocabulary head', () => {
    expect(rows('[MASK]', { predicts_tokens: false })).toEqual([])
  })
})

it('fills belong to their rows', () => {
  const found = predictions(
    {
      rows: Uint32Array.of(2, 6),
      topIds: Uint32Array.of(5, 6, 7, 8),
      topProbabilities: Float32Array.of(0.5, 0.25, 1, 0),
    },
    (id) => `t${id}`,
  )
  expect(found).toEqual([
    {
      position: 2,
      fills: [
        { id: 5, token: 't5', probability: 0.5 },
        { id: 6, token: 't6', probability: 0.25 },
      ],
    },
    {
      position: 6,
      fills: [
        { id: 7, token: 't7', probability: 1 },
        { id: 8, token: 't8', probability: 0 },
      ],
    },
  ])
})

describe('what a model without a vocabulary head says', () => {
  it('of a text: its classes, likeliest first', () => {
    const prediction = verdict('RoFormerForSequenceClassification', ['bad', 'good'], {
      logits: Float32Array.of(0, Math.log(3)),
      logitsShape: [1, 2],
      length: 4,
    })
    expect(prediction).toMatchObject({ kind: 'classes', classes: [{ label: 'good' }, { label: 'bad' }] })
    expect(prediction?.kind === 'classes' && prediction.classes[0]?.probability).toBeCloseTo(0.75)
  })

  it('of each token: its likeliest label, named by number where the config has no name', () => {
    const prediction = verdict('RoFormerForTokenClassification', ['O'], {
      logits: Float32Array.of(9, 0, 0, 9),
      logitsShape: [1, 2, 2],
      length: 2,
    })
    expect(prediction).toMatchObject({ kind: 'tokens', tokens: [{ label: 'O' }, { label: 'LABEL_1' }] })
  })

  it('of a question: where the answer begins and ends', () => {
    const prediction = verdict('RoFormerForQuestionAnswering', [], {
      logits: Float32Array.of(0, 0, 5, 1, 0, 7),
      logitsShape: [1, 3, 2],
      length: 3,
    })
    expect(prediction).toEqual({ kind: 'answer', start: 1, end: 2 })
  })

  it('is nothing without logits', () => {
    expect(verdict('RoFormerModel', [], { logits: new Float32Array(), logitsShape: [], length: 3 })).toBeNull()
  })
})

it('a choice beyond the model or the text becomes its last', () => {
  const model = { num_hidden_layers: 2, num_attention_heads: 4, head_size: 8 } as ModelInfo
  expect(clampCursor({ ...defaults, layer: 9, head: 9, query: 99, key: 3, pair: 50 }, model, 10)).toMatchObject({
    layer: 1,
    head: 3,
    query: 9,
    key: 3,
    pair: 3,
  })
  expect(clampCursor({ ...defaults, pair: null }, model, 0)).toMatchObject({ query: 0, key: 0, pair: null })
  expect(clampCursor({ ...defaults, layer: 9 }, undefined, 0).layer).toBe(9)
})
