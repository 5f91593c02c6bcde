// Tokens, lines and the ruler as marks. Lines of one strength are one path.
import { thinLabels } from '../../charts/labels'
import type { Mark, Tone } from '../../charts/marks'
import { acrossOf, extentOf, rowOf, type HeadMap } from '../../charts/attention-map/model'
import type { HeadPlace } from '../../viewstate/choice'
import type { Edges } from './data'
import type { LinesLayout, Side } from './layout'
import { t } from './messages.en'

/** The look of one head's lines. */
export interface Ink {
  tone: Tone
  dash?: string
}

/** Two heads also differ in their dashes, for readers who cannot tell the colours apart. */
export const inks: { alone: Ink; first: Ink; second: Ink } = {
  alone: { tone: 'ink' },
  first: { tone: 'positive' },
  second: { tone: 'negative', dash: '5 3' },
}

export interface LinesOf {
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

export interface TokensOf {
  map: HeadMap
  layout: LinesLayout
  first: number
  selected: { query: number; key: number } | null
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
export function drawRuler(
  layout: LinesLayout,
  first: number,
  map: HeadMap,
  selected: { query: number; key: number } | null,
): Mark[] {
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
