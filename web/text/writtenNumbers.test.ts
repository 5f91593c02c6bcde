import { readFileSync } from 'node:fs'
import { Tokenizer } from '@huggingface/tokenizers'
import { describe, expect, it } from 'vitest'
import { TextTokenizer } from './tokenizer'

const text = readFileSync('models/marian-numbers/tokenizer.json', 'utf8')
const ours = TextTokenizer.open({ tokenizer: text })
const library = new Tokenizer(JSON.parse(text) as object, {})

/** Tokens as Hugging Face's Python library gives them. */
const examples: [string, string[]][] = [
  ['>>hu<<1984', ['>>hu<<', '1', '9', '8', '4']],
  ['>>ko<< 2026-11-22', ['>>ko<<', '2', '0', '2', '6', '-', '1', '1', '-', '2', '2']],
  ['kétezer-huszonhat', ['két', 'ezer', '-', 'huszon', 'hat']],
  ['ezerkilencszáznyolcvannégy', ['ezer', 'kilenc', 'száz', 'nyolcvan', 'négy']],
  ['március tizenötödike', ['<unk>', '▁tizen', 'ötödike']],
  ['twelve thousand forty-five', ['twelve', '▁thousand', '▁forty', '-', 'five']],
  ['만 이천삼백사십오', ['만', '▁이', '천', '삼', '백', '사', '십', '오']],
]

describe('the tokenizer of the model that writes numbers out', () => {
  it.each(examples)('cuts %s as Hugging Face does', (text, tokens) => {
    const reading = ours.encode(text)
    expect(Array.from(reading.ids, (id) => ours.token(id))).toEqual([...tokens, '</s>'])
    expect(library.encode(text).ids).toEqual(Array.from(reading.ids))
  })

  it.each(examples.slice(2).filter(([, tokens]) => !tokens.includes('<unk>')))('gives %s back', (text) => {
    const ids = Array.from(ours.encode(text).ids)
    expect(ours.decode(ids)).toBe(text)
    expect(library.decode(ids, { skip_special_tokens: true })).toBe(text)
  })
})
