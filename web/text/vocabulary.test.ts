import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { TextTokenizer } from './tokenizer'

interface Expected {
  text: string
  ids: number[]
  tokens: string[]
  decoded: string
}

const folder = 'tests/fixtures/tokenizers/esm'
const vocabulary = readFileSync(`${folder}/vocab.txt`, 'utf8')
const config = readFileSync(`${folder}/tokenizer_config.json`, 'utf8')
const expected = JSON.parse(readFileSync(`${folder}/expected.json`, 'utf8')) as Expected[]

/** Each token with its place in the text. */
function places(tokenizer: TextTokenizer, text: string): [string, string | null][] {
  const { tokens, spans } = tokenizer.encode(text)
  return tokens.map((token, at) => {
    const span = spans[at]
    return [token, span ? text.slice(span.start, span.end) : null]
  })
}

describe.each([
  ['with its tokenizer_config.json', { vocabulary, config }],
  ['alone', { vocabulary }],
])('a vocabulary of residues %s', (_, files) => {
  const tokenizer = TextTokenizer.open(files)

  it('gives the ids, tokens and texts of Hugging Face’s EsmTokenizer', () => {
    expect(expected.length).toBeGreaterThanOrEqual(200)
    const different = expected.filter(({ text, ids, tokens, decoded }) => {
      const reading = tokenizer.encode(text)
      const same = reading.ids.join() === ids.join() && reading.tokens.join('\n') === tokens.join('\n')
      return !same || tokenizer.decode(ids) !== decoded
    })
    expect(different).toEqual([])
    expect(tokenizer.maskToken).toBe('<mask>')
  })

  it('places each residue where it stands', () => {
    for (const { text } of expected) {
      const own = places(tokenizer, text).slice(1, -1)
      const known = own.filter(([token]) => token !== '<unk>')
      expect(known.every(([token, place]) => token === place)).toBe(true)
      // What is not a residue is still somewhere: nothing but spaces is left out.
      expect(own.map(([, place]) => place).join('')).toBe(text.replace(/\s/gu, ''))
    }
  })

  it('reads a FASTA record as its sequence, in the places where it was typed', () => {
    const record = '>sp|P12345|MKT A protein\nMKTAY\r\nIAKQR\n>other\nAAAA\n'
    const { ids, spans } = tokenizer.encode(record)
    expect(ids).toEqual(tokenizer.encode('MKTAYIAKQR').ids)
    const placed = spans.flatMap((span) => (span ? record.slice(span.start, span.end) : []))
    expect(placed.join('')).toBe('MKTAYIAKQR')
    expect(spans[1]).toEqual({ start: record.indexOf('\n') + 1, end: record.indexOf('\n') + 2 })
    for (const text of ['\n  > MKT\r\nMKTAYIAKQR', '>one\nMKTAY\n\nIAKQR\n>two']) {
      expect(tokenizer.encode(text).ids).toEqual(ids)
    }
    expect(Array.from(tokenizer.encode('>only a description').ids)).toEqual([0, 2])
    expect(tokenizer.encode('MKTAYIAKQR > x').ids).not.toEqual(ids)
  })
})

describe('a vocabulary of words', () => {
  it('knows no FASTA', () => {
    const tokenizer = TextTokenizer.open({ vocabulary: '[UNK]\n[CLS]\n[SEP]\n<cls>\n<eos>\n>\nM\n' })
    expect(tokenizer.encode('>M').tokens).toEqual(['[CLS]', '>', 'M', '[SEP]'])
  })
})
