// A and B: what each of them is, and where its map comes from.
import { compare } from '../../i18n/en/views/compare'
import { Asked } from '../../session/asked.svelte'
import type { Bench } from '../../session/bench.svelte'
import { changeKey, headsOff, readChange } from '../../session/change'
import type { HeadPlace } from '../../viewstate/choice'
import { clampHead } from '../../viewstate/clamp'
import type { LoadedModel } from '../../session/engine.svelte'
import { examplesOf } from '../../viewstate/examples'
import { readBy } from '../../session/readBy'
import { runOf } from '../../session/request'
import { resource, type Resource } from '../../session/resource.svelte'
import type { Run } from '../../session/runs.svelte'
import { SecondModel } from '../../session/secondModel.svelte'
import type { HeadResult, ModelInfo } from '../../engine/protocol/protocol'
import type { Reading } from '../../text/reading'
import { words } from '../../i18n/words'
import type { Subject } from '../command'
import { alignModels, alignSame, alignTexts, type Alignment } from './align'
import type { CompareSettings, With } from '.'
import { nextHead } from './model'
import { modelOf, offeredModels, sourceOf, type Offered } from './models'
import { scalingOf } from './presets'
import type { Differs } from './tell'

export interface Side {
  head: HeadResult
  reading: Reading
  /** What was run for it. */
  of: Subject
}

export interface Pair {
  /** The one on show. */
  run: number
  a: Side
  b: Side
  alignment: Alignment
  differs: Differs
}

export const sameHead = (one: HeadPlace, other: HeadPlace) => one.layer === other.layer && one.head === other.head

/** What is changed, in words: for the heads that the model has. */
export function changeIn(key: string, info: ModelInfo | undefined): string {
  if (!info) return ''
  const change = readChange(key)
  return words.change.of({ ...change, off: headsOff(change.off, info) }, info.num_attention_heads)
}

export class Sides {
  readonly #bench: Bench
  readonly #settings: () => CompareSettings
  readonly #otherHead: Asked<'head'>
  /** The head of A's place in B's run, where B is run beside the text shown. */
  readonly #comparison: Resource<'comparisonHead'>
  readonly second: SecondModel
  #kept: Pair | undefined = $state.raw()

  /** What is changed in A's model, in words; empty: nothing. */
  readonly changed: string = $derived.by(() => changeIn(this.#shown?.changed ?? '', this.#shown?.model.info))
  /** What B is, now. */
  readonly with: With = $derived.by(() => {
    const wanted = this.#settings().with
    return wanted === 'change' && this.changed === '' ? 'head' : wanted
  })
  /** The other head, where B is one. */
  readonly other: HeadPlace = $derived.by(() => {
    const info = this.#shown?.model.info
    const { choice, cursor } = this.#bench
    return info ? clampHead(choice.other ?? nextHead(cursor, info.num_attention_heads), info) : { layer: 0, head: 0 }
  })
  /** The text that B has while none is typed. */
  readonly suggestion: string = $derived.by(() => {
    const others = examplesOf(this.#model?.fullInfo).filter(({ text }) => text !== this.#shown?.text)
    return (others.find(({ for: models }) => models === 'any') ?? others[0])?.text ?? ''
  })
  readonly text: string = $derived.by(() => this.#settings().text || this.suggestion)
  readonly models: readonly Offered[] = $derived.by(() => {
    const { engine } = this.#bench
    const model = this.#shown?.model
    return offeredModels(model?.source, engine.own, model?.info.weights.format)
  })
  readonly model: Offered | undefined = $derived.by(() => modelOf(this.#settings().model, this.models))
  readonly #modelId: string | undefined = $derived.by(() => this.model?.id)
  readonly #weights = $derived.by(() => this.model?.weights)
  /** Another object only where it means another model. */
  readonly #source = $derived.by(() => {
    if (this.#weights) return this.#model?.source
    return this.#modelId === undefined ? undefined : sourceOf({ id: this.#modelId }, this.#bench.engine.own)
  })
  /** B's text as the model reads it. */
  readonly #reading: Reading | undefined = $derived.by(() => {
    const model = this.#model
    return model && readBy(model, this.text, this.#bench.choice)
  })
  readonly #model = $derived.by(() => this.#shown?.model)

  constructor(bench: Bench, settings: () => CompareSettings) {
    this.#bench = bench
    this.#settings = settings
    this.#otherHead = new Asked(bench.engine, 'head', () => {
      const { run } = bench
      if (!run || this.with !== 'head' || sameHead(this.other, run.head)) return undefined
      const asks = { run: run.result.run, ...this.other }
      return { name: `${asks.run} ${words.change.head(this.other)}`, asks }
    })
    this.#comparison = resource(bench.engine, 'comparisonHead', () => {
      const { run } = bench
      const other = run && this.#comparisonOf(run)
      if (!other) return undefined
      const { layer, head } = run.head
      return { model: other.model, params: { ...runOf(other, readChange(other.changed)), layer, head } }
    })
    this.second = new SecondModel(bench.engine, () => {
      const { run } = bench
      const source = this.with === 'model' ? this.#source : undefined
      if (!run || !source) return undefined
      const { backend, beyond, part } = bench.choice
      const choice = { beyond, part }
      return { source, backend, weights: this.#weights ?? 'auto', text: run.text, choice, place: run.head }
    })
    $effect(() => {
      if (this.fresh) this.#kept = this.fresh
    })
  }

  get #shown(): Run | undefined {
    return this.#bench.run
  }

  /** What is run for B: another text, or this one under another rope. */
  #comparisonOf({ model, reading, changed }: Run): Pick<Run, 'model' | 'reading' | 'changed'> | undefined {
    switch (this.with) {
      case 'text':
        return this.#reading && this.#reading.ids.length > 0 ? { model, reading: this.#reading, changed } : undefined
      case 'scaling': {
        const scaling = scalingOf(this.#settings().scaling, model.info)
        return { model, reading, changed: changeKey({ ...readChange(changed), scaling }) }
      }
      default:
        return undefined
    }
  }

  /** A and B as they are to be; undefined while one of them is on its way. */
  readonly fresh: Pair | undefined = $derived.by(() => {
    const shown = this.#shown
    if (!shown) return undefined
    const { reading } = shown
    const { run } = shown.result
    const a: Side = { head: shown.head, reading, of: shown }
    const head = words.change.head(shown.head)
    const same = alignSame(shown.head.length)
    const { with: by } = this
    if (by === 'head') {
      const found = sameHead(this.other, shown.head) ? shown.head : this.#otherHead.value
      if (!found || found.run !== shown.result.run || !sameHead(found, this.other)) return undefined
      const differs = { by, head, other: words.change.head(this.other) } as const
      return { run, a, b: { ...a, head: found }, alignment: same, differs }
    }
    if (by === 'change') {
      const { baseline } = this.#bench
      if (baseline?.reading !== reading || !sameHead(baseline.head, shown.head)) return undefined
      const asItIs = { head: baseline.head, reading, of: { ...shown, changed: '' } }
      return { run, a: asItIs, b: a, alignment: same, differs: { by, head, change: this.changed } }
    }
    if (by === 'model') return this.#ofModels(a, head, run)
    const found = this.#comparison.current
    const comparison = this.#comparisonOf(shown)
    if (!found || !comparison) return undefined
    const text = by === 'text' ? this.text : shown.text
    const b: Side = {
      head: found,
      reading: comparison.reading,
      of: { ...shown, text, reading: comparison.reading, changed: comparison.changed },
    }
    if (by === 'text') return { run, a, b, alignment: alignTexts(reading, comparison.reading), differs: { by, head } }
    const { scaling } = readChange(comparison.changed)
    const change = changeIn(changeKey({ scaling }), shown.model.info)
    return { run, a, b, alignment: same, differs: { by: 'change', head, change } }
  })

  #ofModels(a: Side, head: string, run: number): Pair | undefined {
    const { run: shown } = this.second
    if (!shown || shown.text !== a.of.text || shown.model.source !== this.#source) return undefined
    if (!sameHead(shown.head, clampHead(a.head, shown.model.info))) return undefined
    const other = words.change.head(shown.head)
    const named = ({ info: { name, weights }, source }: LoadedModel, beside: LoadedModel) =>
      source === beside.source ? compare.keptAs(name, weights.format) : name
    const names = { model: named(a.of.model, shown.model), otherModel: named(shown.model, a.of.model) }
    const b = { head: shown.head, reading: shown.reading, of: shown }
    return {
      run,
      a,
      b,
      alignment: alignModels(a.reading, shown.reading),
      differs: { by: 'model', head, other, ...names },
    }
  }

  /** The newest of A and B that are both there. */
  get pair(): Pair | undefined {
    return this.fresh ?? this.#kept
  }

  /** What is to be said of B besides. */
  get notes(): string[] {
    const { pair, trouble } = this
    const said = compare
    const notes = trouble === '' ? [] : [this.model || this.with !== 'model' ? said.failed(trouble) : trouble]
    if (this.with !== 'model' || !this.model || pair?.differs.by !== 'model') return notes
    const { model: wanted } = this.#settings()
    const { a, b, differs } = pair
    const here = wanted === '' || wanted === this.model.id || wanted === a.of.model.source.name
    return [
      ...notes,
      ...(here ? [] : [said.modelGone]),
      ...(sameHead(a.head, b.head) ? [] : [said.clamped(differs.other, differs.otherModel)]),
      ...(this.changed === '' ? [] : [said.modelAsItIs]),
    ]
  }

  /** Why there is no B; empty where nothing went wrong. */
  get trouble(): string {
    if (this.with === 'model') return this.model ? (this.second.trouble?.text ?? '') : compare.noModel
    return this.with === 'text' || this.with === 'scaling' ? (this.#comparison.failure?.message ?? '') : ''
  }
}
