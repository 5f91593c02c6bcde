// Statistics of every head: on the present text, or the mean over a held-out book.
import type { HeadByDistance } from '../engine/protocol/protocol'
import { concentrationOf, longestForAllHeads } from '../engine/protocol/byDistance'
import type { DescribedHead, DescribedHeads } from './describedHeads'
import type { HeadPlace } from '../viewstate/choice'
import { untrack } from 'svelte'
import type { EngineState } from './engine.svelte'
import type { Answer } from './resource.svelte'
import { streamed, type StreamState } from './series.svelte'

export const statisticIds = [
  'entropy',
  'distance',
  'largest',
  'previous',
  'next',
  'same',
  'first',
  'repeated',
  'induction',
  'special',
  'concentration',
  'correlation',
] as const
export type StatisticId = (typeof statisticIds)[number]

export const sources = ['text', 'book'] as const
export type Source = (typeof sources)[number]

/** The unit of a statistic; a weight is 0 … 1, a share −1 … 1. */
type Unit = 'bits' | 'tokens' | 'weight' | 'share'

export interface Statistic {
  id: StatisticId
  unit: Unit
  /** Its index in the engine's answer for a head. */
  text?: number
  /** Its name in heads.json. */
  book?: keyof DescribedHead
  /** The factor of the file's and the engine's number. */
  times: number
}

/** Entropies are measured in nats and shown in bits. */
const bits = 1 / Math.LN2

/** In the order of the menus; `headStatistics` of the messages names them. */
export const statistics: readonly Statistic[] = [
  { id: 'entropy', unit: 'bits', text: 0, book: 'entropy', times: bits },
  { id: 'distance', unit: 'tokens', text: 1, book: 'distance', times: 1 },
  { id: 'largest', unit: 'weight', text: 6, book: 'largest', times: 1 },
  { id: 'previous', unit: 'weight', text: 2, book: 'previous', times: 1 },
  { id: 'same', unit: 'weight', text: 3, book: 'same', times: 1 },
  { id: 'next', unit: 'weight', text: 4, book: 'next', times: 1 },
  { id: 'first', unit: 'weight', text: 5, book: 'first', times: 1 },
  { id: 'repeated', unit: 'weight', text: 7, book: 'repeated', times: 1 },
  { id: 'induction', unit: 'weight', text: 9, book: 'induction', times: 1 },
  { id: 'special', unit: 'weight', text: 8, book: 'special', times: 1 },
  { id: 'concentration', unit: 'share', book: 'concentration', times: 1 },
  { id: 'correlation', unit: 'share', book: 'correlation', times: 1 },
]

/** Those that a text measures head by head. */
export const headByHead: readonly StatisticId[] = ['concentration', 'correlation']

/** Those of distances, which cross-attention has not: its keys belong to another text. */
export const distanceStatistics: readonly StatisticId[] = ['distance', 'previous', 'next', 'same', ...headByHead]

export function statisticOf(id: StatisticId): Statistic {
  const found = statistics.find((statistic) => statistic.id === id)
  if (!found) throw new Error(`no statistic ${id}`)
  return found
}

/** A head with its known statistics. */
export interface MeasuredHead extends HeadPlace {
  numbers: Readonly<Partial<Record<StatisticId, number>>>
}

/** The engine's answer about all heads of a run: (layers, heads, 10). */
export interface TextStatistics {
  layers: number
  heads: number
  numbers: Float32Array
}

/** @param cross whether they are of cross-attention @param byDistance used only once it has all heads */
export function headsOfText(
  { layers, heads, numbers }: TextStatistics,
  cross: boolean,
  byDistance: readonly HeadByDistance[] = [],
): MeasuredHead[] {
  const each = layers * heads === 0 ? 0 : numbers.length / (layers * heads)
  return Array.from({ length: layers * heads }, (_, index) => {
    const curves = byDistance.length === layers * heads ? byDistance[index] : undefined
    const ofCurves = curves && { concentration: concentrationOf(curves), correlation: curves.correlation }
    return {
      layer: Math.floor(index / heads),
      head: index % heads,
      numbers: numbersOf(({ id, text }) =>
        cross && distanceStatistics.includes(id)
          ? undefined
          : text !== undefined
            ? numbers[index * each + text]
            : ofCurves?.[id as keyof typeof ofCurves],
      ),
    }
  })
}

/** Ordered by layer and head. */
export function headsOfBook({ heads }: DescribedHeads): MeasuredHead[] {
  return heads
    .map((described) => ({
      layer: described.layer,
      head: described.head,
      numbers: numbersOf(({ book }) => (book === undefined ? undefined : described[book])),
    }))
    .sort((one, other) => one.layer - other.layer || one.head - other.head)
}

function numbersOf(read: (statistic: Statistic) => number | undefined): MeasuredHead['numbers'] {
  const known = statistics.flatMap((statistic) => {
    const value = read(statistic)
    return value === undefined || !Number.isFinite(value) ? [] : [[statistic.id, value * statistic.times] as const]
  })
  return Object.fromEntries(known)
}

/** The statistics that are known of every head, in the order of the menus. */
export function knownOf(heads: readonly MeasuredHead[]): StatisticId[] {
  if (heads.length === 0) return []
  return statistics.map(({ id }) => id).filter((id) => heads.every(({ numbers }) => numbers[id] !== undefined))
}

/** The first of these that is known, else any known one. */
export function nearestKnown(ids: readonly StatisticId[], known: readonly StatisticId[]): StatisticId | undefined {
  return ids.find((id) => known.includes(id)) ?? known[0]
}

/** The largest number of all heads, at least 0. */
export function largest(heads: readonly MeasuredHead[], id: StatisticId): number {
  return heads.reduce((most, { numbers }) => Math.max(most, numbers[id] ?? 0), 0)
}

/** The least number of all heads, at most 0: only a correlation goes below. */
export function least(heads: readonly MeasuredHead[], id: StatisticId): number {
  return heads.reduce((least, { numbers }) => Math.min(least, numbers[id] ?? 0), 0)
}

/** A head's number as a part of the largest, 0 … 1: how dark it is, how long its bar. */
export function partOf(heads: readonly MeasuredHead[], id: StatisticId): (head: MeasuredHead) => number {
  const most = largest(heads, id)
  return ({ numbers }) => (most > 0 ? Math.max(0, numbers[id] ?? 0) / most : 0)
}

/** Heads sorted by a statistic, stably. `within`: sorts each layer by itself, since only layers have an order. */
export function sortedBy(
  heads: readonly MeasuredHead[],
  id: StatisticId,
  { falling = false, within = false }: { falling?: boolean; within?: boolean } = {},
): MeasuredHead[] {
  const sign = falling ? -1 : 1
  return [...heads].sort(
    (one, other) =>
      (within ? one.layer - other.layer : 0) || sign * ((one.numbers[id] ?? 0) - (other.numbers[id] ?? 0)),
  )
}

/** The rank of a head from the nearer end of the order, counted from 1. */
export function rankOf(
  heads: readonly MeasuredHead[],
  id: StatisticId,
  { numbers }: MeasuredHead,
): { rank: number; from: 'least' | 'most' } {
  const value = numbers[id] ?? 0
  const below = heads.filter((head) => (head.numbers[id] ?? 0) < value).length
  const above = heads.filter((head) => (head.numbers[id] ?? 0) > value).length
  return below < above ? { rank: below + 1, from: 'least' } : { rank: above + 1, from: 'most' }
}

interface HeadsRequest {
  params: { run: number }
}

/** A run, and its number of tokens. */
export interface RunOfHeads {
  run: number
  length: number
}

const none: readonly HeadByDistance[] = []

/** All heads of the run on show by distance, read layer by layer while a view needs them, and once for all views. */
export class EveryHead {
  readonly #run: () => RunOfHeads | undefined
  #answer: Answer<HeadsRequest, StreamState<'everyHead'>> | undefined
  /** How many views need the heads. */
  #users = $state(0)
  /** The heads that are read so far, ordered by layer and head. */
  readonly heads: readonly HeadByDistance[] = $derived.by(() => {
    const latest = this.#answer?.latest
    return latest && latest.request.params.run === this.#run()?.run ? latest.value.chunks.flat() : none
  })

  constructor(engine: EngineState, run: () => RunOfHeads | undefined) {
    this.#run = run
    $effect.root(() => {
      this.#answer = streamed(engine, 'everyHead', () => {
        const current = run()
        return current && this.#users > 0 && !this.tooLong ? { params: { run: current.run } } : undefined
      })
    })
  }

  get tooLong(): boolean {
    return (this.#run()?.length ?? 0) > longestForAllHeads
  }

  /** Reads the heads while the condition holds. Call it while a component is created: it ends with that. */
  needWhile(isNeeded: () => boolean): void {
    $effect(() => {
      if (!isNeeded()) return
      untrack(() => this.#users++)
      return () => void untrack(() => this.#users--)
    })
  }
}
