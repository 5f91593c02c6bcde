import { expect, test } from 'vitest'
import { csv, csvFile, json, namedTable, pageLength, text } from './table'

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

test('a file says first where its numbers come from, a fact a line', () => {
  const table = namedTable('pairs', ['pair'], [7], (pair) => [pair])
  const facts = { model: 'a, "b"', text: 'two\nlines', changes: { offset: 3 } }
  expect(csvFile([table, table], facts)).toBe(
    '# model: a, "b"\r\n# text: "two\\nlines"\r\n# changes: {"offset":3}\r\npair\r\n7\r\n\r\npair\r\n7\r\n',
  )
  expect(JSON.parse(json([table], facts))).toEqual({ ...facts, tables: { pairs: { columns: ['pair'], rows: [[7]] } } })
})

test('a page has about as many cells whatever its width, and never no row', () => {
  expect(pageLength(4)).toBe(1000)
  expect(pageLength(512)).toBe(10)
  expect(pageLength(0)).toBe(4000)
})

test('numbers become JSON by the name of their table', () => {
  const table = { header: ['pair', 'adds'], length: 2, row: (index: number) => [index, index === 0 ? 0.5 : Infinity] }
  expect(json([{ name: 'pairs', table }])).toBe(
    '{"tables":{"pairs":{"columns":["pair","adds"],"rows":[[0,0.5],[1,null]]}}}',
  )
})

test('a head is L2·H6 in a table and in a file', () => {
  const heads = namedTable('heads', ['head', 'norm'], [0.5], (norm) => [{ layer: 2, head: 6 }, norm])
  expect(heads.table.row(0).map(text)).toEqual(['L2·H6', '0.5'])
  expect(csv(heads.table)).toBe('head,norm\r\nL2·H6,0.5\r\n')
  expect(json([heads])).toBe('{"tables":{"heads":{"columns":["head","norm"],"rows":[["L2·H6",0.5]]}}}')
})
