// Statistics of heads as points and as a table: axes, order, names, and the heads with similar maps.
import type { Action } from '../../ui/keys'
import { namedTable, type NamedTable } from '../../ui/table'
import { decimal, headName } from '../../i18n/numbers'
import { t as headMessages } from '../../charts/head-grid/messages.en'
import type { Request } from '../../session/answers'
import { resource, type Answer, type Resource } from '../../session/resource.svelte'
import { streamed, type StreamState } from '../../session/series.svelte'
import type { Run } from '../../session/runs.svelte'
import { longestForAllHeads } from '../../engine/protocol/byDistance'
import { sourceOf } from '../../engine/protocol/parts'
import { samePlace, type HeadPlace } from '../../viewstate/choice'
import {
  knownOf,
  nearestKnown,
  headsOfBook,
  headsOfText,
  sortedBy,
  statisticIds,
  statisticOf,
  headByHead,
  type MeasuredHead,
  type StatisticId,
} from '../../session/headStatistics.svelte'
import type { Inputs } from '../module'
import type { Target } from '../output'
import type { Part } from '../sites'
import type { PointsParams, Sorting } from '.'
import { t } from './messages.en'
import { partsOfStatistic } from './parts'

export interface Axes {
  x: StatisticId
  y: StatisticId
  shade: StatisticId
}

type Statistics = Resource<'statistics', { params: { run: number }; run: Run }>

export class PointsData {
  readonly #inputs: Inputs<PointsParams>
  readonly statistics: Statistics
  readonly #correlations: Answer<Request<'similarHeads'>, StreamState<'similarHeads'>>
  /** Beside the table heads are compared without a click. */
  #isStarted = $state(false)

  constructor(inputs: Inputs<PointsParams>) {
    const { bench } = inputs
    this.#inputs = inputs
    bench.everyHead.needWhile(() => needsWalk(inputs))
    this.statistics = resource(bench.engine, 'statistics', () => {
      const { run, params } = inputs
      return run && params.from === 'text' ? { params: { run: run.id }, run } : undefined
    })
    this.#correlations = streamed(bench.engine, 'similarHeads', () => {
      const { run, isPictureOnly, cursor } = inputs
      if (!run || isPictureOnly || run.head.length > longestForAllHeads || !this.#comparesHeads) return undefined
      return { params: { run: run.id, layer: cursor.layer, head: cursor.head } }
    })
  }

  readonly points: Points = $derived.by(() => pointsOf(this.#inputs, this.statistics))

  /** The largest parts of the statistic that the headline says first, of the head on show. */
  readonly parts: readonly Part[] | undefined = $derived.by(() => {
    const { axes, book } = this.points
    const { run } = this.#inputs
    return run && axes && book === undefined ? partsOfStatistic(axes.y, run) : undefined
  })

  get #comparesHeads(): boolean {
    return this.#isStarted || tableWidthOf(this.#inputs.width) > 0
  }

  /** The heads whose maps are most similar to the selected one's. */
  get similar(): SimilarHeads {
    const { run, cursor } = this.#inputs
    const words = t().similar
    const title = words.title(headName(cursor))
    if ((run?.head.length ?? 0) > longestForAllHeads) return { message: words.tooLong(longestForAllHeads) }
    if (!this.#comparesHeads)
      return { start: { label: words.start(headName(cursor)), to: { act: () => (this.#isStarted = true) } } }
    const { current, failure } = this.#correlations
    const { num_hidden_layers: layers, num_attention_heads: heads } = run?.model.info ?? {
      num_hidden_layers: 0,
      num_attention_heads: 0,
    }
    if (current?.result)
      return { title, heads: mostSimilar(current.result.correlations, heads, cursor, mostSimilarHeads) }
    return { title, message: failure?.message ?? words.loading(current?.chunks.at(-1) ?? 0, layers * heads) }
  }
}

/** What the view's component draws. */
export interface PointsDrawing extends Omit<Points, 'book'> {
  selected: HeadPlace
  select: (place: HeadPlace) => Target | undefined
  similar: SimilarHeads
}

/** Heads with similar maps; a message in place of them, or the button that compares them. */
export interface SimilarHeads {
  title?: string
  message?: string
  heads?: readonly SimilarHead[]
  start?: { label: string; to: Target }
}

/** How many are listed. */
const mostSimilarHeads = 5

/** The heads with their statistics. */
export interface Points {
  heads: readonly MeasuredHead[]
  /** The statistics that are known of all heads. */
  known: readonly StatisticId[]
  /** The statistics that the axes offer, whether they are read yet or not. */
  offered: readonly StatisticId[]
  /** Undefined while there are no heads. */
  axes: Axes | undefined
  /** The book that they were measured on; undefined for the text. */
  book: string | undefined
}

/** From this width on there is a table beside the points. */
const tableFrom = 640

/** 0 where the table does not fit. */
export const tableWidthOf = (width: number): number => (width >= tableFrom ? Math.min(560, Math.round(width * 0.5)) : 0)

const isCross = (run: Run | undefined) => sourceOf(run?.reading.pair) !== undefined

/** Whether the view needs R and r̄, which are read head by head. */
function needsWalk({ run, params: { from, x, y, shade }, width }: Inputs<PointsParams>): boolean {
  if (isCross(run)) return false
  return from === 'text' && (tableWidthOf(width) > 0 || [x, y, shade].some((id) => headByHead.includes(id)))
}

function pointsOf({ bench, run, params }: Inputs<PointsParams>, { latest, stale }: Statistics): Points {
  const described = run?.model.describedHeads
  const book = described && 'heads' in described ? described : undefined
  const ofBookOrText = () => {
    if (params.from === 'book') return book ? headsOfBook(book) : []
    return latest ? headsOfText(latest.value, isCross(latest.request.run), stale ? [] : bench.everyHead.heads) : []
  }
  const heads = ofBookOrText()
  const known = knownOf(heads)
  const walks = params.from === 'text' && heads.length > 0 && !bench.everyHead.tooLong && !isCross(run)
  const axis = (id: StatisticId) => nearestKnown([id, 'first', 'special'], known)
  const [x, y, shade] = [axis(params.x), axis(params.y), axis(params.shade)]
  return {
    heads,
    known,
    offered: walks ? statisticIds.filter((id) => known.includes(id) || headByHead.includes(id)) : known,
    axes: x && y && shade ? { x, y, shade } : undefined,
    book: params.from === 'book' ? (book?.book ?? '') : undefined,
  }
}

export function targetOf(
  { heads, axes }: Pick<Points, 'heads' | 'axes'>,
  { layer, head }: HeadPlace,
): Target | undefined {
  const found = heads.find((one) => samePlace(one, { layer, head }))
  if (!found || !axes) return undefined
  const value = (id: StatisticId) => t().named(id, found.numbers[id] ?? 0, statisticOf(id).unit)
  return { cursor: { layer, head }, say: t().moved(headName(found), value(axes.x), value(axes.y)) }
}

/** The head that an action leads to, in the order of an axis. */
export function walk(
  action: Action | undefined,
  from: HeadPlace,
  heads: readonly MeasuredHead[],
  { x, y }: { x: StatisticId; y: StatisticId },
): MeasuredHead | undefined {
  const along = (id: StatisticId, steps: number) => {
    const order = sortedBy(heads, id)
    const at = order.findIndex((head) => samePlace(head, from))
    return order[Math.min(Math.max(at + steps, 0), order.length - 1)]
  }
  switch (action) {
    case 'left':
      return along(x, -1)
    case 'right':
      return along(x, 1)
    case 'down':
      return along(y, -1)
    case 'up':
      return along(y, 1)
    case 'first':
      return along(x, -heads.length)
    case 'last':
      return along(x, heads.length)
    default:
      return undefined
  }
}

function orderOf(sort: Sorting): { id: StatisticId; falling: boolean } | undefined {
  if (sort === 'head') return undefined
  const falling = sort.startsWith('-')
  return { id: (falling ? sort.slice(1) : sort) as StatisticId, falling }
}

/** The statistic that the table is sorted by. */
export const sortedColumn = (sort: Sorting): StatisticId | undefined => orderOf(sort)?.id

/** The rows of the table. */
export function inOrder(heads: readonly MeasuredHead[], sort: Sorting): readonly MeasuredHead[] {
  const by = orderOf(sort)
  return by ? sortedBy(heads, by.id, { falling: by.falling }) : heads
}

/** The largest first; the smallest first where it is sorted by that already. */
export function nextSorting(sort: Sorting, id: StatisticId): Sorting {
  return sort === `-${id}` ? id : `-${id}`
}

/** For aria-sort; undefined for a column that the table is not sorted by. */
export function directionOf(sort: Sorting, of: StatisticId | 'head'): 'ascending' | 'descending' | undefined {
  if (sort === of) return 'ascending'
  return sort === `-${of}` ? 'descending' : undefined
}

export function tableOf(heads: readonly MeasuredHead[], known: readonly StatisticId[]): NamedTable {
  const { table, head, axis } = headMessages().statistics
  const header = [head, ...known.map((id) => axis(id, statisticOf(id).unit))]
  return namedTable(table, header, heads, (one) => [
    { layer: one.layer, head: one.head },
    ...known.map((id) => one.numbers[id] ?? ''),
  ])
}

/** A number in a narrow column, whose header has the unit. */
export function brief(value: number, id: StatisticId): string {
  const { unit } = statisticOf(id)
  return unit === 'weight' || unit === 'share' ? decimal(value, 2).replace('-', '−') : decimal(value, 1)
}

/** A head whose map resembles another head's. */
interface SimilarHead extends HeadPlace {
  /** Of the two maps, −1 … 1. */
  correlation: number
}

/**
 * The heads with the most similar maps, without the head itself.
 *
 * @param correlations (layers, heads); NaN for a map without variation
 */
export function mostSimilar(correlations: Float64Array, heads: number, of: HeadPlace, most: number): SimilarHead[] {
  return Array.from(correlations, (correlation, index) => ({
    layer: Math.floor(index / heads),
    head: index % heads,
    correlation,
  }))
    .filter((other) => !Number.isNaN(other.correlation) && !samePlace(other, of))
    .sort((one, other) => other.correlation - one.correlation)
    .slice(0, most)
}
