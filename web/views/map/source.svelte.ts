// The numbers of a map: a head's weights are there with it, all else is asked for.
import type { Failure, MapKind } from '../../engine/protocol/protocol'
import { Asked, type Question } from '../../session/asked.svelte'
import type { Bench } from '../../session/bench.svelte'
import type { Shown } from '../../session/runs.svelte'
import type { MapSettings } from '.'
import { headsOf, kindOf, type Subject } from '../../charts/attention-map/subject'

export interface HeadNumbers extends Subject {
  shown: Shown
  kind: MapKind
  /** (length, length) */
  values: Float32Array
  /** The weights that `values` are made of; undefined where they were not asked for. */
  weights: Float32Array | undefined
}

type Wanted = Pick<MapSettings, 'kind' | 'mean' | 'picked'>

export class Source {
  readonly #bench: Bench
  readonly #asked: Asked<'map'>
  readonly #wanted: () => Wanted
  /** Stays on show while an answer is on its way. */
  #before: HeadNumbers | undefined

  constructor(bench: Bench, wanted: () => Wanted) {
    this.#bench = bench
    this.#wanted = wanted
    this.#asked = new Asked(bench.engine, 'map', () => this.#question)
  }

  /** What is to be shown of which heads. */
  #meant = $derived.by(() => {
    const { shown } = this.#bench
    if (!shown) return undefined
    const wanted = this.#wanted()
    const { layer, head } = shown.head
    const heads = headsOf(wanted, { layer, head }, shown.model.info)
    const kind = kindOf(wanted)
    const subject: Subject = { mean: wanted.mean, layer, head, count: heads.length }
    return { shown, kind, heads, subject }
  })
  #question = $derived.by((): Question<'map'> | undefined => {
    const meant = this.#meant
    if (!meant || (meant.kind === 'weight' && meant.subject.mean === 'head')) return undefined
    const { shown, kind, heads } = meant
    const { run } = shown.result
    const places = heads.map(({ layer, head }) => `${layer}.${head}`).join()
    return { name: `${run}:${kind}:${places}`, asks: { run, kind, heads } }
  })

  current: HeadNumbers | undefined = $derived.by(() => {
    const meant = this.#meant
    if (!meant) return undefined
    const { shown, kind, subject } = meant
    const { attention } = shown.head
    const own = {
      ...subject,
      shown,
      mean: 'head',
      count: 1,
      kind: 'weight',
      values: attention,
      weights: attention,
    } as const
    const { value, of, failure } = this.#asked
    const wanted = this.#question
    if (!wanted || failure) return (this.#before = own)
    if (value?.run !== shown.result.run || of !== wanted.name) return (this.#before ??= own)
    const weights = subject.mean === 'head' ? attention : kind === 'weight' ? value.numbers : undefined
    return (this.#before = { ...subject, shown, kind, values: value.numbers, weights })
  })

  /** Why there is less than was asked for. */
  get failure(): Failure | undefined {
    return this.#question ? this.#asked.failure : undefined
  }
}
