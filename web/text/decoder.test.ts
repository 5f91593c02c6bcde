import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Utf8Reader } from './bytes'
import { compileDecoder } from './decoder'
import { TextTokenizer } from './tokenizer'

const open = (path: string) => TextTokenizer.open({ tokenizer: readFileSync(path, 'utf8') })
const kind = (name: string) => open(`tests/fixtures/tokenizers/${name}/tokenizer.json`)

/** What each push gives, and what is left at the end. */
function pushed(tokenizer: TextTokenizer, ids: Iterable<number>, continues = false): string[] {
  const stream = tokenizer.stream(continues)
  return [...Array.from(ids, (id) => stream.push(id)), stream.flush()]
}

const own = (tokenizer: TextTokenizer, text: string) => {
  const { ids, before, after } = tokenizer.encode(text)
  return ids.slice(before, ids.length - after)
}

describe('a stream of text', () => {
  it('holds bytes back until their character is whole', () => {
    for (const name of ['gpt2', 'llama2']) {
      const tokenizer = kind(name)
      const texts = pushed(tokenizer, own(tokenizer, 'a👍b'))
      expect(texts.join('')).toBe('a👍b')
      expect(texts.filter((text) => text !== '')).toEqual(['a', '👍', 'b'])
    }
  })

  it('writes bytes that become no character as numbers', () => {
    const tokenizer = kind('llama2')
    const [begin, first, second] = [own(tokenizer, 'a')[0] ?? 0, ...own(tokenizer, '👍').slice(1, 3)]
    expect(pushed(tokenizer, [begin, first ?? 0, second ?? 0])).toEqual(['a', '', '', '⟨F0⟩⟨9F⟩'])
    expect(pushed(tokenizer, [first ?? 0, begin])).toEqual(['', '⟨F0⟩ a', ''])
  })

  it('takes the added space off the first token of a text, and never off a later one', () => {
    for (const name of ['llama2', 'mistral']) {
      const tokenizer = kind(name)
      const ids = own(tokenizer, 'the the')
      expect(pushed(tokenizer, ids)).toEqual(['the', ' the', ''])
      expect(pushed(tokenizer, ids, true)).toEqual([' the', ' the', ''])
      expect(pushed(tokenizer, tokenizer.encode('the').ids)).toEqual(['', 'the', ''])
    }
    expect(pushed(kind('gemma'), own(kind('gemma'), ' the'))).toEqual([' the', ''])
  })

  it('joins the pieces of WordPiece', () => {
    const tokenizer = open('models/roformer-english/tokenizer.json')
    expect(tokenizer.decode(tokenizer.encode('The unbelievableness, he said.').ids)).toBe(
      'the unbelievableness, he said.',
    )
    expect(pushed(tokenizer, own(tokenizer, 'the dog'), true)).toEqual([' the', ' dog', ''])
  })

  it('gives back any text that byte-level tokenizers read', { timeout: 60_000 }, () => {
    const tokenizer = kind('gpt2')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(tokenizer.decode(own(tokenizer, text))).toBe(text)
      }),
    )
  })
})

describe('characters of bytes', () => {
  it('are those of the text, however it is cut', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 5 }), (text, size) => {
        const characters = new Utf8Reader()
        const bytes = new TextEncoder().encode(text)
        let found = ''
        for (let at = 0; at < bytes.length; at += size) found += characters.push(bytes.subarray(at, at + size))
        expect(found + characters.flush()).toBe(text)
      }),
    )
  })

  it('refuse surrogates, overlong forms and what lies beyond Unicode', () => {
    const read = (...bytes: number[]) => {
      const characters = new Utf8Reader()
      return characters.push(Uint8Array.from(bytes)) + characters.flush()
    }
    expect(read(0xed, 0xa0, 0x80)).toBe('⟨ED⟩⟨A0⟩⟨80⟩')
    expect(read(0xc0, 0x80)).toBe('⟨C0⟩⟨80⟩')
    expect(read(0xf4, 0x90, 0x80, 0x80)).toBe('⟨F4⟩⟨90⟩⟨80⟩⟨80⟩')
    expect(read(0xe2, 0x41)).toBe('⟨E2⟩A')
  })
})

describe('a decoder that is not known', () => {
  it('is refused by name', () => {
    expect(() => compileDecoder({ type: 'CTC' })).toThrow('CTC')
    expect(() => compileDecoder({ type: 'Sequence', decoders: [{ type: 'Strip', start: 1, stop: 0 }] })).toThrow(
      'Strip',
    )
  })
})
