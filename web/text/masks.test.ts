import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { difference, movePlace } from './edit'
import { fill, hiddenWord, hide, retype, reveal, type Draft } from './masks'

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
