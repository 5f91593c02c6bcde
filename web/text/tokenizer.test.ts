import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readUpTo } from './reading'
import { TextTokenizer } from './tokenizer'

const folder = 'models/roformer-english/'
const fromJson = TextTokenizer.open({ tokenizer: readFileSync(`${folder}tokenizer.json`, 'utf8') })
const fromVocabulary = TextTokenizer.open({ vocabulary: readFileSync(`${folder}vocab.txt`, 'utf8') })

interface Example {
  text: string
  ids: number[]
  tokens: string[]
  /** Start and end of each token, in code points. */
  offsets: number[]
}

describe.each([
  ['tokenizer.json', fromJson],
  ['vocab.txt', fromVocabulary],
])('the tokenizer of %s', (_, tokenizer) => {
  const examples = JSON.parse(readFileSync('tests/fixtures/tokenizer.json', 'utf8')) as Example[]

  it('gives the ids of Hugging Face on every example', () => {
    expect(examples.length).toBeGreaterThanOrEqual(200)
    const different = examples.flatMap(({ text, ids, tokens }) => {
      const reading = tokenizer.encode(text)
      return reading.ids.join() === ids.join() && reading.tokens.join() === tokens.join()
        ? []
        : [{ text, expected: tokens, found: reading.tokens }]
    })
    expect(different).toEqual([])
  })

  it('places each token where Hugging Face does, and a mark that is dropped with its letter', () => {
    const different = examples.flatMap(({ text, offsets }) => {
      const at = units(text)
      return tokenizer
        .encode(text)
        .spans.slice(1, -1)
        .flatMap((span, index) => {
          const [start, end] = [at[offsets[2 * index + 2] ?? -1], at[offsets[2 * index + 3] ?? -1]]
          const same = span?.start === start && (span?.end === end || /^\p{M}+$/u.test(text.slice(end, span?.end)))
          return same ? [] : [{ text, index, start, end, span }]
        })
    })
    expect(different).toEqual([])
  })
})

/** The code points' places in UTF-16 units, with the end. */
function units(text: string): number[] {
  let at = 0
  return [0, ...Array.from(text, (character) => (at += character.length))]
}

/** Each token with its place in the text. */
function places(text: string): [string, string | null][] {
  const { tokens, spans } = fromJson.encode(text)
  return tokens.map((token, i) => {
    const span = spans[i]
    return [token, span ? text.slice(span.start, span.end) : null]
  })
}

describe('places in the text', () => {
  it('keep the case that the tokens lose', () => {
    expect(places('The DOG sat.')).toEqual([
      ['[CLS]', null],
      ['the', 'The'],
      ['dog', 'DOG'],
      ['sat', 'sat'],
      ['.', '.'],
      ['[SEP]', null],
    ])
  })

  it('keep accents, composed or not', () => {
    expect(
      places('Café cafe\u0301')
        .map(([, place]) => place)
        .join('|'),
    ).toMatch(/^\|Caf|Café|/)
    for (const text of ['É', 'E\u0301', 'e\u0301\u0302 a']) {
      const found = places(text).flatMap(([, place]) => place ?? [])
      expect(found.join(' ')).toBe(text)
    }
  })

  it('skip control characters and find words of one character in scripts without spaces', () => {
    expect(places('a\u200bb').map(([, place]) => place)).toContainEqual(expect.stringMatching(/^a/))
    const { spans } = fromJson.encode('今天 好')
    expect(spans).toEqual([null, { start: 0, end: 1 }, { start: 1, end: 2 }, { start: 3, end: 4 }, null])
  })

  it('give an unknown word as a whole, emoji included', () => {
    expect(places('dog 👍🏽 cat')).toContainEqual(['[UNK]', '👍🏽'])
  })

  it('find [MASK] and the words beside it', () => {
    expect(places('play[MASK]s')).toEqual([
      ['[CLS]', null],
      ['play', 'play'],
      ['[MASK]', '[MASK]'],
      ['s', 's'],
      ['[SEP]', null],
    ])
    expect(places('[mask]').map(([token]) => token)).not.toContain('[MASK]')
  })

  it('are in order, inside the text and known for every token of any text', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const { tokens, spans, ids } = fromJson.encode(text)
        expect(spans.length).toBe(tokens.length)
        expect(ids.length).toBe(tokens.length)
        let last = 0
        for (const span of spans.slice(1, -1)) {
          expect(span).not.toBeNull()
          if (!span) continue
          expect(span.start).toBeGreaterThanOrEqual(last)
          expect(span.end).toBeGreaterThan(span.start)
          expect(span.end).toBeLessThanOrEqual(text.length)
          last = span.start
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('reading up to a limit', () => {
  it('keeps the template and says that text is left over', () => {
    const reading = readUpTo(fromJson, 'one two three four', 4)
    expect(reading.tokens).toEqual(['[CLS]', 'one', 'two', '[SEP]'])
    expect(reading.spans.at(-1)).toBeNull()
    expect(reading.truncated).toBe(true)
    expect(readUpTo(fromJson, 'one two', 4)).toMatchObject({
      tokens: ['[CLS]', 'one', 'two', '[SEP]'],
      truncated: false,
    })
  })

  it('reads the same tokens of a very long text as of the whole', () => {
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(20_000)
    let read = 0
    const counting = { encode: (some: string) => ((read += some.length), fromJson.encode(some)) }
    const reading = readUpTo(counting, text, 512)
    expect(read).toBeLessThan(text.length / 50)
    expect(reading.ids.length).toBe(512)
    expect(reading.tokens.slice(0, 511)).toEqual(fromJson.encode(text.slice(0, 6000)).tokens.slice(0, 511))
  })

  it('reads an empty text', () => {
    expect(readUpTo(fromJson, '', 512).tokens).toEqual(['[CLS]', '[SEP]'])
  })
})

describe('a tokenizer that cannot be read', () => {
  it('is said in words', () => {
    for (const files of [{ tokenizer: 'not json' }, { tokenizer: '{}' }, { tokenizer: '[]' }, { vocabulary: '' }, {}]) {
      expect(() => TextTokenizer.open(files)).toThrow(expect.objectContaining({ code: 'tokenizer' }))
    }
  })
})

describe('vocab.txt', () => {
  it('keeps capitals where its words have them', () => {
    const residues = TextTokenizer.open({ vocabulary: '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nL\nA\nG\n' })
    expect(Array.from(residues.encode('L A [MASK] g').ids)).toEqual([2, 5, 6, 4, 1, 3])
  })

  it('does without a template where it has no [CLS]', () => {
    const bare = TextTokenizer.open({ vocabulary: '[UNK]\na\n' })
    expect(bare.encode('a b').tokens).toEqual(['a', '[UNK]'])
    expect(bare.maskId).toBeUndefined()
  })
})
