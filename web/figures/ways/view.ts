// The published ways to encode positions, on the same tokens with the same weights.
import { ramp } from '../../charts/colour'
import { positionEncodings, type PositionEncodingName } from '../../engine/protocol/mathematics'
import type { Result } from '../../engine/protocol/requests'
import { integer, score } from '../../i18n/numbers'
import { resource, type Resource } from '../../session/resource.svelte'
import { diverging } from '../../styles/colours'
import { t as ui } from '../../ui/messages.en'
import { namedTable, type NamedTable } from '../../ui/table'
import type { Inputs } from '../../views/module'
import { Output, type PanelItem, type PanelRow } from '../../views/output'
import type { WaysParams } from '.'
import { t, type Messages } from './messages.en'
import { tex } from '../../i18n/rich'
import type { Mark, Scene } from '../../charts/marks'

export { t as messages }

export const data = (inputs: Inputs<WaysParams>): WaysData => ({
  scores: resource(inputs.bench.engine, 'positionEncodings', () => {
    const { way, first } = inputs.params
    return { params: { way, first: 0, shifted: first } }
  }),
  // BERT's base size.
  costs: resource(inputs.bench.engine, 'encodingCosts', () => ({
    params: { heads: 12, headSize: 64, positions: 512 },
  })),
})

type Data = ReturnType<typeof data>

export function output(
  { params, scheme, width, height }: Inputs<WaysParams>,
  { scores, costs }: Data,
): Output<WaysParams> {
  const { latest } = scores
  // The maps of another way have other terms.
  const scored = latest?.request.params.way === params.way ? latest.value : undefined
  const rows = { above: rowsAbove(params, scored), below: [[costs.latest && costRows(costs.latest.value, params)]] }
  if (!scored) return Output.ofNoRun({ message: scores.failure?.message, ...rows })
  const { terms, shifted, rope } = scored
  const panels = [...panelsOf(terms, shifted, params.way), ...(rope ? ropePanels(rope.terms, rope.shifted) : [])]
  return Output.ofNoRun({
    scene: drawWays(panels, width, height - 8, ramp(diverging[scheme])),
    stale: scores.stale,
    ...rows,
    published: {
      tables: [scoreTable(terms, shifted), costTable(costs.latest?.value)],
      subject: `${params.way}-${params.first}`,
    },
  })
}

/** The way and where its tokens begin, its equation, and what moving the tokens changes. */
function rowsAbove(
  params: WaysParams,
  scored: Pick<Result<'positionEncodings'>, 'terms' | 'shifted'> | undefined,
): PanelRow<WaysParams>[] {
  return [
    [
      {
        kind: 'select',
        param: 'way',
        label: t().way,
        options: positionEncodings.map((value, at) => ({ value, text: t().names[at] ?? '' })),
      },
      {
        kind: 'slider',
        label: t().first,
        value: params.first,
        stops: [0, 1, 2, 5, 10, 20, 50, 60, 100, 200],
        format: t().at,
        to: (first) => ({ params: { first } }),
      },
    ],
    [{ kind: 'formula', label: ui().formula, formula: equations[params.way] }],
    [scored && { kind: 'text', name: 'value', text: changeOf(scored) }],
  ]
}

function changeOf({ terms, shifted }: Pick<Result<'positionEncodings'>, 'terms' | 'shifted'>): string {
  const moved = largestChange(summed(terms), summed(shifted))
  if (Number.isNaN(moved)) return t().ends(table)
  return moved > rounding ? t().changes(moved) : t().holds
}

const costRows = (costs: Float64Array, { way }: WaysParams): PanelItem<WaysParams> => ({
  kind: 'table',
  label: t().costs,
  caption: t().counted,
  header: t().costColumns,
  rows: positionEncodings.map((_, at) => [t().names[at] ?? '', ...costsOf(costs, at).map(integer)]),
  current: positionEncodings.indexOf(way),
})

export function scoreTable(terms: Float64Array, shifted: Float64Array): NamedTable {
  const [here, there] = [summed(terms), summed(shifted)]
  return namedTable(t().table, t().columns, here, (score, at) => [
    Math.floor(at / tokens),
    at % tokens,
    score,
    there[at] ?? NaN,
  ])
}

export const costTable = (costs: Float64Array | undefined): NamedTable =>
  namedTable(t().costs, t().costColumns, positionEncodings, (_, at) => [t().names[at] ?? '', ...costsOf(costs, at)])

type Term = keyof Messages['terms']

/** Tokens, and rows of a learnt table. */
const tokens = 8
const table = 64
const each = tokens * tokens

const additive = ['content', 'toPlace', 'ofPlace', 'places'] as const

/** The terms of each way, in the engine's order. */
export const termsOf: Readonly<Record<PositionEncodingName, readonly Term[]>> = {
  none: ['content'],
  sinusoidal: additive,
  learned: additive,
  shaw: ['content', 'toDistance'],
  xl: ['content', 'toDistance', 'any', 'anyDistance'],
  t5: ['content', 'bucket'],
  tupe: ['content', 'places', 'bucket'],
  deberta: ['content', 'toDistance', 'ofDistance'],
  alibi: ['content', 'penalty'],
  rope: ['rotated'],
}

/** The score of each way: RoFormer's equations 3 to 16, but Shaw's and Transformer-XL's in the form of their own papers. */
const equations: Readonly<Record<PositionEncodingName, string>> = {
  none: tex`\mathbf{x}_m^\top\mathbf{W}_q^\top\mathbf{W}_k\mathbf{x}_n`,
  sinusoidal: tex`(\mathbf{x}_m+\mathbf{p}_m)^\top\mathbf{W}_q^\top\mathbf{W}_k(\mathbf{x}_n+\mathbf{p}_n)`,
  learned: tex`(\mathbf{x}_m+\mathbf{p}_m)^\top\mathbf{W}_q^\top\mathbf{W}_k(\mathbf{x}_n+\mathbf{p}_n)`,
  shaw: tex`\mathbf{x}_m^\top\mathbf{W}_q^\top(\mathbf{W}_k\mathbf{x}_n+\tilde{\mathbf{p}}_r^k), \; r = \mathrm{clip}(m-n)`,
  xl: tex`\mathbf{x}_m^\top\mathbf{W}_q^\top\mathbf{W}_k\mathbf{x}_n\allowbreak {}+\mathbf{x}_m^\top\mathbf{W}_q^\top\tilde{\mathbf{W}}_k\tilde{\mathbf{p}}_{m-n}\allowbreak {}+\mathbf{u}^\top\mathbf{W}_k\mathbf{x}_n\allowbreak {}+\mathbf{v}^\top\tilde{\mathbf{W}}_k\tilde{\mathbf{p}}_{m-n}`,
  t5: tex`\mathbf{x}_m^\top\mathbf{W}_q^\top\mathbf{W}_k\mathbf{x}_n\allowbreak {}+b_{m-n}`,
  tupe: tex`\mathbf{x}_m^\top\mathbf{W}_q^\top\mathbf{W}_k\mathbf{x}_n\allowbreak {}+\mathbf{p}_m^\top\mathbf{U}_q^\top\mathbf{U}_k\mathbf{p}_n\allowbreak {}+b_{m-n}`,
  deberta: tex`\mathbf{x}_m^\top\mathbf{W}_q^\top\mathbf{W}_k\mathbf{x}_n\allowbreak {}+\mathbf{x}_m^\top\mathbf{W}_q^\top\mathbf{W}_k\tilde{\mathbf{p}}_{m-n}\allowbreak {}+\tilde{\mathbf{p}}_{m-n}^\top\mathbf{W}_q^\top\mathbf{W}_k\mathbf{x}_n`,
  alibi: tex`\mathbf{x}_m^\top\mathbf{W}_q^\top\mathbf{W}_k\mathbf{x}_n\allowbreak {}-\tfrac{1}{2}\,|m-n|`,
  rope: tex`\mathbf{x}_m^\top\mathbf{W}_q^\top\mathbf{R}_{n-m}\mathbf{W}_k\mathbf{x}_n`,
}

/** Maps one after the other, added up. */
export function summed(terms: Float64Array): Float64Array {
  const sum = new Float64Array(each)
  terms.forEach((value, at) => (sum[at % each] = (sum[at % each] ?? 0) + value))
  return sum
}

/** The largest change of a score; NaN where there is none any more. */
export function largestChange(here: Float64Array, there: Float64Array): number {
  return here.reduce((most, value, at) => Math.max(most, Math.abs(value - (there[at] ?? NaN))), 0)
}

interface WaysData {
  scores: Resource<'positionEncodings'>
  /** The numbers that each way learns and holds. */
  costs: Resource<'encodingCosts'>
}

/** What a way learns, in each layer and for all, and what a text takes, in a layer and for all. */
const costsOf = (costs: Float64Array | undefined, way: number): number[] =>
  Array.from(costs?.subarray(4 * way, 4 * way + 4) ?? [])

/** Rounding of sums in double precision. */
const rounding = 1e-9

interface Panel {
  name: string
  numbers: Float64Array
}

/** The maps that are drawn: each term, their sum where there are several, and what moving changes of it. */
export function panelsOf(terms: Float64Array, shifted: Float64Array, way: PositionEncodingName): Panel[] {
  const names = termsOf[way]
  const own = names.map((term, index) => ({
    name: t().terms[term],
    numbers: terms.slice(index * each, (index + 1) * each),
  }))
  const [here, there] = [summed(terms), summed(shifted)]
  const sum = names.length > 1 ? [{ name: t().terms.sum, numbers: here }] : []
  return [...own, ...sum, { name: t().terms.moved, numbers: there.map((value, at) => value - (here[at] ?? NaN)) }]
}

/** RoPE's maps beside those of another way. */
const ropePanels = (terms: Float64Array, shifted: Float64Array): Panel[] =>
  panelsOf(terms, shifted, 'rope').map(({ name, numbers }, index) => ({
    name: index === 0 ? t().ropeName : `${t().ropeName}: ${name}`,
    numbers,
  }))

/** Room of the axes and of the colours. */
const gutter = 22
const foot = 16
const legend = 30
/** The least side of a map, as wide as its title needs: in a lower room the picture is higher than that. */
const leastSide = 124

export function drawWays(panels: readonly Panel[], width: number, height: number, palette: Uint8Array): Scene {
  const gap = 12
  const head = 18
  const room = height - legend
  const widest = (columns: number) => (width - gap * (columns - 1)) / columns - gutter
  const sideWith = (columns: number) => {
    const rows = Math.ceil(panels.length / columns)
    return Math.min(widest(columns), (room - rows * (head + foot + gap)) / rows)
  }
  /** As large as the room lets them be. */
  const best = panels.reduce((best, _, index) => (sideWith(index + 1) > sideWith(best) ? index + 1 : best), 1)
  const isLow = sideWith(best) < leastSide
  const abreast = Math.max(1, Math.floor((width + gap) / (leastSide + gutter + gap)))
  const columns = isLow ? Math.min(abreast, panels.length) : best
  const rows = Math.ceil(panels.length / columns)
  const side = isLow ? Math.min(2 * leastSide, widest(columns)) : sideWith(columns)
  const most = Math.max(
    1e-9,
    ...panels.flatMap(({ numbers }) => Array.from(numbers, (value) => (Number.isFinite(value) ? Math.abs(value) : 0))),
  )
  const marks: Mark[] = panels.flatMap(({ name, numbers }, index): Mark[] => {
    const x = (index % columns) * (side + gutter + gap) + gutter
    const y = Math.floor(index / columns) * (side + head + foot + gap)
    const isSame = !numbers.some((value) => !(Math.abs(value) <= rounding))
    const empty = Array.from(numbers).some((value) => !Number.isFinite(value))
    const greatest = numbers.reduce((one, other) => Math.max(one, Math.abs(other)), 0)
    return [
      {
        kind: 'text',
        x: x - gutter,
        y: y + 12,
        text: empty ? `${name}: ${t().none}` : isSame ? name : `${name} ± ${score(greatest)}`,
        size: 10.5,
        tone: 'ink',
        room: side + gutter + gap,
      },
      {
        kind: 'raster',
        x,
        y: y + head,
        width: side,
        height: side,
        columns: tokens,
        rows: tokens,
        pixels: paint(numbers, most, palette),
      },
      { kind: 'rect', x, y: y + head, width: side, height: side, stroke: 'rule' },
      ...(isSame
        ? [
            {
              kind: 'text',
              x: x + side / 2,
              y: y + head + side / 2 + 4,
              text: t().same(score(0)),
              anchor: 'middle',
              size: 11,
              tone: 'ink',
              room: side,
            } as const,
          ]
        : []),
      ...axes(x, y + head, side),
    ]
  })
  const below = rows * (side + head + foot + gap)
  return { width, height: below + legend, marks: [...marks, ...colours(below, width, most, palette)] }
}

/** Positions of queries, downwards, and of keys, across: the first, the last, and each one where there is room. */
function axes(x: number, y: number, side: number): Mark[] {
  const cell = side / tokens
  const all = Array.from({ length: tokens }, (_, at) => at).filter((at) => cell >= 13 || at % (tokens - 1) === 0)
  const look = { kind: 'text', size: 10, face: 'mono' } as const
  return all.flatMap((at): Mark[] => [
    { ...look, x: x - 4, y: y + (at + 0.5) * cell + 3.5, text: String(at), anchor: 'end', tone: 'query' },
    { ...look, x: x + (at + 0.5) * cell, y: y + side + 12, text: String(at), anchor: 'middle', tone: 'key' },
  ])
}

/** Which colour is which number. */
function colours(y: number, width: number, most: number, palette: Uint8Array): Mark[] {
  const [x, wide] = [64, Math.min(220, width - 130)]
  const steps = Float64Array.from({ length: 65 }, (_, at) => (most * (at - 32)) / 32)
  const text = { kind: 'text', y: y + 16, size: 10.5 } as const
  return [
    { ...text, x: x - 6, text: score(-most), anchor: 'end', face: 'mono' },
    { kind: 'raster', x, y: y + 6, width: wide, height: 12, columns: 65, rows: 1, pixels: paint(steps, most, palette) },
    { kind: 'rect', x, y: y + 6, width: wide, height: 12, stroke: 'rule' },
    { ...text, x: x + wide + 6, text: `+${score(most)}`, face: 'mono' },
  ]
}

/** Signed numbers around the card's own colour; what is none is clear. */
function paint(numbers: Float64Array, most: number, palette: Uint8Array): Uint8ClampedArray<ArrayBuffer> {
  const image = new Uint8ClampedArray(4 * numbers.length)
  numbers.forEach((value, at) => {
    if (!Number.isFinite(value)) return
    const colour = 3 * Math.round(127.5 * (1 + value / most))
    for (let channel = 0; channel < 3; channel++) image[4 * at + channel] = palette[colour + channel] ?? 0
    image[4 * at + 3] = 255
  })
  return image
}
