// The lengths of a row and of its pairs: turning keeps them, adding a position does not.
import { resource } from '../../session/resource.svelte'
import { equalRow, Ruler } from '../../session/ruler.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import type { Inputs } from '../../views/module'
import { Output, type Picture } from '../../views/output'
import { largestParts, siteOfQuery, type Part } from '../../views/sites'
import type { Run } from '../../session/runs.svelte'
import { t } from './messages.en'
import { chart } from '../../charts/chart'
import type { Mark, Scene, Size } from '../../charts/marks'
import { decimal, plain } from '../../i18n/numbers'

export { t as messages }

export function data({ bench }: Inputs) {
  const ruler = new Ruler(bench)
  return resource(bench.engine, 'norms', () => {
    const { headSize, base, m, head, ownRows, ownTheta } = ruler
    const { vectors } = bench.choice
    const row = ownRows?.query ?? (vectors === 'equal' ? equalRow(headSize) : undefined)
    const subject = head ? `${head.head.run}-${head.head.layer}-${head.head.head}` : vectors
    return {
      params: { headSize, base, position: m, row, theta: ownTheta, rotated: head !== undefined, seed: 1 },
      run: head,
      subject: [headSize, base, m, subject].join('-'),
    }
  })
}

type Data = ReturnType<typeof data>

export function output({ width, height }: Inputs, { latest, stale, failure }: Data) {
  if (!latest) return failure ? Output.message(failure.message) : Output.empty()
  const { before, rotated, added } = latest.value
  const lengths = { before: lengthsOf(before), rotated: lengthsOf(rotated), added: lengthsOf(added) }
  const { params, run, subject } = latest.request
  const sentence = t().changed(
    params.position,
    rounding(largestChange(lengths.before, lengths.rotated)),
    plain(largestChange(lengths.before, lengths.added)),
  )
  const picture: Picture<unknown> = {
    scene: drawNorms(lengths, { width, height: Math.max(280, height - 4) }),
    label: t().help,
    below: [[{ kind: 'text', name: 'scene-caption', text: sentence }]],
    stale,
    published: { tables: [tableOf(lengths)], parts: run && partsOfQuery(run, params.position), subject },
  }
  return run ? Output.of(run, picture) : Output.ofNoRun(picture)
}

/** The largest components of a head's query, whose squares add up to the square of its length. */
function partsOfQuery(run: Run, position: number): Part[] {
  const { layer, head, query } = run.head
  const size = run.model.info.head_size
  return largestParts(
    Array.from(query.subarray(position * size, (position + 1) * size), (value, column) => ({
      value,
      site: siteOfQuery({ layer, head, query: position, column }, run),
    })),
  )
}

/** Rounding is a power of ten. */
const rounding = (change: number) => (change < 1e-6 ? change.toExponential(0) : plain(change))

export function tableOf(lengths: Readonly<Record<LengthKind, Lengths>>): NamedTable {
  const { length } = lengths.before.pairs
  const header = [t().pair, ...kinds.map((kind) => t().kinds[kind])]
  return namedTable(t().table, header, { length: length + 1 }, (_, at) =>
    at < length
      ? [at, ...kinds.map((kind) => lengths[kind].pairs[at] ?? NaN)]
      : [t().row, ...kinds.map((kind) => lengths[kind].row)],
  )
}

type LengthKind = 'before' | 'rotated' | 'added'
const kinds = ['before', 'rotated', 'added'] as const

/** The lengths of a row and of its pairs. */
export interface Lengths {
  pairs: number[]
  row: number
}

/** row: (2 · pairs), neighbours a pair. */
export function lengthsOf(row: Float64Array): Lengths {
  const pairs = Array.from({ length: row.length / 2 }, (_, pair) => Math.hypot(...row.subarray(2 * pair, 2 * pair + 2)))
  return { pairs, row: Math.hypot(...row) }
}

/** The largest change of a pair's length. */
export const largestChange = (before: Lengths, after: Lengths): number =>
  before.pairs.reduce((most, length, pair) => Math.max(most, Math.abs((after.pairs[pair] ?? NaN) - length)), 0)

export function drawNorms(lengths: Readonly<Record<LengthKind, Lengths>>, { width, height }: Size): Scene {
  const { before, rotated, added } = lengths
  const pairs = before.pairs.length
  const below = 24 * kinds.length + 26
  const most = Math.max(0.1, ...kinds.flatMap((kind) => lengths[kind].pairs)) * 1.08
  const plan = chart(
    { x: 0, y: 0, width, height: height - below },
    { from: -0.5, to: pairs - 0.5, name: t().pair, integers: true },
    { from: 0, to: most, name: t().length },
    [],
  )
  const cell = (plan.right - plan.left) / pairs
  const wide = Math.max(1.5, cell * 0.72)
  const marks: Mark[] = [...plan.marks]
  const level = (pair: number, length: number, stroke: 'ink' | 'negative'): Mark => {
    const [x, y] = [plan.x(pair), plan.y(length)]
    return { kind: 'line', x1: x - wide / 2, x2: x + wide / 2, y1: y, y2: y, stroke, weight: 2 }
  }
  before.pairs.forEach((length, pair) => {
    const y = plan.y(length)
    marks.push(
      { kind: 'rect', x: plan.x(pair) - wide / 2, y, width: wide, height: plan.bottom - y, fill: 'bar', opacity: 0.55 },
      level(pair, added.pairs[pair] ?? NaN, 'negative'),
      level(pair, rotated.pairs[pair] ?? NaN, 'ink'),
    )
  })
  const top = height - below
  marks.push({ kind: 'text', x: 0, y: top + 14, text: t().row, size: 10.5 })
  const longest = Math.max(...kinds.map((kind) => lengths[kind].row), 1e-9)
  const from = Math.min(150, width * 0.36)
  kinds.forEach((kind, index) => {
    const y = top + 24 + 24 * index
    const { row } = lengths[kind]
    const end = from + (row / longest) * (width - from - 56)
    marks.push({ kind: 'text', x: 0, y: y + 13, text: t().kinds[kind], size: 10.5, room: from - 6 })
    marks.push(
      kind === 'before'
        ? { kind: 'rect', x: from, y: y + 2, width: Math.max(1, end - from), height: 14, fill: 'bar', opacity: 0.55 }
        : {
            kind: 'line',
            x1: from,
            x2: end,
            y1: y + 9,
            y2: y + 9,
            stroke: kind === 'rotated' ? 'ink' : 'negative',
            weight: 3,
          },
    )
    marks.push({ kind: 'text', x: end + 6, y: y + 13, text: decimal(row, 3), size: 10.5, face: 'mono' })
  })
  return { width, height, marks }
}
