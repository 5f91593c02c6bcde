import { describe, expect, it } from 'vitest'
import type { ContactResult } from '../../engine/protocol/protocol'
import { barHeight } from '../../charts/attention-map/draw'
import {
  pairsOf,
  partners,
  residueAt,
  drawContacts,
  hitAt,
  layOut,
  residueName,
  type ContactMap,
  headlineOf,
  tablesOf,
} from './view'
import { rowsIn } from '../../charts/bars'

const count = 9
const numbers = new Float32Array(count * count).fill(0.125)
const both = (one: number, other: number, probability: number) => {
  numbers[one * count + other] = probability
  numbers[other * count + one] = probability
}
both(0, 7, 0.75)
both(1, 8, 0.625)
both(2, 3, 1)
const contacts: ContactResult = { run: 1, count, numbers }
const map: ContactMap = {
  contacts,
  tokens: ['<cls>', ...'MKTAYIAKQ', '<eos>'],
  one: 0,
  other: 7,
  palette: new Uint8Array(768),
}
const short: ContactMap = { ...map, contacts: { run: 1, count: 2, numbers: new Float32Array(4) }, other: 1 }

describe('contacts', () => {
  it('are of residues that are not neighbours in the chain, the likeliest first', () => {
    expect(pairsOf(contacts).slice(0, 3)).toEqual([
      { one: 0, other: 7, probability: 0.75 },
      { one: 1, other: 8, probability: 0.625 },
      { one: 0, other: 6, probability: 0.125 },
    ])
    expect(partners(contacts, 0).map(({ other }) => other)).toEqual([7, 6, 8])
    expect(partners(contacts, 4)).toEqual([])
    expect(pairsOf(short.contacts)).toEqual([])
  })

  it('name residues as the tokens count, from 1', () => {
    expect([residueName(map, 0), residueName(map, 8)]).toEqual(['M 1', 'Q 9'])
    expect([0, 1, 9, 10].map((position) => residueAt(position, count))).toEqual([0, 0, 8, 8])
  })
})

describe('the picture', () => {
  it.each([
    [358, 560],
    [440, 280],
    [830, 400],
    [1400, 900],
  ])('fits into %i × %i', (width, height) => {
    const layout = layOut(width, height)
    const { marks, ...scene } = drawContacts(map, layout)
    expect(scene.height).toBeLessThanOrEqual(Math.max(height, 330))
    for (const mark of marks) {
      if (mark.kind === 'rect' || mark.kind === 'raster') {
        expect(mark.x + mark.width).toBeLessThanOrEqual(width + 1)
        expect(mark.y + mark.height).toBeLessThanOrEqual(scene.height + 1)
      }
    }
  })

  it('has a bar of colours beside the map that covers neither it nor the list', () => {
    for (const [width, height] of [
      [358, 560],
      [830, 400],
    ] as const) {
      const { map, list, bar } = layOut(width, height)
      const below = bar.y >= map.y + map.side
      expect(below || bar.x >= map.x + map.side).toBe(true)
      expect(bar.y + barHeight <= list.y - 6 || bar.y >= list.y + list.height).toBe(true)
    }
    const marks = drawContacts(map, layOut(830, 400)).marks
    expect(marks.filter(({ kind }) => kind === 'raster')).toHaveLength(2)
    expect(
      drawContacts({ ...map, palette: undefined }, layOut(830, 400)).marks.some(({ kind }) => kind === 'raster'),
    ).toBe(false)
  })

  it('is read where it is pointed at: two residues, or a row of the list', () => {
    const layout = layOut(830, 400)
    const { map, list } = layout
    const pitch = map.side / count
    expect(hitAt(map.x + 7.5 * pitch, map.y + 0.5 * pitch, layout, count)).toEqual({ one: 0, other: 7 })
    expect(hitAt(list.x + 5, list.y + 30, layout, count)).toEqual({ row: 1 })
    expect(hitAt(list.x + 5, list.y + 24 * rowsIn(list) + 1, layout, count)).toBeUndefined()
    expect(hitAt(-1, 30, layout, count)).toBeUndefined()
  })

  it('says so where no two residues are far enough apart', () => {
    const texts = drawContacts(short, layOut(600, 400)).marks.flatMap((mark) =>
      mark.kind === 'text' ? [mark.text] : [],
    )
    expect(texts).toContain('no residue is 6 or more away')
    expect(headlineOf(short).title).toContain('No two residues')
  })
})

describe('what is told', () => {
  it('is the likeliest pair, and how many are likely', () => {
    const { title, line } = headlineOf(map)
    expect(title).toMatch(/^M 1 and K 8 are the likeliest contact \(75/)
    expect(line).toMatch(/^2 pairs/)
  })

  it('is all of the map, and the pairs', () => {
    const [cells, pairs] = tablesOf(map)
    expect(cells?.table.header).toHaveLength(count + 1)
    expect(cells?.table.row(2).slice(0, 5)).toEqual(['T 3', 0.125, 0.125, 0.125, 1].toSpliced(3, 1, 0.125))
    expect(pairs?.table.row(0)).toEqual(['M 1', 'K 8', 7, 0.75])
    expect(pairs?.table.length).toBe(6)
  })
})
