import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

import { difference, direction, followPosition, moveCaret } from './edit'
import { TextTokenizer } from './tokenizer'

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
