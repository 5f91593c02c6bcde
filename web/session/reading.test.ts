import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { ModelInfo } from '../engine/protocol/protocol'
import { TextTokenizer } from '../text/tokenizer'
import type { LoadedModel } from './engine.svelte'
import { longestText, specialPositions, runOf } from './reading'
import type { Reading } from '../text/reading'
import { interventionsText } from './interventions'

const sizes = (max_position_embeddings: number, stretches: boolean) =>
  ({ max_position_embeddings, stretches }) as ModelInfo

it('a text goes beyond its model only where that can and is asked to', () => {
  expect(longestText(sizes(512, true), false)).toBe(512)
  expect(longestText(sizes(512, true), true)).toBe(4096)
  expect(longestText(sizes(512, false), true)).toBe(512)
  expect(longestText(sizes(32_768, true), true)).toBe(32_768)
})

it('tokens that stand for no word are special; a mask stands for one', () => {
  const tokenizer = TextTokenizer.open({ tokenizer: readFileSync('models/roformer-english/tokenizer.json', 'utf8') })
  const reading = tokenizer.encode('the [MASK] sat [SEP] down')
  const found = specialPositions({ model: { tokenizer } as LoadedModel, reading })
  expect([...found].map((position) => reading.tokens[position])).toEqual(['[CLS]', '[SEP]', '[SEP]'])
})

const model = {
  info: { max_position_embeddings: 4, num_hidden_layers: 2, num_attention_heads: 2, head_size: 4 },
} as LoadedModel
const reading = (length: number) => ({ ids: new Uint32Array(length) }) as Reading

it('a text that is longer than its model is made for is let through, whoever asks', () => {
  const interventions = ''
  expect(runOf({ model, reading: reading(5), interventions })).toMatchObject({ beyondLength: true, positionOffset: 0 })
  expect(runOf({ model, reading: reading(4), interventions })).toEqual({ ids: new Uint32Array(4), positionOffset: 0 })
})

it('what is changed comes with it', () => {
  const interventions = interventionsText({ offset: 3, ablatedHeads: [{ layer: 1, head: 0 }] })
  expect(runOf({ model, reading: reading(4), interventions })).toMatchObject({
    positionOffset: 3,
    change: { ablatedHeads: [{ layer: 1, head: 0 }] },
  })
})
