import { expect, it } from 'vitest'
import { endTokens } from './endTokens'

it.each([
  ['{"eos_token_id": 2}', [2]],
  ['{"eos_token_id": 0}', [0]],
  ['{"eos_token_id": [128001, 128009]}', [128001, 128009]],
  ['{"eos_token_id": null}', undefined],
  ['{"eos_token_id": []}', []],
  ['{"eos_token_id": "</s>"}', undefined],
  ['{"eos_token_id": [-1, 2.5, 3]}', [3]],
  ['{}', undefined],
  ['null', undefined],
  ['not JSON', undefined],
  [undefined, undefined],
])('the tokens that end a text by %j', (text, expected) => {
  expect(endTokens(text)).toEqual(expected)
})
