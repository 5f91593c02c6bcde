import { expect, it } from 'vitest'
import { fileName, json } from './files'

it('numbers become JSON by the name of their table', () => {
  const table = { header: ['pair', 'adds'], length: 2, row: (index: number) => [index, index === 0 ? 0.5 : Infinity] }
  expect(json([{ name: 'pairs', table }])).toBe('{"pairs":{"columns":["pair","adds"],"rows":[[0,0.5],[1,null]]}}')
})

it('a file is named by its view and head', () => {
  expect(fileName('map', '2-6', 'csv')).toBe('ropescope-map-2-6.csv')
})
