import { readFileSync } from 'node:fs'
import { cut, initSync } from 'jieba-wasm/web'
import { beforeAll, describe, expect, it } from 'vitest'
import { readsChineseWords, type CutWords } from './chineseWords'
import { TextTokenizer } from './tokenizer'

const folder = 'tests/fixtures/tokenizers/roformer_words'
const vocabulary = readFileSync(`${folder}/vocab.txt`, 'utf8')
const config = '{"tokenizer_class": "RoFormerTokenizer", "do_lower_case": true}'
const jieba: CutWords = (text) => cut(text, false)

beforeAll(() => {
  initSync({ module: readFileSync('node_modules/jieba-wasm/pkg/web/jieba_rs_wasm_bg.wasm') })
})

describe('Chinese by the word', () => {
  it('is what RoFormerTokenizer makes of it, each token in its place', () => {
    const expected = JSON.parse(readFileSync(`${folder}/expected.json`, 'utf8')) as { text: string; ids: number[] }[]
    const tokenizer = TextTokenizer.open({ vocabulary, config }, jieba)
    expect(expected.length).toBeGreaterThan(8)
    for (const { text, ids } of expected) {
      const reading = tokenizer.encode(text)
      expect(Array.from(reading.ids), text).toEqual(ids)
      const places = reading.spans.flatMap((span, at) =>
        span ? [[reading.tokens[at], text.slice(span.start, span.end)]] : [],
      )
      for (const [token = '', there = ''] of places) {
        if (token !== '[UNK]') expect(there.toLowerCase(), text).toBe(token.toLowerCase().replace(/^##/, ''))
      }
    }
  })

  it('is known by the vocabulary, and by the name that the files give its tokenizer', () => {
    expect(readsChineseWords({ vocabulary, config })).toBe(true)
    expect(readsChineseWords({ vocabulary })).toBe(false)
    const characters = { vocabulary: '[CLS]\n[SEP]\n今\n天', config }
    expect(readsChineseWords(characters)).toBe(false)
    const many = Array.from({ length: 1000 }, (_, at) => String.fromCodePoint(0x4e00 + at, 0x5000 + at)).join('\n')
    expect(readsChineseWords({ vocabulary: `[CLS]\n[SEP]\n${many}` })).toBe(true)
    const tokenizer = JSON.stringify({ model: { type: 'WordPiece', vocab: { 天气: 0 } } })
    expect(readsChineseWords({ tokenizer, config })).toBe(true)
    expect(readsChineseWords({ tokenizer })).toBe(false)
  })

  it('is refused in words where nothing cuts it', () => {
    expect(() => TextTokenizer.open({ vocabulary, config })).toThrow(expect.objectContaining({ code: 'tokenizer' }))
  })
})
