import { describe, expect, it } from 'vitest'
import { type Reader, splitPair, readPair, joinPair, unknownWords } from './reading'

/** A token a letter, and an end behind the text. */
const reader: Reader = {
  encode(text) {
    const letters = [...text]
    return {
      ids: Uint32Array.of(...letters.map((letter) => letter.charCodeAt(0)), 1),
      tokens: [...letters, '</s>'],
      display: [...letters, '</s>'],
      spans: [...letters.map((_, at) => ({ start: at, end: at + 1 })), null],
      before: 0,
      after: 1,
      truncated: false,
    }
  },
}
const read = (text: string, part: 'encoder' | 'decoder' | 'cross', limit = 9) =>
  readPair(reader, text, limit, { id: 0, display: '<pad>' }, part)

it('words that a model does not know are named, each once, and the unknown token itself is none', () => {
  const reading = reader.encode('abab?')
  const unknown = { ...reading, ids: reading.ids.map((id) => (id === 98 || id === 63 ? 7 : id)) }
  expect(unknownWords('abab?', { ...unknown, tokens: ['a', 'x', 'a', 'x', '?', '</s>'] }, 7)).toEqual(['b'])
  expect(unknownWords('abab?', reading, 7)).toEqual([])
  expect(unknownWords('abab?', unknown, undefined)).toEqual([])
})

describe('a source and the text after it', () => {
  it('are one text', () => {
    expect(splitPair('ab\tcd')).toEqual(['ab', 'cd'])
    expect(splitPair('ab')).toEqual(['ab', ''])
    expect([joinPair('ab', 'cd'), joinPair('a\tb', 'c\td'), joinPair('a\tb', '')]).toEqual([
      'ab\tcd',
      'a b\tc d',
      'a b',
    ])
  })

  it('are read by part', () => {
    const cross = read('ab\tc', 'cross')
    expect(cross.display).toEqual(['a', 'b', '</s>', '<pad>', 'c'])
    expect(cross.spans).toEqual([{ start: 0, end: 1 }, { start: 1, end: 2 }, null, null, { start: 3, end: 4 }])
    expect([Array.from(cross.pair.source), Array.from(cross.pair.text)]).toEqual([
      [97, 98, 1],
      [0, 99],
    ])
    expect(read('ab\tc', 'encoder').display).toEqual(['a', 'b', '</s>'])
    expect(read('ab\tc', 'decoder').display).toEqual(['<pad>', 'c'])
    // Before anything is written there is the start token.
    expect(read('ab', 'decoder').display).toEqual(['<pad>'])
  })

  it('are shortened each by itself', () => {
    const { display, truncated, pair } = read('abcdef\tghijkl', 'cross', 4)
    expect([display.join(''), truncated, pair.text.length]).toEqual(['abc</s><pad>ghi', true, 4])
    expect(read('abc\tghi', 'cross', 4).truncated).toBe(false)
  })
})
