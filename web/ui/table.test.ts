import { expect, test } from 'vitest'
import { csv, pageLength } from './table'

test('CSV quotes what needs it', () => {
  const table = {
    header: ['token', 'weight'],
    length: 2,
    row: (index: number) =>
      [
        [',', 0.5],
        ['say "hi"', 1],
      ][index] ?? [],
  }
  expect(csv(table)).toBe('token,weight\r\n",",0.5\r\n"say ""hi""",1\r\n')
})

test('a page has about as many cells whatever its width, and never no row', () => {
  expect(pageLength(4)).toBe(1000)
  expect(pageLength(512)).toBe(10)
  expect(pageLength(0)).toBe(4000)
})
