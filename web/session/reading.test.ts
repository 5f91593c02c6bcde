import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { ModelInfo } from '../engine/protocol/protocol'
import { TextTokenizer } from '../text/tokenizer'
import type { LoadedModel } from './engine.svelte'
import { longestText, specialPositions } from './reading'

const model = (max_position_embeddings: number, stretches: boolean) =>
  ({ max_position_embeddings, stretches }) as ModelInfo

it('a text goes beyond its model only where that can and is asked to', () => {
  expect(longestText(model(512, true), false)).toBe(512)
  expect(longestText(model(512, true), true)).toBe(4096)
  expect(longestText(model(512, false), true)).toBe(512)
  expect(longestText(model(32_768, true), true)).toBe(32_768)
})

it('tokens that stand for no word are special; a mask stands for one', () => {
  const tokenizer = TextTokenizer.open({ tokenizer: readFileSync('models/roformer-english/tokenizer.json', 'utf8') })
  const reading = tokenizer.encode('the [MASK] sat [SEP] down')
  const found = specialPositions({ model: { tokenizer } as LoadedModel, reading })
  expect([...found].map((position) => reading.tokens[position])).toEqual(['[CLS]', '[SEP]', '[SEP]'])
})
