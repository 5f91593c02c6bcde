import { expect, test } from 'vitest'
import { csv, fileName, json, pageLength } from './table'

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

test('numbers become JSON by the name of their table', () => {
  const table = { header: ['pair', 'adds'], length: 2, row: (index: number) => [index, index === 0 ? 0.5 : Infinity] }
  expect(json([{ name: 'pairs', table }])).toBe('{"pairs":{"columns":["pair","adds"],"rows":[[0,0.5],[1,null]]}}')
})

test('a file is named by its view and head', () => {
  expect(fileName('map', '2-6', 'csv')).toBe('ropescope-map-2-6.csv')
})
