import { describe, expect, it } from 'vitest'
import { endTokens, writingRules } from './generation'

describe('how an encoder–decoder writes', () => {
  it('is read from generation_config.json', () => {
    const config = {
      num_beams: 40,
      length_penalty: 0.6,
      early_stopping: true,
      bad_words_ids: [[7], [3, 4], []],
      no_repeat_ngram_size: 3,
      forced_eos_token_id: [1, 2],
      forced_bos_token_id: 9,
      max_length: 128,
    }
    expect(writingRules(JSON.stringify(config), [1])).toEqual({
      beams: 8,
      lengthPenalty: 0.6,
      stopping: 'early',
      badWords: [[7], [3, 4]],
      noRepeat: 3,
      minLength: 0,
      forcedFirst: [9],
      forcedLast: [1, 2],
      maxLength: 128,
    })
  })

  it('is as Hugging Face has it where nothing is said', () => {
    for (const nothing of [undefined, 'no JSON', 'null', '{"num_beams": "4", "early_stopping": 7}']) {
      expect(writingRules(nothing, [1])).toMatchObject({ beams: 1, lengthPenalty: 1, stopping: 'likely', badWords: [] })
    }
    // Without the file a text ends with its end token, at the latest.
    expect([writingRules(undefined, [1]).forcedLast, writingRules('{}', [1]).forcedLast]).toEqual([[1], []])
  })
})

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
