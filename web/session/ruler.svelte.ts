// Read's ruler: a rope's frequencies, two positions, and the vectors q and k.
import type { Failure } from '../engine/protocol/protocol'
import { clamp } from '../engine/protocol/range'
import type { Bench } from './bench.svelte'
import type { QueryAndKey } from '../viewstate/choice'
import { resource, type Resource } from './resource.svelte'
import type { Run } from './runs.svelte'
import { layerTheta } from './runs.svelte'

/** Positions of query and key go up to here. */
export const lastPosition = 511

/** Two vectors of (headSize), adjacent numbers a pair: before rotation, or a head's rotated to m and n. */
export interface RulerRows {
  query: Float32Array
  key: Float32Array
  rotated: boolean
}

/** The same unit vector in every pair. */
export const equalRow = (headSize: number): Float32Array =>
  Float32Array.from({ length: headSize }, (_, at) => (at % 2 === 0 ? 1 : 0))

export class Ruler {
  readonly #bench: Bench
  /** The selected head of the run on show, if q and k are its own. */
  readonly head: Run | undefined = $derived.by(() =>
    this.#bench.choice.vectors === 'head' ? this.#bench.run : undefined,
  )
  readonly m: number = $derived.by(() => Math.min(this.#cursor.query, this.last))
  readonly n: number = $derived.by(() => Math.min(this.#cursor.key, this.last))
  /** The last position. */
  readonly last: number = $derived.by(() => (this.head ? this.head.head.length - 1 : lastPosition))
  readonly headSize: number = $derived.by(() => this.head?.model.info.head_size ?? this.#bench.choice.headSize)
  readonly base: number = $derived.by(() => this.#bench.choice.base)
  readonly context: number = $derived.by(
    () => this.head?.model.info.max_position_embeddings ?? this.#bench.choice.context,
  )

  constructor(bench: Bench) {
    this.#bench = bench
  }

  get #cursor(): QueryAndKey {
    return this.head ? this.#bench.cursor : this.#bench.choice
  }

  /** θ of that head. */
  get ownTheta(): Float64Array | undefined {
    return this.head && layerTheta(this.head)
  }

  /** Its rotated vectors at m and n. */
  get ownRows(): RulerRows | undefined {
    const { head, headSize, m, n } = this
    if (!head) return undefined
    const row = (rows: Float32Array, at: number) => rows.slice(at * headSize, (at + 1) * headSize)
    return { query: row(head.head.query, m), key: row(head.head.key, n), rotated: true }
  }

  /** A move to other positions: of the selection where q and k are a head's, else of the ruler. */
  target(to: Partial<QueryAndKey>): { cursor: Partial<QueryAndKey> } | { choice: Partial<QueryAndKey> } {
    const change = {
      ...(to.query === undefined ? {} : { query: clamp(to.query, 0, this.last) }),
      ...(to.key === undefined ? {} : { key: clamp(to.key, 0, this.last) }),
    }
    return this.head ? { cursor: change } : { choice: change }
  }

  move(to: Partial<QueryAndKey>): void {
    const target = this.target(to)
    if ('cursor' in target) this.#bench.chooseForRun(target.cursor)
    else this.#bench.choose(target.choice)
  }
}

/** θ of the ruler's rope: a head's own, or requested from the engine. */
export class RulerTheta {
  readonly #frequencies: Resource<'frequencies'>
  readonly #ruler: Ruler

  /** Create it while a component is created: it ends with that. */
  constructor(bench: Bench, ruler: Ruler) {
    this.#ruler = ruler
    this.#frequencies = resource(bench.engine, 'frequencies', () => {
      const { headSize, base } = ruler
      return ruler.head ? undefined : { params: { headSize, base } }
    })
  }

  get current(): Float64Array | undefined {
    return this.#ruler.ownTheta ?? this.#frequencies.latest?.value
  }

  get failure(): Failure | undefined {
    return this.#frequencies.failure
  }
}
