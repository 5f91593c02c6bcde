// The lines of a head, its weights from a threshold on: their layout and marks, with tokens and ruler. Lines of one strength are one path.
import { thinLabels, columns } from '../../charts/labels'
import type { Mark, Tone } from '../../charts/marks'
import { acrossOf, extentOf, rowOf, type HeadMap, type Extent, type Axis } from '../../charts/attention-map/model'
import type { HeadPlace, QueryAndKey } from '../../viewstate/choice'
import { t } from './messages.en'
import { namedTable, type NamedTable } from '../../ui/table'

/** The look of one head's lines. */
interface Ink {
  tone: Tone
  dash?: string
}

/** Two heads also differ in their dashes, for readers who cannot tell the colours apart. */
export const inks: { alone: Ink; first: Ink; second: Ink } = {
  alone: { tone: 'ink' },
  first: { tone: 'positive' },
  second: { tone: 'negative', dash: '5 3' },
}

interface LinesOf {
  edges: Edges
  ink: Ink
  layout: LinesLayout
  /** The first visible token. */
  first: number
  /** The only token whose lines are drawn; null draws all lines. */
  only: Side | null
  /** The selected query, whose lines stand out. */
  query: number | undefined
}

export type Curves = Extract<Mark, { kind: 'path' }>

const strengths = 8
/** The opacity of lines of other queries. */
const faint = 0.45

/** The lines with a visible end, faint ones first. */
export function drawLines({ edges, ink, layout, first, only, query }: LinesOf): Curves[] {
  const { from, to, pitch, rows } = layout
  const middle = round((from + to) / 2)
  const faints = Array.from({ length: strengths + 1 }, (): string[] => [])
  const strong = Array.from({ length: strengths + 1 }, (): string[] => [])
  const isVisible = (at: number) => at >= first && at < first + rows
  const y = (at: number) => round((at - first + 0.5) * pitch)
  for (let line = 0; line < edges.weight.length; line++) {
    const [queryAt, keyAt] = [edges.query[line] ?? 0, edges.key[line] ?? 0]
    if (only && (only.side === 'query' ? queryAt : keyAt) !== only.at) continue
    if (!isVisible(queryAt) && !isVisible(keyAt)) continue
    const strength = Math.max(1, Math.ceil(Math.sqrt(edges.weight[line] ?? 0) * strengths))
    const [start, end] = [y(queryAt), y(keyAt)]
    const stands = only !== null || queryAt === query
    const of = (stands ? strong : faints)[Math.min(strength, strengths)]
    of?.push(`M${from} ${start}C${middle} ${start} ${middle} ${end} ${to} ${end}`)
  }
  const curves = (levels: readonly string[][], part: number) =>
    levels.flatMap((lines, strength): Curves[] => {
      if (lines.length === 0) return []
      const share = strength / strengths
      const look = { stroke: ink.tone, weight: 0.6 + 3 * share * share, opacity: (0.12 + 0.88 * share) * part }
      return [{ kind: 'path', d: lines.join(''), ...look, ...(ink.dash ? { dash: ink.dash } : {}) }]
    })
  return [...curves(faints, faint), ...curves(strong, 1)]
}

const round = (value: number) => Math.round(value * 10) / 10

interface TokensOf {
  map: HeadMap
  layout: LinesLayout
  first: number
  selected: QueryAndKey | null
  pointed: Side | null
  least: number
  format: (weight: number) => string
  /** The colour of the weights. */
  tone: Tone
}

/** The tokens of both columns, and the weights between the column and the pointed or selected token. */
export function drawTokens({
  map,
  layout,
  first,
  selected,
  pointed,
  least,
  format,
  tone: weightTone,
}: TokensOf): Mark[] {
  const { from, to, pitch, rows, name } = layout
  const subject = pointed ?? (selected && ({ side: 'query', at: selected.query } satisfies Side))
  const last = Math.min(first + rows, acrossOf(extentOf(map)))
  const marks: Mark[] = []
  for (let at = first; at < last; at++) {
    const y = (at - first + 0.5) * pitch + 4
    const text = { kind: 'text', face: 'mono', y } as const
    const weight = subject ? weightAt(map, subject, at) : undefined
    const isLine = weight !== undefined && weight >= least && weight > 0
    // Weights stand in the other column: at its outer edge, or in place of the position.
    const opposite = subject?.side === 'query' ? 'key' : 'query'
    const inPlace = isLine && opposite === 'query' && !layout.leftWeights
    for (const side of ['query', 'key'] as const) {
      const { positions, names } = side === 'query' ? map.queries : map.keys
      const position = positions[at]
      // Of cross-attention one column may be longer.
      if (position === undefined) continue
      const is = selected?.[side] === at
      const over = pointed?.side === side && pointed.at === at
      const [x, way, anchor] = side === 'query' ? [from, -1, 'end' as const] : [to, 1, 'start' as const]
      if (over) {
        const wide = name + 40
        const left = side === 'query' ? x - wide - 4 : x + 4
        marks.push({ kind: 'rect', x: left, y: y - 4 - pitch / 2, width: wide, height: pitch, round: 3, fill: 'token' })
      }
      const look = { bold: is, anchor, ...(is ? { role: 'cursor' as const } : {}) }
      if (!inPlace || side === 'key') {
        const tone: Tone = is ? side : 'quiet'
        marks.push({ ...text, ...look, x: x + way * 8, text: String(position), tone, size: 10 })
      }
      const tone: Tone = is ? side : 'ink'
      marks.push({ ...text, ...look, x: x + way * 36, text: names[at] ?? '', tone, size: 12, room: name + 4 })
    }
    if (isLine) {
      const look = { ...text, text: format(weight), tone: weightTone, size: 11, bold: selected?.[opposite] === at }
      if (opposite === 'key') marks.push({ ...look, x: layout.width, anchor: 'end' })
      else if (inPlace) marks.push({ ...look, x: from - 8, anchor: 'end' })
      else marks.push({ ...look, x: from - name - 74, anchor: 'start' })
    }
  }
  return marks
}

function weightAt(map: HeadMap, { side, at }: Side, other: number): number | undefined {
  const [query, key] = side === 'query' ? [at, other] : [other, at]
  return query < map.queries.positions.length ? rowOf(map, query)[key] : undefined
}

/** What stands above the columns of a figure, which has no legend: their names, and of two heads their names. */
export function drawTitles(
  { from, to }: Pick<LinesLayout, 'from' | 'to'>,
  cross: boolean,
  heads: readonly (HeadPlace | undefined)[],
): Mark[] {
  const text = { kind: 'text', y: -6, size: 11, bold: true } as const
  return [
    { ...text, x: from - 8, text: t().queryColumn(cross), tone: 'query', anchor: 'end' },
    { ...text, x: to + 8, text: t().keyColumn(cross), tone: 'key' },
    ...heads.flatMap((head, at): Mark[] => {
      if (!head) return []
      const { tone } = at === 0 ? inks.first : inks.second
      const x = from + ((at + 0.5) / heads.length) * (to - from)
      return [{ ...text, x, text: t().head(at === 0 ? 'A' : 'B', head.layer, head.head), tone, anchor: 'middle' }]
    }),
  ]
}

/** A strip of all positions with a frame around the visible ones. */
export function drawRuler(layout: LinesLayout, first: number, map: HeadMap, selected: QueryAndKey | null): Mark[] {
  const { ruler, rows } = layout
  const count = acrossOf(extentOf(map))
  if (!ruler) return []
  const { x, y, width, height } = ruler
  const step = height / count
  const at = (token: number) => y + (token + 0.5) * step
  // Of cross-attention the columns have other positions: the ruler has those of the longer one.
  const longer = map.queries.positions.length >= count ? 'queries' : 'keys'
  const tone: { tone?: Tone } = map.cross ? { tone: longer === 'queries' ? 'query' : 'key' } : {}
  return [
    { kind: 'rect', x, y, width, height, fill: 'token', stroke: 'rule', weight: 1 },
    ...thinLabels(count, step, 40).map((token): Mark => ({
      kind: 'text',
      x: x - 5,
      y: Math.max(at(token) + 4, y + 8),
      text: String(map[longer].positions[token] ?? ''),
      ...tone,
      anchor: 'end',
      face: 'mono',
      size: 10,
    })),
    {
      kind: 'rect',
      x: x - 1.5,
      y: y + first * step,
      width: width + 3,
      height: rows * step,
      stroke: 'ink',
      weight: 1.5,
    },
    ...(selected
      ? ([
          {
            kind: 'line',
            x1: x,
            x2: x + width,
            y1: at(selected.query),
            y2: at(selected.query),
            stroke: 'query',
            weight: 2,
          },
          { kind: 'line', x1: x, x2: x + width, y1: at(selected.key), y2: at(selected.key), stroke: 'key', weight: 2 },
        ] satisfies Mark[])
      : []),
  ]
}

const character = 7.4
const leastPitch = 15
const greatestPitch = 40
/** The distance of rows where a ruler scrolls them. */
const scrolledPitch = 17
/** Widths of a position, of a weight and of the ruler. */
const position = 30
const weights = 34
const ruler = 44
/** Below this width only the keys have a column of weights. */
const wide = 420

export interface LinesLayout {
  /** Queries end here and keys begin at `to`; lines run between. */
  from: number
  to: number
  /** The distance of two tokens. */
  pitch: number
  /** The number of visible tokens. */
  rows: number
  /** The width of a token's text. */
  name: number
  /** Whether queries have a column of weights; else weights replace the positions. */
  leftWeights: boolean
  /** A strip of all positions; undefined if all tokens are visible. */
  ruler: { x: number; y: number; width: number; height: number } | undefined
  width: number
  height: number
}

/** @param names of both columns @param longest the tokens of the longer column */
export function layOutLines(width: number, height: number, names: readonly string[], longest: number): LinesLayout {
  const count = Math.max(longest, 1)
  const fits = count * leastPitch <= height
  const pitch = fits ? Math.min(Math.floor(height / count), greatestPitch) : scrolledPitch
  const rows = fits ? count : Math.max(4, Math.floor(height / pitch))
  const widest = names.reduce((most, name) => Math.max(most, columns(name) * character), 30)
  const name = Math.ceil(Math.min(widest, Math.max(44, Math.min(width * 0.22, 120))))
  const left = fits ? 0 : ruler
  const labels = name + position + 10
  const leftWeights = width >= wide
  return {
    from: left + labels + (leftWeights ? weights : 0),
    to: width - labels - weights,
    leftWeights,
    pitch,
    rows,
    name,
    ruler: fits ? undefined : { x: 28, y: 2, width: 9, height: rows * pitch - 4 },
    width,
    height: rows * pitch,
  }
}

/** The height of the view: on a phone as tall as a short text needs, even if the page scrolls. */
export function linesHeight(width: number, height: number, count: number): number {
  const phone = width < 480 && height < width * 0.8
  return phone ? Math.max(height, Math.min(count * scrolledPitch, width * 1.5)) : Math.max(height, 200)
}

/** Tokens that stay visible above and below the selected one. */
const margin = 2

/** The first visible token that makes `at` visible; a distant token is centred. */
export function scrollTo(first: number, at: number, rows: number, count: number): number {
  const [least, most] = [at - rows + 1 + margin, at - margin]
  const near = Math.max(Math.min(first, most), least)
  return within(Math.abs(near - first) > margin + 1 ? at - (rows - 1) / 2 : near, rows, count)
}

export function within(first: number, rows: number, count: number): number {
  return Math.max(0, Math.min(Math.round(first), count - rows))
}

/** A token of one side. */
export interface Side {
  side: 'query' | 'key'
  at: number
}

/** The token at (x, y), or null between and outside the columns. */
export function tokenAt(x: number, y: number, layout: LinesLayout, first: number, of: Extent): Side | null {
  const at = first + Math.floor(y / layout.pitch)
  if (y < 0 || y >= layout.height) return null
  const left = layout.ruler ? ruler : 0
  if (x >= left && x < layout.from + 6) return at < of.queries ? { side: 'query', at } : null
  if (x > layout.to - 6 && x <= layout.width) return at < of.keys ? { side: 'key', at } : null
  return null
}

/** The first visible token for a pointer at `y` of the ruler. */
export function rulerTo(y: number, { ruler, rows }: LinesLayout, count: number): number {
  return ruler ? within(((y - ruler.y) / ruler.height) * count - rows / 2, rows, count) : 0
}

/** Lines from queries to keys, one entry a line, in the order of the queries. */
export interface Edges {
  query: Uint32Array
  key: Uint32Array
  weight: Float32Array
}

/** @param least the smallest weight that gets a line */
export function edgesOf(map: HeadMap, least: number): Edges {
  const [query, key, weight]: [number[], number[], number[]] = [[], [], []]
  for (let at = 0; at < map.queries.positions.length; at++) {
    const row = rowOf(map, at)
    for (let other = 0; other < row.length; other++) {
      const value = row[other] ?? 0
      if (value < least || value <= 0) continue
      query.push(at)
      key.push(other)
      weight.push(value)
    }
  }
  return { query: Uint32Array.from(query), key: Uint32Array.from(key), weight: Float32Array.from(weight) }
}

/** One row a line. */
export function tableOf(
  name: string,
  map: HeadMap,
  edges: Edges,
  siteOf?: (query: number, key: number) => string | undefined,
): NamedTable {
  const cells = ({ positions, names }: Axis, at: number) => [positions[at] ?? 0, names[at] ?? '']
  const ends = (line: number) => [
    ...cells(map.queries, edges.query[line] ?? 0),
    ...cells(map.keys, edges.key[line] ?? 0),
  ]
  return namedTable(
    name,
    t().header,
    edges.weight,
    (weight, line) => [...ends(line), weight],
    (_, column, line) => {
      const [query, , key] = ends(line)
      return column === 4 ? siteOf?.(Number(query), Number(key)) : undefined
    },
  )
}
