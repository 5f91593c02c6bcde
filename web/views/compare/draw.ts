// A, B and A − B: maps with one cursor.
import { compare } from '../../i18n/en/views/compare'
import { thinLabels } from '../../charts/labels'
import type { Mark, Scene } from '../../charts/marks'
import { gaps, nearest, type Alignment, type Spot } from './align'
import { hasOwnTokens, sideOf, type Comparison } from './comparison'
import { columnRoom, layOut, rowRoom, type Layout, type Maps, type Pane, type Room } from './layout'
import { forbidden } from '../../charts/attention-map/draw'
import { paintPane, type Paint } from './paint'
import { drawReading } from './reading'

const said = compare

/** px from one label turned by 60 degrees to the next. */
const slanted = 14

/** What the layout depends on. */
export function mapsOf({ maps, tokens, spots, alignment }: Omit<Comparison, 'likeness' | 'names'>): Maps {
  const [a, b] = spots
  const lengths = [maps[0].length, maps[1].length] as const
  return {
    lengths,
    centres: [nearest(a, b, alignment.toA, lengths[0]), nearest(b, a, alignment.toB, lengths[1])],
    apart: hasOwnTokens({ tokens }),
    subtracted: alignment.compared !== 'none',
  }
}

export function drawComparison(comparison: Comparison, room: Room): Scene {
  const { maps, spots } = comparison
  const layout = layOut(room, mapsOf(comparison))
  const panes = layout.panes.flatMap((pane) => [
    paintPane(maps[pane.which], pane),
    ...masked(pane, maps[pane.which]),
    ...(pane.which === 2 ? notCompared(pane, comparison.alignment) : []),
    { kind: 'rect', x: pane.x, y: pane.y, width: pane.side, height: pane.side, stroke: 'rule' } as const,
    ...cursorMarks(pane, spots[sideOf(pane.which)]),
    ...(pane.rows ? rowLabels(pane, comparison) : []),
    ...(pane.columns ? columnLabels(pane, comparison) : []),
  ])
  const frames = layout.panes
    .filter(({ part }) => !part)
    .flatMap((pane) =>
      frame(
        pane,
        layout.panes.find(({ part, which }) => part && which === pane.which),
      ),
    )
  return {
    width: layout.width,
    height: layout.height,
    marks: [...panes, ...frames, ...titles(layout, comparison), ...drawReading(layout.reading, comparison)],
  }
}

/** What the mask forbids, as on the map. */
function masked({ x, y, side, from, count }: Pane, { causal = false }: Paint): Mark[] {
  return forbidden({ causal }, { x, y, side, pitch: side / count }, { ...from, size: count })
}

/** Where the part lies in the overview. */
function frame(pane: Pane, part: Pane | undefined): Mark[] {
  if (!part) return []
  const pitch = pane.side / pane.count
  const side = part.count * pitch
  const corner = { x: pane.x + part.from.key * pitch, y: pane.y + part.from.query * pitch }
  return [{ kind: 'rect', ...corner, width: side, height: side, stroke: 'ink' }]
}

/** A quiet ground where A has tokens that B has not. */
function notCompared({ x, y, side, from, count }: Pane, { toB }: Alignment): Mark[] {
  const pitch = side / count
  const box = (left: number, top: number, width: number, height: number) =>
    `M${round(left)} ${round(top)}h${round(width)}v${round(height)}h${round(-width)}Z`
  const boxes = gaps(toB).flatMap(([first, end]) => {
    const span = (start: number) => {
      const [low, high] = [Math.max(first - start, 0), Math.min(end - start, count)]
      return { from: low * pitch, size: Math.max(0, high - low) * pitch }
    }
    const [down, across] = [span(from.query), span(from.key)]
    return [
      ...(down.size > 0 ? [box(x, y + down.from, side, down.size)] : []),
      ...(across.size > 0 ? [box(x + across.from, y, across.size, side)] : []),
    ]
  })
  return boxes.length === 0 ? [] : [{ kind: 'path', d: boxes.join(''), fill: 'rule', opacity: 0.45 }]
}

const round = (value: number) => Math.round(value * 100) / 100

function cursorMarks({ x, y, side, from, count, part }: Pane, { query, key }: Spot): Mark[] {
  const pitch = side / count
  const cell = Math.max(pitch, 3)
  const inside = (at: number | null, first: number) =>
    at !== null && at >= first && at < first + count ? (at - first) * pitch : undefined
  const [row, column] = [inside(query, from.query), inside(key, from.key)]
  if (!part && pitch < 3) return []
  return [
    ...(row === undefined
      ? []
      : [{ kind: 'rect', x, y: y + row, width: side, height: pitch, stroke: 'query' } as const]),
    ...(column === undefined
      ? []
      : [{ kind: 'rect', x: x + column, y, width: pitch, height: side, stroke: 'key' } as const]),
    ...(row === undefined || column === undefined
      ? []
      : [{ kind: 'rect', x: x + column, y: y + row, width: cell, height: cell, stroke: 'ink', weight: 1.5 } as const]),
  ]
}

function rowLabels({ which, x, y, side, from, count }: Pane, { tokens, spots }: Comparison): Mark[] {
  const pitch = side / count
  const at = sideOf(which)
  const { query } = spots[at]
  return thinLabels(count, pitch, 12, query === null ? [] : [query - from.query]).map((row): Mark => {
    const position = from.query + row
    const place = { x: x - 5, y: y + (row + 0.5) * pitch + 3.5 }
    const look = position === query ? ({ tone: 'query', bold: true } as const) : {}
    return {
      kind: 'text',
      ...place,
      text: tokens[at][position] ?? '',
      anchor: 'end',
      face: 'mono',
      size: 10.5,
      room: rowRoom - 6,
      ...look,
    }
  })
}

function columnLabels({ which, x, y, side, from, count }: Pane, { tokens, spots }: Comparison): Mark[] {
  const pitch = side / count
  const at = sideOf(which)
  const { key } = spots[at]
  return thinLabels(count, pitch, slanted, key === null ? [] : [key - from.key]).map((column): Mark => {
    const position = from.key + column
    const place = { x: x + (column + 0.5) * pitch + 3, y: y - 4 }
    const look = position === key ? ({ tone: 'key', bold: true } as const) : {}
    return {
      kind: 'text',
      ...place,
      text: tokens[at][position] ?? '',
      face: 'mono',
      size: 10.5,
      turn: 60,
      room: columnRoom + 2,
      ...look,
    }
  })
}

function titles({ titles }: Layout, { names }: Comparison): Mark[] {
  const letters = [said.a, said.b, said.difference]
  return titles.flatMap(({ which, x, y, side }): Mark[] => {
    const name = which === 2 ? undefined : names[which]
    return [
      { kind: 'text', x, y: y + 14, text: letters[which] ?? '', tone: 'ink', face: 'serif', bold: true, size: 14.5 },
      ...(name === undefined
        ? []
        : [{ kind: 'text', x: x + 18, y: y + 14, text: name, size: 12, room: side - 18 } as const]),
    ]
  })
}
