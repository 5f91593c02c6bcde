import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { TextTokenizer } from './tokenizer'

interface Expected {
  text: string
  ids: number[]
  tokens: string[]
  /** Start and end of each token, in code points. */
  offsets: number[]
  decoded: string
}

const folder = 'tests/fixtures/tokenizers'
const kinds = [
  'gpt2',
  'neox',
  'llama3',
  'qwen',
  'roberta',
  'llama2',
  'mistral',
  'gemma',
  't5',
  'unigram_bytes',
  'word_level',
].map((kind) => ({
  kind,
  tokenizer: TextTokenizer.open({ tokenizer: readFileSync(`${folder}/${kind}/tokenizer.json`, 'utf8') }),
  expected: JSON.parse(readFileSync(`${folder}/${kind}/expected.json`, 'utf8')) as Expected[],
}))

function open(kind: string): TextTokenizer {
  const found = kinds.find((known) => known.kind === kind)
  if (!found) throw new Error(`there is no fixture of kind ${kind}`)
  return found.tokenizer
}

/** Each token for people to read, with its place in the text. */
function places(kind: string, text: string): [string, string | null][] {
  const tokenizer = open(kind)
  const { ids, spans } = tokenizer.encode(text)
  return Array.from(ids, (id, at) => {
    const span = spans[at]
    return [tokenizer.display(id), span ? text.slice(span.start, span.end) : null]
  })
}

/** The code points' places in UTF-16 units, with the end. */
function units(text: string): number[] {
  let at = 0
  return [0, ...Array.from(text, (character) => (at += character.length))]
}

describe.each(kinds)('the tokenizer of kind $kind', ({ tokenizer, expected }) => {
  it('gives the ids and tokens of Hugging Face', () => {
    expect(expected.length).toBeGreaterThanOrEqual(200)
    const different = expected.flatMap(({ text, ids, tokens }) => {
      const reading = tokenizer.encode(text)
      return reading.ids.join() === ids.join() && reading.tokens.join('\n') === tokens.join('\n')
        ? []
        : [{ text, expected: tokens.join('|'), found: reading.tokens.join('|') }]
    })
    expect(different).toEqual([])
  })

  it('places each token where Hugging Face does, and a composed mark with its letter', () => {
    const different = expected.flatMap(({ text, offsets }) => {
      const { spans, before, after } = tokenizer.encode(text)
      const at = units(text)
      return spans.slice(before, spans.length - after).flatMap((span, index) => {
        const position = before + index
        const start = at[offsets[2 * position] ?? -1]
        const end = at[offsets[2 * position + 1] ?? -1]
        if (reordered.has(text)) return []
        const same = span && span.start === start && (span.end === end || onlyMarks(text, end, span.end))
        return same ? [] : [{ text, position, start, end, span }]
      })
    })
    expect(different).toEqual([])
  })

  it('gives the text back as Hugging Face does', () => {
    const different = expected.flatMap(({ text, ids, decoded }) => {
      const found = tokenizer.decode(ids)
      return found === decoded ? [] : [{ text, decoded, found }]
    })
    expect(different).toEqual([])
  })
})

/** Marks that NFC puts in another order: Hugging Face's offsets then name a mark's neighbour. */
const reordered = new Set(['a\u0334\u0301 reordered', 'ȧ\u0323 a\u0323\u0307'])

function onlyMarks(text: string, from: number | undefined, to: number): boolean {
  return from !== undefined && from < to && /^[\p{M}\u1160-\u11ff]+$/u.test(text.slice(from, to))
}

describe('places', () => {
  it('of a part of a character are the whole character', () => {
    expect(places('llama2', 'a👍')).toEqual([
      ['<s>', null],
      [' a', 'a'],
      ['⟨F0⟩', '👍'],
      ['⟨9F⟩', '👍'],
      ['⟨91⟩', '👍'],
      ['⟨8D⟩', '👍'],
    ])
    const parts = places('gpt2', '👍').map(([, place]) => place)
    expect(parts.length).toBeGreaterThan(1)
    expect(new Set(parts)).toEqual(new Set(['👍']))
  })

  it('of marks in another order than NFC has them are their own', () => {
    expect(places('qwen', 'a\u0334\u0301')).toEqual([
      ['⟨C3⟩', 'a\u0334\u0301'],
      ['⟨A1⟩', 'a\u0334\u0301'],
      ['⟨CC⟩', '\u0334'],
      ['⟨B4⟩', '\u0334'],
    ])
  })

  it('of composed characters are all that they were composed of', () => {
    expect(places('qwen', 'e\u0301')).toEqual([['é', 'e\u0301']])
    const korean = places('qwen', '\u1112\u1161\u11ab')
    expect(korean.every(([, place]) => place === '\u1112\u1161\u11ab')).toBe(true)
  })

  it('hold the space before a word where the tokenizer says so', () => {
    expect(places('gpt2', 'a the').at(-1)).toEqual([' the', ' the'])
    expect(places('neox', 'a the').at(-1)).toEqual([' the', 'the'])
    expect(places('llama2', 'a the').at(-1)).toEqual([' the', ' the'])
  })
})

describe('tokens for people to read', () => {
  it('show spaces, lines and bytes', () => {
    const display = (kind: string, text: string) => places(kind, text).map(([token]) => token)
    expect(display('gpt2', '\n\t')).toEqual(['↵', '⇥'])
    expect(display('llama2', '\n')).toEqual(['<s>', ' ', '↵'])
    expect(display('mistral', 'the the')).toEqual(['<s>', ' the', ' the'])
    expect(display('llama3', '<|end_of_text|>')).toEqual(['<|begin_of_text|>', '<|end_of_text|>'])
  })
})

describe('a template', () => {
  it('says what stands before and after a text', () => {
    const around = (kind: string) => {
      const { before, after, tokens } = open(kind).encode('x')
      return [tokens.slice(0, before), tokens.slice(tokens.length - after)]
    }
    expect(around('gpt2')).toEqual([[], []])
    expect(around('llama3')).toEqual([['<|begin_of_text|>'], []])
    expect(around('roberta')).toEqual([['<s>'], ['</s>']])
    expect(around('gemma')).toEqual([['<bos>'], []])
  })
})

describe('the mask token', () => {
  it('is the one that the files declare, and may be missing', () => {
    expect(open('gpt2').maskToken).toBeUndefined()
    expect(open('gpt2').maskId).toBeUndefined()
    expect(open('roberta').maskToken).toBe('<mask>')
    expect(open('gemma').maskToken).toBe('<mask>')
    expect(open('roberta').encode('a <mask>').ids).toContain(open('roberta').maskId)
  })

  it('is taken from tokenizer_config.json and special_tokens_map.json first', () => {
    const tokenizer = readFileSync(`${folder}/roberta/tokenizer.json`, 'utf8')
    const declared = (config?: string, specialTokens?: string) =>
      TextTokenizer.open({ tokenizer, config, specialTokens }).maskToken
    expect(declared('{"mask_token": "<pad>"}', '{"mask_token": "<unk>"}')).toBe('<pad>')
    expect(declared(undefined, '{"mask_token": {"content": "<unk>", "lstrip": false}}')).toBe('<unk>')
    expect(declared('{"mask_token": "not there"}')).toBeUndefined()
    expect(declared('not json')).toBe('<mask>')
  })

  it('is found in a text where only those files declare it', () => {
    const vocabulary = '<unk>\nthe\n<mask>\n'
    const files = { vocabulary, config: '{"mask_token": "<mask>"}' }
    expect(Array.from(TextTokenizer.open(files).encode('the <mask>').ids)).toEqual([1, 2])
  })
})
