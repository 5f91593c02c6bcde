// What is read of the chosen query and key: both weights, their difference, and how alike the maps are.
import { compare } from '../../i18n/en/views/compare'
import { columns } from '../../charts/labels'
import type { Mark } from '../../charts/marks'
import type { Spot } from './align'
import { hasOwnTokens, type Comparison } from './comparison'
import type { Layout } from './layout'
import { paintBar, type Paint } from './paint'

const said = compare

/** px of a monospace character at 12 px. */
const character = 7.3
/** px of a line of what is read. */
const line = 17

/** Undefined where the map has no such cell, or nothing to say of it. */
export function weightAt(
  { values, length }: Pick<Paint, 'values' | 'length'>,
  { query, key }: Spot,
): number | undefined {
  const weight = query === null || key === null ? undefined : values[query * length + key]
  return weight === undefined || Number.isNaN(weight) ? undefined : weight
}

export function drawReading({ x, y, width, column }: Layout['reading'], comparison: Comparison): Mark[] {
  const { maps, spots, alignment, likeness } = comparison
  const subtracted = alignment.compared !== 'none'
  const [a, b, left] = [weightAt(maps[0], spots[0]), weightAt(maps[1], spots[1]), weightAt(maps[2], spots[0])]
  const values = [
    [said.a, a === undefined ? said.none : said.weight(a)],
    [said.b, b === undefined ? said.none : said.weight(b)],
    [said.difference, left === undefined ? said.none : said.signed(left)],
  ] as const
  const [asks, answers] = [tokenIn(comparison, 'query'), tokenIn(comparison, 'key')]
  const alike = subtracted
    ? [said.correlation(likeness.r), said.elsewhere(likeness.elsewhere)].filter((text) => text !== '').join(', ')
    : said.byDistance(likeness.byDistance)
  if (column === undefined) {
    const row = (at: number) => y + 12 + at * line
    return [
      token({ x, y: row(0), room: width }, asks, 'query'),
      token({ x, y: row(1), room: width }, answers, 'key'),
      ...number({ x, y: row(2.1) }, values[0]),
      ...number({ x: x + 68, y: row(2.1) }, values[1]),
      ...(subtracted ? number({ x, y: row(3.1) }, values[2]) : []),
      { kind: 'text', x, y: row(subtracted ? 4.1 : 3.1), text: alike, size: 12, room: width },
      ...(subtracted ? bar(maps[2].table, x, row(4.5), Math.min(width, 160)) : []),
    ]
  }
  const at = (index: number) => x + index * column
  const room = column - 14
  const chosen = (side: 0 | 1): Mark[] => {
    const [query, key] = [tokenAt(comparison, side, 'query'), tokenAt(comparison, side, 'key')]
    const beside = Math.min(columns(query) * character + 14, room / 2)
    return [
      token({ x: at(side), y: y + 34, room: room / 2 - 10 }, query, 'query'),
      token({ x: at(side) + beside, y: y + 34, room: room - beside }, key, 'key'),
    ]
  }
  const numbers = values
    .slice(0, subtracted ? 3 : 2)
    .flatMap((value, index) => number({ x: at(index), y: y + 14 }, value))
  const text = { kind: 'text', text: alike, size: 12, room } as const
  const ramp = (top: number) => (subtracted ? bar(maps[2].table, at(2), y + top, Math.min(room, 180)) : [])
  if (!hasOwnTokens(comparison)) return [...numbers, ...chosen(0), { ...text, x: at(1), y: y + 34 }, ...ramp(24)]
  const below = subtracted ? { x: at(2), y: y + 34 } : { x: at(0), y: y + 56, room: width }
  return [...numbers, ...chosen(0), ...chosen(1), { ...text, ...below }, ...ramp(42)]
}

function tokenAt({ tokens, spots }: Comparison, side: 0 | 1, axis: 'query' | 'key'): string {
  const at = spots[side][axis]
  return at === null ? said.none : said.token(tokens[side][at] ?? '', at)
}

/** The chosen token of A, and B's where that is another one. */
function tokenIn(comparison: Comparison, axis: 'query' | 'key'): string {
  const [a, b] = [tokenAt(comparison, 0, axis), tokenAt(comparison, 1, axis)]
  return a === b ? a : said.both(a, b)
}

function number(at: { x: number; y: number }, [name, value]: readonly [string, string]): Mark[] {
  const beside = at.x + (name.length > 1 ? 42 : 16)
  return [
    { kind: 'text', ...at, text: name, tone: 'ink', size: 12.5 },
    { kind: 'text', x: beside, y: at.y, text: value, tone: 'ink', face: 'mono', bold: true, size: 14 },
  ]
}

function token(at: { x: number; y: number; room: number }, text: string, tone: 'query' | 'key'): Mark {
  return { kind: 'text', ...at, text, tone, face: 'mono', size: 12, bold: true }
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
