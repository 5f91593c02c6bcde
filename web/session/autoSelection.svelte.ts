import { untrack } from 'svelte'
import { sourceOf, textStart, type Pair } from '../engine/protocol/parts'
import { samePlace, type Choice, type HeadPlace, type QueryAndKey } from '../viewstate/choice'
import { specialPositions } from './reading'
import type { Run } from './runs.svelte'

/** The fields of the bench that the automatic selection reads and writes. */
export interface SelectionBench {
  /** The selection within the run on show. */
  readonly cursor: HeadPlace
  readonly run: Run | undefined
  /** Whether the run on show is of the present text. */
  readonly current: boolean
  readonly generation: { readonly writing: boolean }
  /** Changes the choice without a step of undo. */
  chooseWithoutStep(change: Partial<Choice>): void
}

/** A map of more tokens is searched cell by cell by the visitor alone: it takes longer than a frame. */
const longestSearch = 1024

/**
 * Selects the strongest cell between ordinary tokens where neither the visitor nor the link has selected one: in a new text, a new model,
 * and a head that is selected by its pattern. While a model writes, it follows the last token.
 */
export class AutoSelection {
  readonly #bench: SelectionBench
  /** Whether the cell of the next map on show is to be selected. */
  #seeksCell = $state(false)
  /** Whether the head with the strongest pattern is to be selected. */
  #seeksHead = $state(false)
  /** Whether the text has lost the selected tokens, and none of it has been selected since. */
  #isSelectionLost = false
  /** The run on show when the model began to write. */
  #beforeWriting: Run | undefined

  constructor(bench: SelectionBench) {
    this.#bench = bench
    $effect.root(() => {
      $effect(() => {
        const { writing } = bench.generation
        const { run, current } = bench
        if (!run) return
        if (writing) untrack(() => this.#followEnd(run))
        else if (this.#beforeWriting) {
          // The end of the text runs after the last token is written.
          if (current) untrack(() => this.#endWriting(run))
        } else if (this.#seeksCell && current) untrack(() => this.#selectStrongest(run))
      })
    })
  }

  /** The selected tokens are gone from the text: each text from now on has its strongest cell selected, until a visitor selects one. */
  loseSelection(): void {
    this.#isSelectionLost = true
  }

  /** The text has changed. */
  textChanged(): void {
    if (this.#isSelectionLost) this.#seeksCell = true
  }

  /** Selects the strongest cell of the selected head once its map is on show. */
  seekCell(): void {
    this.#seeksCell = true
  }

  /** Selects the strongest cell, and once patterns are measured the head with the strongest one. */
  seekHead(): void {
    this.#seeksHead = this.#seeksCell = true
  }

  /** The head with the strongest pattern of the run on show; undefined: it has none. */
  offerHead(place: HeadPlace | undefined): void {
    if (!this.#seeksHead || !this.#bench.current) return
    this.#seeksHead = false
    if (!place) return
    this.#seeksCell = true
    this.#bench.chooseWithoutStep({ layer: place.layer, head: place.head })
  }

  /** The visitor has selected a head. */
  endHead(): void {
    this.#seeksHead = false
  }

  /** The visitor or a link has selected something. */
  end(): void {
    this.#seeksCell = this.#seeksHead = this.#isSelectionLost = false
  }

  #selectStrongest(run: Run): void {
    if (!samePlace(run.head, this.#bench.cursor)) return
    this.#seeksCell = false
    const cell = strongestIn(run)
    if (cell) this.#bench.chooseWithoutStep(cell)
  }

  #endWriting(run: Run): void {
    this.#followEnd(run)
    this.#beforeWriting = undefined
  }

  /** While a model writes: the last token, and its strongest key. Tokens are added at the end alone, so positions stay. */
  #followEnd(run: Run): void {
    // Undo leads back to the selection before the first token.
    this.#beforeWriting ??= run
    if (run === this.#beforeWriting) return
    const last = run.reading.ids.length - 1 - (run.reading.pair ? 0 : run.reading.after)
    const cell = strongestIn(run, last)
    if (cell) this.#bench.chooseWithoutStep(cell)
  }
}

function strongestIn(run: Run, row?: number) {
  const { attention, length } = run.head
  if (length > longestSearch && row === undefined) return undefined
  return strongestCell({ weights: attention, length, special: specialPositions(run), pair: run.reading.pair }, row)
}

/** A map of weights, (length, length): rows are queries. */
export interface CellMap {
  weights: Float32Array
  length: number
  /** Positions of special tokens, which are neither query nor key. */
  special: ReadonlySet<number>
  /** Of an encoder–decoder. */
  pair?: Pair | undefined
}

/** Less than this is a remainder of softmax, which says nothing about a text. */
const leastWeight = 0.01

/**
 * The cell of a map, or of one row, that says most about a text: the largest weight between ordinary tokens. Special tokens count as keys
 * only where no row has two other keys with a weight, and in a row that gives the others next to none; as queries where there is no other.
 */
export function strongestCell(map: CellMap, row?: number): QueryAndKey | undefined {
  const ordinary = strongestAmong(map, row, map.special, map.special)
  const isRemainder = ordinary && row !== undefined && weightAt(map, ordinary) < leastWeight
  return (
    (isRemainder ? undefined : ordinary) ??
    strongestAmong(map, row, map.special, none) ??
    ordinary ??
    strongestAmong(map, row, none, none)
  )
}

const none: ReadonlySet<number> = new Set()

const weightAt = ({ weights, length }: CellMap, { query, key }: QueryAndKey) =>
  Math.abs(weights[query * length + key] ?? 0)

function strongestAmong(
  { weights, length, pair }: Omit<CellMap, 'special'>,
  row: number | undefined,
  withoutQueries: ReadonlySet<number>,
  withoutKeys: ReadonlySet<number>,
): QueryAndKey | undefined {
  const from = row ?? (pair ? textStart(pair) : 0)
  const to = row === undefined ? length : row + 1
  const keys = sourceOf(pair) ?? length
  let strongest: (QueryAndKey & { weight: number }) | undefined
  for (let query = from; query < to; query++) {
    if (withoutQueries.has(query)) continue
    let visible = 0
    let best: (QueryAndKey & { weight: number }) | undefined
    for (let key = 0; key < keys; key++) {
      const weight = Math.abs(weights[query * length + key] ?? 0)
      if (weight === 0 || withoutKeys.has(key)) continue
      visible++
      if (!best || weight > best.weight) best = { query, key, weight }
    }
    // The only key of a causal map's first token has all of its weight, whatever the head does.
    if (best && visible > 1 && (!strongest || best.weight > strongest.weight)) strongest = best
  }
  return strongest && { query: strongest.query, key: strongest.key }
}
