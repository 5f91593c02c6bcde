// The numbers of a map: a head's weights are there with it, all else is asked for.
import type { MapKind } from '../../engine/protocol'
import { Asked } from '../../state/asked.svelte'
import type { Bench } from '../../state/bench.svelte'
import type { Shown } from '../../state/runs.svelte'

export interface HeadNumbers {
  shown: Shown
  layer: number
  head: number
  kind: MapKind
  /** (length, length) */
  values: Float32Array
  weights: Float32Array
}

export class Source {
  readonly #bench: Bench
  readonly #kind: () => MapKind
  readonly #asked: Asked<'map'>
  /** Stays on show while an answer is on its way. */
  #before: HeadNumbers | undefined

  constructor(bench: Bench, kind: () => MapKind) {
    this.#bench = bench
    this.#kind = kind
    this.#asked = new Asked(bench.engine, 'map', () => {
      const { shown } = bench
      if (!shown || kind() === 'weight') return undefined
      const { layer, head } = shown.head
      const { run } = shown.result
      return { name: `${run}:${layer}.${head}:${kind()}`, asks: { run, layer, head, kind: kind() } }
    })
  }

  current: HeadNumbers | undefined = $derived.by(() => {
    const { shown } = this.#bench
    if (!shown) return undefined
    const { attention, layer, head } = shown.head
    const own = { shown, layer, head, kind: 'weight', values: attention, weights: attention } as const
    const { value, failure } = this.#asked
    if (this.#kind() === 'weight' || failure) return (this.#before = own)
    const there =
      value?.run === shown.result.run && value.layer === layer && value.head === head && value.kind === this.#kind()
    return (this.#before = there ? { ...own, kind: value.kind, values: value.numbers } : (this.#before ?? own))
  })
}
