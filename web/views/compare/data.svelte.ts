// What A and B are, and where B's map comes from: the run on show, a run of another text or rope, or another model.
import { ramp, weightEntry } from '../../charts/colour'
import {
  type HeadResult,
  type ModelInfo,
  type ModelSource,
  weightFormats,
  type StoredFormat,
  type WeightFormat,
} from '../../engine/protocol/protocol'
import { sourceOf } from '../../engine/protocol/parts'
import { headName } from '../../i18n/numbers'
import { bundledModels, bundledSource } from '../../services/bundled'
import { interventionsText, existingChange, parseInterventions, changeInWords } from '../../session/interventions'
import type { LoadedModel } from '../../session/engine.svelte'
import { readBy, runOf } from '../../session/reading'
import { newest, resource, type Resource } from '../../session/resource.svelte'
import type { Run } from '../../session/runs.svelte'
import { SecondModel } from '../../session/secondModel.svelte'
import { diverging, sequential, type Scheme } from '../../styles/colours'
import type { Reading } from '../../text/reading'
import { samePlace, type HeadPlace, clampHead } from '../../viewstate/choice'
import { examplesOf } from '../../viewstate/examples'
import type { Inputs } from '../module'
import type { CommandInput } from '../command'
import { isRotary } from '../view'
import { contrasts, scalings, type CompareParams, type ContrastKind, type Scaling } from '.'
import { alignModels, alignSame, alignTexts, difference, likenessOf, type Alignment, type AttentionMap } from './maps'
import { t } from './messages.en'
import { signedEntry, type ComparePicture } from './picture'

export interface Side {
  head: HeadResult & Pick<AttentionMap, 'source'>
  reading: Reading
  subject: CommandInput
}

/** What differs between A and B. `change`: in words, "without head L2·H6". */
type Contrast =
  | { by: 'head'; head: string; other: string }
  | { by: 'change'; head: string; change: string }
  | { by: 'text'; head: string }
  | { by: 'model'; head: string; other: string; model: string; otherModel: string }

export interface Comparison {
  run: number
  a: Side
  b: Side
  alignment: Alignment
  contrast: Contrast
}

/** The id of the visitor's own model in the link; a bundled model's id is its folder. */
const own = 'own'

/** A model to choose for B. */
export interface ModelOption {
  /** Its name in the link. */
  id: string
  name: string
  isOwn: boolean
  /** Set where B is A's model with other weights. */
  weights?: WeightFormat
}

/** The bundled models and the visitor's own without A's model, and A's model in other weight formats. */
export function modelOptions(
  a: ModelSource | undefined,
  mine: ModelSource | undefined,
  format: StoredFormat | undefined,
): ModelOption[] {
  const bundled = bundledModels
    .filter(({ folder }) => a?.kind !== 'url' || a.name !== folder)
    .map(({ folder }) => ({ id: folder, name: folder, isOwn: false }))
  const others = mine && mine !== a ? [...bundled, { id: own, name: mine.name, isOwn: true }] : bundled
  const formats = a && format ? weightFormats.filter((weights) => weights !== format) : []
  return [...others, ...formats.map((weights) => ({ id: weights, name: a?.name ?? '', isOwn: false, weights }))]
}

/** The option with this id, else the first. */
export const modelOf = (id: string, options: readonly ModelOption[]): ModelOption | undefined =>
  options.find((option) => option.id === id) ?? options[0]

/** JSON of `rope_parameters`, with the model's own base. */
export function scalingOf(name: Scaling, { max_position_embeddings }: ModelInfo): string {
  const factor = scalings[name]
  return JSON.stringify(
    name.startsWith('linear')
      ? { rope_type: 'linear', factor }
      : { rope_type: 'yarn', factor, original_max_position_embeddings: max_position_embeddings },
  )
}

/** The next head of a layer; after the last one the first. */
export const nextHead = ({ layer, head }: HeadPlace, heads: number): HeadPlace => ({
  layer,
  head: (head + 1) % Math.max(heads, 1),
})

/** A change in words, without heads that the model does not have. */
function changeText(key: string, info: ModelInfo): string {
  return changeInWords(existingChange(parseInterventions(key), info), info.num_attention_heads)
}

/** The names above the two maps. */
export function namesOf({ a, b, contrast }: Comparison): [string, string] {
  const { interventions, model } = a.subject
  switch (contrast.by) {
    case 'head':
      return [t().head(contrast.head), t().head(contrast.other)]
    case 'change': {
      const { head } = contrast
      const name =
        interventions === '' ? t().baseline(head) : t().changedHead(head, changeText(interventions, model.info))
      return [name, contrast.change]
    }
    case 'text':
      return [t().headIn(contrast.head, a.subject.text), t().headIn(contrast.head, b.subject.text)]
    case 'model':
      return [t().headOf(contrast.head, contrast.model), t().headOf(contrast.other, contrast.otherModel)]
  }
}

/** A second run: another text, or the same text with another rope scaling. */
type OtherRun = Pick<Run, 'model' | 'reading' | 'interventions' | 'text'>

export class CompareData {
  readonly #inputs: Inputs<CompareParams>
  readonly #otherHead: Resource<'head'>
  readonly #otherRun: Resource<'comparisonHead'>
  readonly #secondModel: SecondModel

  readonly #model: LoadedModel | undefined = $derived.by(() => this.#inputs.run?.model)
  /** The interventions of A in words; empty if there are none. */
  readonly change: string = $derived.by(() => {
    const { run } = this.#inputs
    return run ? changeText(run.interventions, run.model.info) : ''
  })
  /** What B can be: the changed model where there are interventions, another rope scaling where something rotates. */
  readonly kinds: readonly ContrastKind[] = $derived.by(() => {
    const { run } = this.#inputs
    return contrasts.filter((kind) => {
      if (kind === 'change') return this.change !== ''
      if (kind === 'scaling') return !run || isRotary(run.model.info)
      return true
    })
  })
  /** What B is: another head, where it cannot be what the link says. */
  readonly kind: ContrastKind = $derived.by(() => {
    const { with: kind } = this.#inputs.params
    return this.kinds.includes(kind) ? kind : 'head'
  })
  // Numbers instead of the cursor: a new query or key does not recompute what depends on the head.
  readonly #layer: number = $derived.by(() => this.#inputs.cursor.layer)
  readonly #head: number = $derived.by(() => this.#inputs.cursor.head)
  /** B's head where B is another head. */
  readonly other: HeadPlace = $derived.by(() => {
    const info = this.#model?.info
    const selected = { layer: this.#layer, head: this.#head }
    const other = this.#inputs.bench.choice.other ?? nextHead(selected, info?.num_attention_heads ?? 1)
    return info ? clampHead(other, info) : { layer: 0, head: 0 }
  })
  /** The example that stands for B's text while the field is empty. */
  readonly suggestion: string = $derived.by(() => {
    const others = examplesOf(this.#model?.fullInfo).filter(({ text }) => text !== this.#inputs.run?.text)
    return (others.find(({ for: models }) => models === 'any') ?? others[0])?.text ?? ''
  })
  readonly text: string = $derived.by(() => this.#inputs.params.text || this.suggestion)
  readonly models: readonly ModelOption[] = $derived.by(() =>
    modelOptions(this.#model?.source, this.#inputs.bench.engine.own, this.#model?.info.weights.format),
  )
  readonly model: ModelOption | undefined = $derived.by(() => modelOf(this.#inputs.params.model, this.models))
  readonly #modelId: string | undefined = $derived.by(() => this.model?.id)
  readonly #weights: WeightFormat | undefined = $derived.by(() => this.model?.weights)
  /** Changes only when the model changes. */
  readonly #source: ModelSource | undefined = $derived.by(() => {
    const id = this.#modelId
    if (this.#weights) return this.#model?.source
    if (id === own) return this.#inputs.bench.engine.own
    return id === undefined ? undefined : bundledSource(id)
  })
  /** B's tokenized text. */
  readonly #reading: Reading | undefined = $derived.by(
    () => this.#model && readBy(this.#model, this.text, this.#inputs.bench.choice),
  )

  constructor(inputs: Inputs<CompareParams>) {
    this.#inputs = inputs
    const { engine, choice } = inputs.bench
    this.#otherHead = resource(engine, 'head', () => {
      const { run } = inputs
      if (!run || this.kind !== 'head' || samePlace(this.other, run.head)) return undefined
      return { params: { run: run.id, ...this.other } }
    })
    this.#otherRun = resource(engine, 'comparisonHead', () => {
      const { run } = inputs
      const other = run && this.#otherRunOf(run)
      if (!other) return undefined
      const { layer, head } = run.head
      return { model: other.model, params: { ...runOf(other), layer, head } }
    })
    this.#secondModel = new SecondModel(engine, () => {
      const { run } = inputs
      const source = this.kind === 'model' ? this.#source : undefined
      if (!run || !source) return undefined
      const { backend, beyond } = choice
      const weights = this.#weights ?? 'auto'
      // A's part: the selected one may already belong to the next run.
      const part = run.reading.pair?.part ?? choice.part
      return { source, backend, weights, text: run.text, choice: { beyond, part }, place: run.head }
    })
  }

  #otherRunOf({ model, text, reading, interventions }: Run): OtherRun | undefined {
    switch (this.kind) {
      case 'text':
        return this.#reading && this.#reading.ids.length > 0
          ? { model, text: this.text, reading: this.#reading, interventions }
          : undefined
      case 'scaling': {
        const scaling = scalingOf(this.#inputs.params.scaling, model.info)
        return {
          model,
          text,
          reading,
          interventions: interventionsText({ ...parseInterventions(interventions), scaling }),
        }
      }
      default:
        return undefined
    }
  }

  /** A and B of the current selection; undefined while one of them is loading. */
  readonly current: Comparison | undefined = $derived.by(() => {
    const { run, baseline } = this.#inputs
    if (!run) return undefined
    const { reading } = run
    const source = sourceOf(reading.pair)
    const a: Side = { head: { ...run.head, source }, reading, subject: run }
    const common = { run: run.id, a, alignment: alignSame(run.head.length) }
    const head = headName(run.head)
    switch (this.kind) {
      case 'head': {
        const other = samePlace(this.other, run.head) ? run.head : this.#otherHead.current
        if (!other) return undefined
        const contrast = { by: 'head', head, other: headName(this.other) } as const
        return { ...common, b: { ...a, head: { ...other, source } }, contrast }
      }
      case 'change': {
        if (baseline?.reading !== reading || !samePlace(baseline.head, run.head)) return undefined
        const unchanged = { head: { ...baseline.head, source }, reading, subject: { ...run, interventions: '' } }
        return { ...common, a: unchanged, b: a, contrast: { by: 'change', head, change: this.change } }
      }
      case 'model':
        return this.#ofModels(a, head, run)
      default: {
        const [other, found] = [this.#otherRunOf(run), this.#otherRun.current]
        if (!other || !found) return undefined
        const b: Side = {
          head: { ...found, source: sourceOf(other.reading.pair) },
          reading: other.reading,
          subject: { ...run, ...other },
        }
        if (this.kind === 'text') {
          return { ...common, b, alignment: alignTexts(reading, other.reading), contrast: { by: 'text', head } }
        }
        const { scaling } = parseInterventions(other.interventions)
        const change = changeText(interventionsText({ scaling }), run.model.info)
        return { ...common, b, contrast: { by: 'change', head, change } }
      }
    }
  })

  #ofModels(a: Side, head: string, run: Run): Comparison | undefined {
    const found = this.#secondModel.head
    if (!found) return undefined
    const { model, text, reading } = found.request
    const { value } = found
    const distinctName = ({ info: { name, weights }, source }: LoadedModel, other: LoadedModel) =>
      source === other.source ? t().weightsOf(name, weights.format) : name
    return {
      run: run.id,
      a,
      b: {
        head: { ...value, source: sourceOf(reading.pair) },
        reading,
        subject: { model, text, reading, interventions: '' },
      },
      alignment: alignModels(a.reading, reading),
      contrast: {
        by: 'model',
        head,
        other: headName(value),
        model: distinctName(run.model, model),
        otherModel: distinctName(model, run.model),
      },
    }
  }

  readonly #newest = newest(() => this.current)

  /** The newest complete comparison. */
  get comparison(): Comparison | undefined {
    return this.#newest.value
  }

  get stale(): boolean {
    return this.#newest.stale
  }

  readonly #light = $derived.by(() => this.#pictureIn('light'))
  readonly #dark = $derived.by(() => this.#pictureIn('dark'))

  /** All of the picture but the selected cell. */
  picture(scheme: Scheme): Omit<ComparePicture, 'spots'> | undefined {
    return scheme === 'light' ? this.#light : this.#dark
  }

  #pictureIn(scheme: Scheme): Omit<ComparePicture, 'spots'> | undefined {
    const { comparison } = this
    if (!comparison) return undefined
    const { a, b, alignment } = comparison
    const [causalA, causalB] = [a, b].map(({ subject }) => subject.model.info.is_decoder)
    const causal = causalA === true && causalB === true
    const weights = { table: ramp(sequential[scheme]), entry: weightEntry }
    const ofA = { length: a.head.length, source: a.head.source }
    const signed = { table: ramp(diverging[scheme]), entry: signedEntry }
    return {
      maps: [
        { ...weights, ...ofA, values: a.head.attention, causal: causalA === true },
        {
          ...weights,
          length: b.head.length,
          source: b.head.source,
          values: b.head.attention,
          causal: causalB === true,
        },
        { ...signed, ...ofA, values: difference(a.head, b.head, alignment), causal },
      ],
      names: namesOf(comparison),
      tokens: [a.reading.display, b.reading.display],
      alignment,
      likeness: likenessOf(a.head, b.head, alignment, causal),
    }
  }

  /** Notes below the controls. */
  get notes(): string[] {
    const { comparison, model } = this
    const failed = this.#failureNotes
    if (this.kind !== 'model' || !model || comparison?.contrast.by !== 'model') return failed
    const { model: id } = this.#inputs.params
    const { a, b, contrast } = comparison
    const isHere = id === '' || id === model.id || id === a.subject.model.source.name
    return [
      ...failed,
      ...(isHere ? [] : [t().modelGone]),
      ...(samePlace(a.head, b.head) ? [] : [t().clamped(contrast.other, contrast.otherModel)]),
      ...(this.change === '' ? [] : [t().modelUnchanged]),
    ]
  }

  get #failureNotes(): string[] {
    const { failure, model } = this
    if (failure === undefined) return []
    // Where there is no other model, nothing failed.
    return [this.kind === 'model' && !model ? failure : t().failed(failure)]
  }

  /** Why B could not be computed. */
  get failure(): string | undefined {
    if (this.kind === 'model') return this.model ? this.#secondModel.trouble : t().noModel
    return this.kind === 'head' ? this.#otherHead.failure?.message : this.#otherRun.failure?.message
  }
}
