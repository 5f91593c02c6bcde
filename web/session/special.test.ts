import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { LoadedModel } from './engine.svelte'
import { TextTokenizer } from '../text/tokenizer'
import { specialPositions } from './special'

test('tokens that stand for no word are special; a mask stands for one', () => {
  const tokenizer = TextTokenizer.open({ tokenizer: readFileSync('models/roformer-english/tokenizer.json', 'utf8') })
  const reading = tokenizer.encode('the [MASK] sat [SEP] down')
  const found = specialPositions({ model: { tokenizer } as LoadedModel, reading })
  expect([...found].map((position) => reading.tokens[position])).toEqual(['[CLS]', '[SEP]', '[SEP]'])
})
