import { describe, expect, it } from 'vitest'
import type { FlowResult } from '../../engine/protocol/protocol'
import { byLayer, fromToken, largestAt, origins, drawFlow, headGrid, hitAt, layOut, type FlowPicture } from './picture'
import { rowsIn } from '../../charts/bars'
import { ellipsis, type Box } from '../../charts/marks'
import type { Action } from '../../ui/keys'
import { cellAfter, headlineOf, tablesOf } from './view'
import { plainHeadline } from '../../testing/outputs'

/** 2 layers of 3 heads on 3 tokens. */
const flow: FlowResult = {
  layers: 2,
  heads: 3,
  length: 3,
  rollout: Float32Array.of(1, 0, 0, 0.25, 0.5, 0.25, 0.125, 0.625, 0.25),
  residual: Float32Array.of(1, 2, 3, 2, 4, 6, 3, 8, 10),
  change: Float32Array.of(1, 2, 6, 2, 5, 2),
  outputs: Float32Array.of(1, 2, 3, 4, 5, 6),
}
const picture: FlowPicture = {
  flow,
  tokens: ['[CLS]', 'a', 'dog'],
  first: 0,
  query: 2,
  key: 1,
  head: { layer: 1, head: 2 },
  palette: new Uint8Array(768),
}
const texts = (of: FlowPicture, width = 440) =>
  drawFlow(of, layOut(width, 400)).marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))

describe('the flow', () => {
  it('lists the origins of a token, the largest part first', () => {
    expect(origins(flow, 2)).toEqual([
      { position: 1, part: 0.625 },
      { position: 2, part: 0.25 },
      { position: 0, part: 0.125 },
    ])
  })

  it('reads norms of one token and their mean, by layer', () => {
    expect(byLayer(flow.residual, 3, 1)).toEqual({ one: [2, 4, 8], mean: [2, 4, 7] })
    expect(largestAt(byLayer(flow.change, 3, 1).one)).toBe(1)
  })
})

const text = fromToken(flow, 1)
const cross = { ...picture, flow: text, tokens: ['a', 'dog'], first: 1, query: 1, key: undefined }

it('has the tokens of the text alone in cross-attention', () => {
  expect([text.length, [...text.rollout]]).toEqual([2, [0.5, 0.25, 0.625, 0.25]])
  expect([...text.residual]).toEqual([2, 3, 4, 6, 8, 10])
  expect(byLayer(text.change, 2, 1)).toEqual({ one: [6, 2], mean: [4, 3.5] })
  expect(texts(cross)).toEqual(expect.arrayContaining(['dog 2', 'a 1']))
  const { marks } = drawFlow(cross, layOut(440, 400))
  expect(marks.some((mark) => mark.kind === 'rect' && mark.stroke === 'key')).toBe(false)
})

it('walks its cells by the arrow keys, in cross-attention its rows', () => {
  expect(cellAfter(picture, 'up')).toEqual({ query: 1, key: 1 })
  expect(cellAfter(picture, 'right')).toEqual({ query: 2, key: 2 })
  expect(['left', 'up', 'first'].map((action) => cellAfter(cross, action as Action))).toEqual(
    Array(3).fill({ query: 0, key: 0 }),
  )
  expect(cellAfter({ ...cross, query: 0 }, 'right')).toEqual({ query: 1, key: 0 })
  expect(cellAfter(cross, 'headOn')).toBeUndefined()
})

describe('its picture', () => {
  it.each([
    [358, 560],
    [440, 280],
    [440, 430],
    [830, 400],
  ])('fits into %i × %i', (width, height) => {
    const scene = drawFlow(picture, layOut(width, height))
    // A phone scrolls.
    if (width >= 400) expect(scene.height).toBeLessThanOrEqual(height)
    for (const mark of scene.marks) {
      if (mark.kind === 'rect' || mark.kind === 'raster') {
        expect(mark.x).toBeGreaterThanOrEqual(-1)
        expect(mark.x + mark.width).toBeLessThanOrEqual(width + 1)
        expect(mark.y + mark.height).toBeLessThanOrEqual(scene.height + 1)
      } else if (mark.kind === 'text') {
        expect(mark.x).toBeLessThanOrEqual(width)
        expect(mark.y).toBeLessThanOrEqual(scene.height)
      }
    }
  })

  it('lists the origins, names the layers, and gives the range of the outputs', () => {
    const drawn = texts(picture)
    expect(drawn).toEqual(
      expect.arrayContaining(['a 1', '62.5\u00a0%', 'dog 2', '25.0\u00a0%', '[CLS] 0', '12.5\u00a0%']),
    )
    expect(drawn).toEqual(
      expect.arrayContaining(['in', 'layer →', 'head →', expect.stringMatching(/^size of each head’s output/)]),
    )
  })

  it('cuts no name of nine letters on a phone', () => {
    const long = { ...picture, tokens: picture.tokens.map(() => 'beautiful') }
    for (const mark of drawFlow(long, layOut(358, 560)).marks)
      if (mark.kind === 'text') expect(ellipsis(mark)).toBe(mark.text)
  })

  it('names the queries beside the map where they fit', () => {
    const named = (length: number) =>
      drawFlow(picture, layOut(830, 400, length)).marks.flatMap((mark) =>
        mark.kind === 'text' && mark.anchor === 'end' && mark.face === 'mono' ? [mark.text] : [],
      )
    expect(named(3)).toEqual(expect.arrayContaining(['[CLS]', 'a', 'dog']))
    expect(named(300)).not.toContain('dog')
  })

  it('outlines the selected head, query and key alone', () => {
    const { marks } = drawFlow(picture, layOut(440, 400))
    const strokes = marks.flatMap((mark) => (mark.kind === 'rect' && (mark.weight ?? 0) > 1 ? [mark.stroke] : []))
    expect(strokes).toEqual(['key', 'query', 'ink'])
  })

  it('lists all origins in as many columns as fit', () => {
    const layout = layOut(950, 440, 22)
    const { listColumns } = layout
    expect(listColumns.map(rowsIn)).toEqual([8, 8, 8])
    const [, second] = listColumns as [Box, Box]
    expect(hitAt(second.x + 5, second.y + 30, layout, flow)).toEqual({ row: 9 })
    expect(layOut(358, 440, 22).listColumns).toHaveLength(1)
    // On a phone each panel has the width, and its title is read to its end.
    const phone = layOut(358, 440, 22)
    expect(phone.panels.map(({ x, width }) => [x, width])).toEqual([
      [0, 358],
      [0, 358],
      [0, 358],
    ])
    expect(phone.height).toBeGreaterThan(phone.panels[2].y)
    // The map has it, too: the list is below.
    expect(phone.map.x + phone.map.side).toBe(358)
    const [list] = phone.listColumns as [Box]
    expect(list.y).toBeGreaterThan(phone.map.y + phone.map.side)
    expect(hitAt(20, list.y + 30, phone, flow)).toEqual({ row: 1 })
  })

  it('knows what is at a place', () => {
    const layout = layOut(440, 400)
    const { map, listColumns, panels } = layout
    const [list] = listColumns as [Box, ...Box[]]
    const at = (x: number, y: number) => hitAt(x, y, layout, flow)
    const cell = map.side / 3
    expect(at(map.x + 2.5 * cell, map.y + 0.5 * cell)).toEqual({ query: 0, key: 2 })
    expect(at(list.x + 5, list.y + 30)).toEqual({ row: 1 })
    expect(at(list.x + 5, list.y + rowsIn(list) * 24 + 1)).toBeUndefined()
    const grid = headGrid(panels[2], 2, 3)
    expect(at(grid.x + 2.5 * grid.pitch, grid.y + 1.5 * grid.pitch)).toEqual({ layer: 1, head: 2 })
    expect(at(2, map.y + map.side + 5)).toBeUndefined()
  })
})

describe('its headline and tables', () => {
  it('are of its numbers', () => {
    expect(plainHeadline(headlineOf(picture))).toEqual({
      title: 'dog 2 keeps 25.0\u00a0% of itself. Its largest other source is a 1: 62.5\u00a0%.',
      line: 'By attention alone. Its norm goes from 3.0 to 10.0; layer 0 changes it most, by 6.0. Head L1·H2 has the largest output.',
    })
    expect(plainHeadline(headlineOf({ ...picture, query: 0 }))).toEqual({
      title: '[CLS] 0 takes everything from itself.',
      line: 'By attention alone. Its norm goes from 1.0 to 3.0; layer 1 changes it most, by 2.0. Head L1·H2 has the largest output.',
    })
    expect(plainHeadline(headlineOf(cross))?.title).toBe(
      'dog 2 keeps 25.0\u00a0% of itself. Its largest other source is a 1: 62.5\u00a0%.',
    )
  })

  it('hold every number', () => {
    const [rollout, norms, heads] = tablesOf(picture).map(({ table }) => table)
    expect(rollout?.row(2)).toEqual(['dog 2', 0.125, 0.625, 0.25])
    expect(norms?.length).toBe(9)
    expect([norms?.row(1), norms?.row(5)]).toEqual([
      [0, 'a 1', 2, ''],
      [1, 'dog 2', 6, 6],
    ])
    expect(heads?.row(5)).toEqual([{ layer: 1, head: 2 }, 6])
  })
})
