import { expect, it } from 'vitest'
import { differenceAt, drawDifferences } from './view'
import { layOut } from './layout'
import { alignSame, mostDifferent } from './maps'
import { mapsOf, type ComparePicture } from './picture'

const length = 22
const values = Float32Array.from({ length: length * length }, (_, at) => ((at * 37) % 101) / 1000 - 0.05)
values[5 * length + 3] = -0.75
values[9 * length + 8] = 0.5
values[0] = NaN
const table = new Uint8Array(768)
const map = (of: Float32Array) => ({ values: of, length, table, entry: () => 0 })
const tokens = Array.from({ length }, (_, at) => `t${at}`)
const spot = { query: 3, key: 2 }
const picture: ComparePicture = {
  maps: [map(values), map(values), map(values)],
  names: ['one', 'other'],
  tokens: [tokens, tokens],
  spots: [spot, spot],
  alignment: alignSame(length),
  likeness: { r: 0, elsewhere: 0, byDistance: 1 },
}
const at = (height: number) => layOut({ width: 1000, height, only: undefined }, mapsOf(picture))

it('finds the cells with the largest differences, whatever their sign', () => {
  const found = mostDifferent(values, length)
  expect(found.slice(0, 2)).toEqual([
    { query: 5, key: 3 },
    { query: 9, key: 8 },
  ])
  const sizes = found.map(({ query, key }) => Math.abs(values[query * length + key] ?? NaN))
  expect(sizes).toEqual(
    [...values]
      .map(Math.abs)
      .filter((size) => size > 0)
      .sort((one, other) => other - one)
      .slice(0, 12),
  )
})

it('lists them where the maps leave room, inside of the picture, and selects the one that is clicked', () => {
  const texts = (height: number) =>
    drawDifferences(at(height), picture).flatMap((mark) => (mark.kind === 'text' ? [mark] : []))
  expect(texts(450)).toEqual([])
  const drawn = texts(640)
  expect(drawn.map(({ text }) => text)).toEqual(expect.arrayContaining(['t5 5 → t3 3', '−0.75', 't9 9 → t8 8']))
  expect(Math.max(...drawn.map(({ y }) => y))).toBeLessThan(640)
  const second = drawn.find(({ text }) => text === 't9 9 → t8 8')
  expect(differenceAt(second!.x + 2, second!.y - 4, at(640), picture)).toEqual({ query: 9, key: 8 })
  expect(differenceAt(second!.x, 20, at(640), picture)).toBeUndefined()
})
