import { readFileSync } from 'node:fs'
import { expect, it, describe } from 'vitest'
import {
  difference,
  direction,
  followPosition,
  moveCaret,
  movePlace,
  fill,
  hiddenWord,
  hide,
  retype,
  reveal,
  type Draft,
} from './edit'
import { TextTokenizer } from './tokenizer'
import fc from 'fast-check'

const tokenizer = TextTokenizer.open({ tokenizer: readFileSync('models/roformer-english/tokenizer.json', 'utf8') })

function follow(before: string, after: string, position: number): string | undefined {
  const old = tokenizer.encode(before)
  const now = tokenizer.encode(after)
  return now.tokens[followPosition(position, old, now, difference(before, after))]
}

it('a chosen token stays chosen while words come and go before it', () => {
  const before = 'the dog sat on the floor'
  expect(follow(before, 'look , the dog sat on the floor', 2)).toBe('dog')
  expect(follow(before, 'dog sat on the floor', 6)).toBe('floor')
  expect(follow(before, `${before} and looked`, 7)).toBe('[SEP]')
  expect(follow(before, 'a cat and the dog sat on the floor', 0)).toBe('[CLS]')
})

it('a chosen token that is masked is its mask', () => {
  expect(follow('the dog sat', 'the [MASK] sat', 2)).toBe('[MASK]')
})

it('a chosen token that is gone leaves a position that exists', () => {
  expect(follow('the dog sat on the floor', '', 5)).toBe('[SEP]')
})

it('a text runs in the direction of its first letter', () => {
  expect(direction('[MASK] שלום world')).toBe('rtl')
  expect(direction('1. مرحبا')).toBe('rtl')
  expect(direction('hello שלום')).toBe('ltr')
  expect(direction('')).toBe('ltr')
})

it('a caret stays at its place in a text that is replaced', () => {
  const caret = (before: string, after: string, place: number) => moveCaret(place, difference(before, after))
  expect(caret('the old cat', 'the cat', 8)).toBe(4)
  expect(caret('the old cat', 'the cat', 6)).toBe(4)
  expect(caret('the cat', 'the old cat', 4)).toBe(8)
  expect(caret('the cat', 'the cat sat', 2)).toBe(2)
  expect(caret('the cat', 'the cat sat', 7)).toBe(11)
})

const mask = '[MASK]'
const draft = (text: string): Draft => ({ text, masked: [] })
const span = (text: string, word: string) => ({ start: text.indexOf(word), end: text.indexOf(word) + word.length })

describe('masking a word', () => {
  it('puts [MASK] in its place, and a click gives the word back', () => {
    const before = draft('The little dog sat.')
    const masked = hide(before, span(before.text, 'dog'), mask)
    expect(masked.text).toBe('The little [MASK] sat.')
    expect(hiddenWord(masked, span(masked.text, '[MASK]'))).toBe('dog')
    expect(reveal(masked, span(masked.text, '[MASK]'))).toEqual(before)
  })

  it('keeps several words apart, in any order of clicks', () => {
    let now = draft('one two three')
    now = hide(now, span(now.text, 'three'), mask)
    now = hide(now, span(now.text, 'one'), mask)
    expect(now.text).toBe('[MASK] two [MASK]')
    const first = reveal(now, { start: 0, end: 6 })
    expect(first?.text).toBe('one two [MASK]')
    expect(first && reveal(first, span(first.text, '[MASK]'))?.text).toBe('one two three')
  })

  it('knows nothing of a [MASK] that was typed', () => {
    expect(reveal(draft('a [MASK]'), { start: 2, end: 8 })).toBeNull()
  })

  it('remembers the word while one types around it, and forgets it with its mask', () => {
    const masked = hide(draft('the dog sat'), { start: 4, end: 7 }, mask)
    const longer = retype(retype(masked, 'Look: the [MASK] sat', mask), 'Look: the [MASK] sat down', mask)
    expect(reveal(longer, span(longer.text, '[MASK]'))?.text).toBe('Look: the dog sat down')
    expect(retype(masked, 'the cat sat', mask).masked).toEqual([])
    expect(retype(masked, '', mask).masked).toEqual([])
  })
})

describe('another mask token', () => {
  it('hides and gives back like any', () => {
    const masked = hide(draft('the dog sat'), { start: 4, end: 7 }, '<mask>')
    expect(masked.text).toBe('the <mask> sat')
    const longer = retype(masked, 'Look: the <mask> sat', '<mask>')
    expect(reveal(longer, span(longer.text, '<mask>'))?.text).toBe('Look: the dog sat')
    expect(retype(masked, 'Look: the <mask> sat', undefined).masked).toEqual([])
  })
})

describe('putting a fill in', () => {
  it('joins a continuation to the word before it', () => {
    expect(fill(draft('play [MASK] now'), { start: 5, end: 11 }, 'ing').text).toBe('playing now')
  })
  it('keeps whole words apart from letters beside them', () => {
    expect(fill(draft('un[MASK]ed'), { start: 2, end: 8 }, ' table').text).toBe('un table ed')
    expect(fill(draft('the [MASK].'), { start: 4, end: 10 }, ' mat').text).toBe('the mat.')
  })
})

describe('differences', () => {
  it('turn the old text into the new, and move what they leave alone', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 12 })
    fc.assert(
      fc.property(letters, letters, letters, letters, (head, from, to, tail) => {
        const before = head + from + tail
        const after = head + to + tail
        const edit = difference(before, after)
        expect(before.slice(0, edit.start) + after.slice(edit.start, edit.after) + before.slice(edit.before)).toBe(
          after,
        )
        for (let place = 0; place < before.length; place++) {
          const now = movePlace(place, edit)
          if (now !== null && (place < edit.start || place >= edit.before)) expect(after[now]).toBe(before[place])
        }
      }),
    )
  })
})
