import type { ModelSource } from '../engine/protocol/protocol'
import type { Choice } from '../viewstate/choice'
import { meansModel, modelLink } from '../viewstate/codec'
import { betterExample, places, type Example } from '../viewstate/examples'
import type { AutoSelection } from './autoSelection.svelte'
import type { LoadedModel } from './engine.svelte'

type PlaceName = (typeof places)[number]

/** What the opening text reads of the address: which fields the link names. */
export interface OpeningLink {
  names(key: 'text' | PlaceName): boolean
}

/** What the opening text reads and changes of the bench. */
export interface OpeningBench {
  readonly choice: Readonly<Pick<Choice, 'text' | 'model' | 'part'>>
  readonly inStory: boolean
  readonly autoSelection: Pick<AutoSelection, 'seekCell' | 'seekHead'>
  chooseWithoutStep(change: Partial<Choice>): void
  show(example: Example): void
}

/** The source and the features of a model that decide which text it opens with. */
export type OpeningModel = Pick<LoadedModel, 'source' | 'fullInfo'>

/**
 * The text that a model opens with. A link's own text stays, and so does what the visitor wrote. A link without a text opens on the model's
 * first example, and another model's example is replaced by it.
 */
export class OpeningText {
  readonly #bench: OpeningBench
  /** Of a link without a text: the places that it does not name, which the example fills. */
  #placesToFill: readonly PlaceName[] | undefined
  /** Whether the link names a place: the next model keeps it. */
  #linkNamesPlace = false
  /** The model that keeps even another model's example: a link names the text for it, or had it before a story. */
  #keepsText: { model: string; of: 'link' | 'story' } | undefined
  /** The last model that opened. */
  #modelBefore: OpeningModel | undefined

  /** @param link of the page's start */
  constructor(bench: OpeningBench, link: OpeningLink) {
    this.#bench = bench
    this.followLink(link)
  }

  /** A link was followed, or opens the page: its model opens with its text. */
  followLink(link: OpeningLink): void {
    this.#linkNamesPlace = places.some((key) => link.names(key))
    this.#placesToFill = link.names('text') ? undefined : places.filter((key) => !link.names(key))
    this.#keepsText = this.#placesToFill ? undefined : { model: this.#bench.choice.model, of: 'link' }
    // A text without a cell of its own shows the strongest one.
    if (link.names('text') && !link.names('query') && !link.names('key')) this.#bench.autoSelection.seekCell()
  }

  /** A story of another model ended: the text from before it waits for its own model, as does a link without a text. */
  awaitModelBeforeStory(): void {
    if (!this.#placesToFill) this.#keepsText = { model: this.#bench.choice.model, of: 'story' }
  }

  /** Chooses the text for a model that was loaded, or that a link or the end of a story returns to. */
  chooseFor(model: OpeningModel): void {
    const bench = this.#bench
    const link = modelLink(model.source)
    // The text waits for the model that the link names.
    const waits = this.#placesToFill !== undefined || this.#keepsText !== undefined
    if (bench.inStory || (waits && link !== bench.choice.model)) return
    const [before, placesToFill, keepsText] = [this.#modelBefore, this.#placesToFill, this.#keepsText]
    this.#placesToFill = this.#keepsText = undefined
    this.#modelBefore = model
    const keeps = keepsText && meansModel(keepsText.model, model.source) ? keepsText.of : undefined
    if (keeps === 'story') return
    const example = keeps ? undefined : betterExample(bench.choice.text, model.fullInfo)
    const isAnother = before !== undefined && !isSame(before.source, model.source)
    if (example && placesToFill) bench.chooseWithoutStep(textAndPlaces(example, placesToFill))
    // `keepsText` here: the text was for a model that did not come.
    else if (example && (isAnother || keepsText)) bench.show(example)
    const namesNoPlace = placesToFill?.length === places.length
    // An example's cell is one of cross-attention.
    if (example && namesNoPlace && model.fullInfo.encoder && bench.choice.part !== 'cross')
      bench.autoSelection.seekCell()
    // The places of examples are those of the bundled models.
    const needsHead = (namesNoPlace && model.source.kind !== 'url') || (isAnother && !example && !this.#linkNamesPlace)
    if (needsHead) bench.autoSelection.seekHead()
    if (isAnother) this.#linkNamesPlace = false
  }
}

/** A model that is read again, as in another format, is the same one. Folders of one name are not. */
function isSame(one: ModelSource, other: ModelSource): boolean {
  return one === other || (other.kind !== 'files' && modelLink(one) === modelLink(other))
}

function textAndPlaces(example: Example, names: readonly PlaceName[]): Partial<Choice> {
  return Object.fromEntries((['text', ...names] as const).map((name) => [name, example[name]]))
}
