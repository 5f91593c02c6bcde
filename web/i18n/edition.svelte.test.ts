import { flushSync } from 'svelte'
import { expect, it } from 'vitest'
import { leaveEdition, openEdition } from './edition.svelte'
import { integer, list, plural, writeInLanguageOf } from './numbers'

it('numbers, plurals and lists that were written follow the language of the edition', async () => {
  const written: string[] = []
  const end = $effect.root(() => {
    $effect(
      () => void written.push(`${integer(8192)} ${plural(1, { one: 'one', other: 'other' })} ${list(['a', 'b', 'c'])}`),
    )
  })
  flushSync()
  await openEdition('hu')
  flushSync()
  leaveEdition()
  flushSync()
  expect(written).toEqual(['8,192 one a, b and c', '8192 one a, b és c', '8,192 one a, b and c'])
  end()
})

it('a plural takes the form of its category, or the other one where a language has fewer', () => {
  const forms = { one: 'one', two: 'two', few: 'few', other: 'other' }
  const inLanguage = (language: string) => {
    writeInLanguageOf(() => language)
    return [1, 2, 3, 5, 21].map((count) => plural(count, forms))
  }
  expect(inLanguage('en')).toEqual(['one', 'other', 'other', 'other', 'other'])
  expect(inLanguage('ko')).toEqual(['other', 'other', 'other', 'other', 'other'])
  expect(inLanguage('sl')).toEqual(['one', 'two', 'few', 'other', 'other'])
  expect(plural(2, { other: 'other' })).toBe('other')
})
