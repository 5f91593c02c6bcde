// A, B and A − B: three maps with one cursor.
import { columns, thinLabels } from '../../elements/labels'
import type { Mark, Scene } from '../../marks/marks'
import { words } from '../../words/words'
import type { Place } from '../map/model'
import { columnRoom, layOut, rowRoom, type Layout, type Pane } from './layout'
import { paintBar, paintPane, type Paint } from './paint'
import type { Likeness } from './tell'

const said = words.compare

export interface Comparison {
  /** A, B and A − B as they are painted. */
  maps: readonly [Paint, Paint, Paint]
  /** What A and B are. */
  names: readonly [string, string]
  tokens: readonly string[]
  cursor: Place
  likeness: Likeness
}

/** px of a monospace character at 12 px. */
const character = 7.3
/** px of a line of what is read. */
const line = 17
/** px from one label turned by 60 degrees to the next. */
const slanted = 14

export function drawComparison(comparison: Comparison, width: number, height: number): Scene {
  const { maps, cursor } = comparison
  const layout = layOut(width, height, maps[0].length, cursor)
  const panes = layout.panes.flatMap((pane) => [
    paintPane(maps[pane.which], pane),
    { kind: 'rect', x: pane.x, y: pane.y, width: pane.side, height: pane.side, stroke: 'rule' } as const,
    ...cursorMarks(pane, cursor),
    ...(pane.rows ? rowLabels(pane, comparison) : []),
    ...(pane.columns ? columnLabels(pane, comparison) : []),
  ])
  const parts = layout.panes.filter(({ part }) => part)
  const whole = layout.panes.filter(({ part }) => !part)
  const frames = parts.length > 0 ? whole.flatMap((pane) => frame(pane, parts[0])) : []
  return {
    width: layout.width,
    height: layout.height,
    marks: [...panes, ...frames, ...titles(layout, comparison), ...reading(layout, comparison)],
  }
}

/** Where the part lies in the overview. */
function frame(pane: Pane, part: Pane | undefined): Mark[] {
  if (!part) return []
  const pitch = pane.side / pane.count
  const side = part.count * pitch
  const corner = { x: pane.x + part.from.key * pitch, y: pane.y + part.from.query * pitch }
  return [{ kind: 'rect', ...corner, width: side, height: side, stroke: 'ink' }]
}

function cursorMarks({ x, y, side, from, count, part }: Pane, { query, key }: Place): Mark[] {
  const pitch = side / count
  const [row, column] = [query - from.query, key - from.key]
  const [top, left] = [y + row * pitch, x + column * pitch]
  const cell = Math.max(pitch, 3)
  const there = (at: number) => at >= 0 && at < count
  if (!part && pitch < 3) return []
  return [
    ...(there(row) ? [{ kind: 'rect', x, y: top, width: side, height: pitch, stroke: 'query' } as const] : []),
    ...(there(column) ? [{ kind: 'rect', x: left, y, width: pitch, height: side, stroke: 'key' } as const] : []),
    ...(there(row) && there(column)
      ? [{ kind: 'rect', x: left, y: top, width: cell, height: cell, stroke: 'ink', weight: 1.5 } as const]
      : []),
  ]
}

function rowLabels({ x, y, side, from, count }: Pane, { tokens, cursor }: Comparison): Mark[] {
  const pitch = side / count
  return thinLabels(count, pitch, 12, [cursor.query - from.query]).map((row): Mark => {
    const position = from.query + row
    const chosen = position === cursor.query
    const place = { x: x - 5, y: y + (row + 0.5) * pitch + 3.5 }
    const look = chosen ? ({ tone: 'query', bold: true } as const) : {}
    return {
      kind: 'text',
      ...place,
      text: tokens[position] ?? '',
      anchor: 'end',
      face: 'mono',
      size: 10.5,
      room: rowRoom - 6,
      ...look,
    }
  })
}

function columnLabels({ x, y, side, from, count }: Pane, { tokens, cursor }: Comparison): Mark[] {
  const pitch = side / count
  return thinLabels(count, pitch, slanted, [cursor.key - from.key]).map((column): Mark => {
    const position = from.key + column
    const chosen = position === cursor.key
    const place = { x: x + (column + 0.5) * pitch + 3, y: y - 4 }
    const look = chosen ? ({ tone: 'key', bold: true } as const) : {}
    return {
      kind: 'text',
      ...place,
      text: tokens[position] ?? '',
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

function reading({ reading }: Layout, { maps, tokens, cursor, likeness }: Comparison): Mark[] {
  const { x, y, width, column } = reading
  const cell = cursor.query * maps[0].length + cursor.key
  const [a, b] = [maps[0].values[cell] ?? 0, maps[1].values[cell] ?? 0]
  const values = [
    [said.a, said.weight(a)],
    [said.b, said.weight(b)],
    [said.difference, said.signed(a - b)],
  ] as const
  const asks = said.token(tokens[cursor.query] ?? '', cursor.query)
  const answers = said.token(tokens[cursor.key] ?? '', cursor.key)
  const alike = [said.correlation(likeness.r), said.elsewhere(likeness.elsewhere)]
  const number = (at: { x: number; y: number }, [name, value]: (typeof values)[number]): Mark[] => [
    { kind: 'text', ...at, text: name, tone: 'ink', size: 12.5 },
    {
      kind: 'text',
      x: at.x + (name.length > 1 ? 42 : 16),
      y: at.y,
      text: value,
      tone: 'ink',
      face: 'mono',
      bold: true,
      size: 14,
    },
  ]
  const token = (at: { x: number; y: number; room: number }, text: string, tone: 'query' | 'key'): Mark => ({
    kind: 'text',
    ...at,
    text,
    tone,
    face: 'mono',
    size: 12,
    bold: true,
  })
  const shown = alike.filter((text) => text !== '').join(', ')
  if (column === undefined) {
    const row = (at: number) => y + 12 + at * line
    return [
      token({ x, y: row(0), room: width }, asks, 'query'),
      token({ x, y: row(1), room: width }, answers, 'key'),
      ...number({ x, y: row(2.1) }, values[0]),
      ...number({ x: x + 68, y: row(2.1) }, values[1]),
      ...number({ x, y: row(3.1) }, values[2]),
      { kind: 'text', x, y: row(4.1), text: shown, size: 12, room: width },
      ...bar(maps[2].table, x, row(4.5), Math.min(width, 160)),
    ]
  }
  const at = (index: number) => x + index * column
  const room = column - 14
  const beside = Math.min(columns(asks) * character + 14, room / 2)
  return [
    ...values.flatMap((value, index) => number({ x: at(index), y: y + 14 }, value)),
    token({ x: at(0), y: y + 34, room: room / 2 - 10 }, asks, 'query'),
    token({ x: at(0) + beside, y: y + 34, room: room - beside }, answers, 'key'),
    { kind: 'text', x: at(1), y: y + 34, text: shown, size: 12, room },
    ...bar(maps[2].table, at(2), y + 24, Math.min(room, 180)),
  ]
}

/** What the colours of A − B mean. */
function bar(table: Uint8Array, x: number, y: number, width: number): Mark[] {
  return [
    paintBar(table, x, y, width, 8),
    { kind: 'rect', x, y, width, height: 8, stroke: 'rule' },
    { kind: 'text', x, y: y + 21, text: said.bMore, tone: 'negative' },
    { kind: 'text', x: x + width, y: y + 21, text: said.aMore, tone: 'positive', anchor: 'end' },
  ]
}
