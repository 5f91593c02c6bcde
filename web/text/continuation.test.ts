import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  lastStart,
  passages,
  tokenizerSpaces,
  idsToContinue,
  unchangedTokens,
  tokensPerSecond,
  writerAfter,
  type WrittenTokens,
} from './continuation'
import { difference } from './edit'
import { TextTokenizer } from './tokenizer'

const tokenizer = TextTokenizer.open({
  tokenizer: readFileSync('models/roformer-english-causal/tokenizer.json', 'utf8'),
})
const own = (text: string) => {
  const { ids, before, after } = tokenizer.encode(text)
  return ids.slice(before, ids.length - after)
}
/** The text with these words' tokens written at its end, one by one. */
function writtenAfter(text: string, words: string): string {
  const writer = writerAfter(tokenizer, text, tokenizer.encode(text))
  return Array.from(own(words), (id) => writer.push(id)).reduce((before, more) => before + more, text)
}

describe('writing on', () => {
  it('goes on after the text’s own last token, with what the template puts before', () => {
    const reading = tokenizer.encode('the dog')
    const ids = Array.from(idsToContinue(reading), (id) => tokenizer.token(id))
    expect(ids).toEqual(['[CLS]', 'the', 'dog'])
  })

  it('joins pieces of words and sets words apart', () => {
    expect(writtenAfter('The dog', 'was unbelievably old.')).toBe('The dog was unbelievably old.')
  })

  it('begins an empty text without a blank, and doubles none that stands there', () => {
    expect(writtenAfter('', 'the dog')).toBe('the dog')
    expect(writtenAfter('The ', 'dog sat')).toBe('The dog sat')
    expect(writtenAfter('The\n', 'dog sat')).toBe('The\ndog sat')
    expect(writtenAfter('  ', 'dog')).toBe('  dog')
  })

  it('writes nothing for a special token', () => {
    const writer = writerAfter(tokenizer, 'the', tokenizer.encode('the'))
    expect(writer.push(tokenizer.encode('').ids[0] ?? -1)).toBe('')
  })

  it('holds back what splits a character, and keeps the blank for what follows', () => {
    const bytes = { stream: () => ({ push: (id: number) => ['', ' é', ' a'][id] ?? '' }) }
    const writer = writerAfter(bytes, 'x ', {
      ids: Uint32Array.of(1),
      spans: [{ start: 0, end: 1 }],
      before: 0,
      after: 0,
    })
    expect([0, 1, 2].map((id) => writer.push(id))).toEqual(['', 'é', ' a'])
  })
})

const text = 'the dog sat down . the end'
const written: WrittenTokens = [
  { start: 7, end: 11, continuation: 0 },
  { start: 11, end: 16, continuation: 0 },
  { start: 18, end: 22, continuation: 1 },
  { start: 22, end: 26, continuation: 1 },
]

describe('taking back', () => {
  it('takes the last token, or all of the last continuation', () => {
    expect(text.slice(0, lastStart(written, text.length, 'token'))).toBe('the dog sat down . the')
    expect(text.slice(0, lastStart(written, text.length, 'continuation'))).toBe('the dog sat down .')
  })

  it('takes nothing that somebody typed', () => {
    expect(lastStart(written, text.length + 1, 'token')).toBeUndefined()
    expect(lastStart([], 0, 'continuation')).toBeUndefined()
    const broken: WrittenTokens = [
      { start: 0, end: 4, continuation: 3 },
      { start: 5, end: 9, continuation: 3 },
    ]
    expect(lastStart(broken, 9, 'continuation')).toBe(5)
  })
})

describe('an edit', () => {
  const after = (now: string) => unchangedTokens(written, difference(text, now))

  it('before them moves them', () => {
    expect(after(`Look, ${text}`).map(({ start }) => start)).toEqual([13, 17, 24, 28])
  })

  it('behind them leaves them', () => {
    expect(after(`${text}!`)).toEqual(written)
  })

  it('within one forgets that one', () => {
    expect(after(text.replace('sat', 'set')).map(({ start }) => start)).toEqual([11, 18, 22])
    expect(after('the dog')).toEqual([])
  })

  it('never leaves one that does not stand there as it was written', () => {
    const spelled = (of: string, tokens: WrittenTokens) => tokens.map(({ start, end }) => of.slice(start, end))
    fc.assert(
      fc.property(fc.nat(26), fc.nat(26), fc.string({ maxLength: 8 }), (a, b, typed) => {
        const now = text.slice(0, Math.min(a, b)) + typed + text.slice(Math.max(a, b))
        const all = spelled(text, written)
        const spelling = spelled(now, after(now))
        // Some of what was written, in its order.
        let at = 0
        for (const token of spelling) {
          at = all.indexOf(token, at) + 1
          expect(at).toBeGreaterThan(0)
        }
      }),
    )
  })
})

describe('the speed', () => {
  it('leaves the first token out, which reads the whole text', () => {
    expect(tokensPerSecond([500, 600, 700])).toBe(10)
    expect(tokensPerSecond([500])).toBeUndefined()
    expect(tokensPerSecond([])).toBeUndefined()
  })
})

describe('reading what a model wrote', () => {
  const readable = (text: string) => {
    const spaces = tokenizerSpaces(text)
    return [...text].filter((_, at) => !spaces.has(at)).join('')
  }

  it('has no spaces of the tokenizer', () => {
    expect(readable("' what ' s the matter ? ' ' we ' ll see you . i ' m going")).toBe(
      "'what's the matter?' 'we'll see you. i'm going",
    )
    expect(readable('he said , " come in ! " and ( then ) left')).toBe('he said, "come in!" and (then) left')
    expect(readable("don't touch the boys' house; it's mine.")).toBe("don't touch the boys' house; it's mine.")
  })

  it('tints what the model wrote, and leaves the visitor’s spaces', () => {
    const text = "He said , yes : i ' m going ."
    const start = text.indexOf(' i')
    const written = [
      { start, end: start + 2, continuation: 1 },
      { start: start + 2, end: text.length, continuation: 1 },
    ]
    expect(passages(text, written)).toEqual([
      { text: 'He said , yes :', written: false },
      { text: " i'm going.", written: true },
    ])
    expect(passages('>>hu<<1\tegy', [{ start: 7, end: 11, continuation: 1 }], 8)).toEqual([
      { text: 'egy', written: true },
    ])
    expect(passages('', [])).toEqual([])
  })

  it('begins with the first of several continuations', () => {
    const written = [
      { start: 3, end: 5, continuation: 1 },
      { start: 5, end: 8, continuation: 2 },
    ]
    expect(lastStart(written, 8, 'continuation')).toBe(5)
    expect(lastStart(written, 8, 'writing')).toBe(3)
    expect(lastStart(written, 9, 'writing')).toBeUndefined()
  })
})
