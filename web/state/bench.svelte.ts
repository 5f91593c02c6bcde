import { untrack } from 'svelte'
import { isFailure } from '../engine/failure'
import type { HeadResult, RunReport, RunRequest, RunResult } from '../engine/protocol'
import { runTrouble } from '../engine/words'
import { difference, followPosition } from '../text/edit'
import { fill, hide, retype, reveal, type Draft, type Masked } from '../text/masks'
import { readUpTo, type Reading } from '../text/reading'
import { Address, type Place } from './address'
import type { Choice, Choose } from './choice'
import { clampChoice } from './clamp'
import type { EngineState, LoadedModel } from './engine.svelte'
import type { Example } from './examples'
import { rowsToPredict } from './predictions'

/** How many fills each [MASK] shows. */
export const fillsShown = 5

/** The newest result, with the reading and the model that it belongs to. */
export interface Shown {
  model: LoadedModel
  reading: Reading
  result: RunResult
  /** The chosen head: the run's own, or one read after it. */
  head: HeadResult
}

/** The one bench: one text and one choice, run by the engine, and every view shows them. */
export class Bench {
  readonly engine: EngineState
  readonly #address: Address
  /** As the link has it. Views show `seen`. */
  choice: Choice = $state.raw() as Choice
  #masked: readonly Masked[] = $state.raw([])
  shown: Shown | undefined = $state.raw()

  /** The text as the loaded model reads it. */
  reading: Reading | undefined = $derived.by(() => {
    const { model } = this.engine
    return model && readUpTo(model.tokenizer, this.choice.text, model.info.max_position_embeddings)
  })
  /** The choice as the shown result can show it. */
  seen: Choice = $derived.by(() =>
    clampChoice(this.choice, this.shown?.model.info ?? this.engine.model?.info, this.#length),
  )
  #length: number = $derived(this.shown?.reading.ids.length ?? this.reading?.ids.length ?? 0)
  report: RunReport | undefined = $derived(this.shown?.result.report)

  /** Views report what was chosen in them through this. */
  readonly choose: Choose = (change) => {
    if (change.text !== undefined && change.text !== this.choice.text)
      this.#edit(retype(this.#draft, change.text, this.engine.model?.tokenizer.maskToken))
    const { text: _, ...others } = change
    const backend = this.choice.backend
    this.choice = { ...this.choice, ...others }
    if (this.choice.backend !== backend) this.engine.start(this.choice.backend)
  }

  constructor(engine: EngineState, place: Place) {
    this.engine = engine
    this.#address = new Address(place, (choice) => this.#restore(choice))
    this.choice = this.#address.read()
    engine.start(this.choice.backend)
    $effect.root(() => {
      $effect(() => this.#address.show(this.choice))
      $effect(() => {
        const { model } = engine
        const { reading } = this
        if (model && reading && reading.ids.length > 0) untrack(() => void this.#run(model, reading))
      })
      $effect(() => {
        const { shown, seen } = this
        if (shown && (shown.head.layer !== seen.layer || shown.head.head !== seen.head)) {
          untrack(() => void this.#readHead(seen.layer, seen.head))
        }
      })
    })
  }

  /** Whether the result on show is that of the text as it stands. */
  get current(): boolean {
    return this.shown !== undefined && this.shown.reading === this.reading
  }

  /** Masks the token at this position, or gives back the word that its [MASK] hides; false where none is known. */
  toggleMask(position: number): boolean {
    const span = this.reading?.spans[position]
    const mask = this.engine.model?.tokenizer.maskToken
    if (!span || mask === undefined) return false
    const masked = this.choice.text.slice(span.start, span.end) === mask
    const draft = masked ? reveal(this.#draft, span) : hide(this.#draft, span, mask)
    if (draft) this.#edit(draft)
    return draft !== null
  }

  /** Puts a fill, as it is written after other text, in the place of the mask at this position of the shown result. */
  fillIn(position: number, written: string): void {
    const span = this.shown?.reading.spans[position]
    if (span && this.current) this.#edit(fill(this.#draft, span, written))
  }

  /** Writes a predicted token at the end of the text. */
  append(written: string): void {
    this.choose({ text: this.choice.text + written })
  }

  /** Runs the text once more, after a failure. */
  runAgain(): void {
    const { reading } = this
    this.engine.dismiss('run')
    if (this.engine.model && reading) void this.#run(this.engine.model, reading)
  }

  show({ text, layer, head, query, key }: Example): void {
    this.#masked = []
    this.choice = { ...this.choice, text, layer, head, query, key }
  }

  get #draft(): Draft {
    return { text: this.choice.text, masked: this.#masked }
  }

  /** Takes an edited text over; the chosen tokens stay chosen where they are still there. */
  #edit({ text, masked }: Draft): void {
    const before = this.reading
    const edit = difference(this.choice.text, text)
    const { query, key } = clampChoice(this.choice, this.engine.model?.info, before?.ids.length ?? 0)
    this.#masked = masked
    this.choice = { ...this.choice, text }
    const now = this.reading
    if (!before || !now || now.ids.length === 0) return
    this.choice = {
      ...this.choice,
      query: followPosition(query, before, now, edit),
      key: followPosition(key, before, now, edit),
    }
  }

  #restore(choice: Choice): void {
    const { backend } = this.choice
    if (choice.text !== this.choice.text) this.#masked = []
    this.choice = choice
    if (choice.backend !== backend) this.engine.start(choice.backend)
  }

  async #run(model: LoadedModel, reading: Reading): Promise<void> {
    const { layer, head } = clampChoice(this.choice, model.info, reading.ids.length)
    const request: RunRequest = {
      ids: reading.ids,
      rows: rowsToPredict(model, reading),
      topK: fillsShown,
      layer,
      head,
      positionOffset: 0,
    }
    try {
      const result = await this.engine.client.run(model.version, request)
      if (!result || this.engine.model !== model) return
      this.shown = { model, reading, result, head: result }
      this.engine.dismiss('run')
    } catch (error) {
      if (!isFailure(error)) throw error
      if (error.code !== 'restarted') this.engine.trouble('run', runTrouble(error))
    }
  }

  async #readHead(layer: number, head: number): Promise<void> {
    try {
      const result = await this.engine.client.head(layer, head)
      const { shown, seen } = this
      // It belongs to the newest result that was told; a newer choice has asked again.
      if (
        result &&
        shown &&
        result.length === shown.result.length &&
        result.layer === seen.layer &&
        result.head === seen.head
      ) {
        this.shown = { ...shown, head: result }
      }
    } catch (error) {
      if (!isFailure(error)) throw error
      if (error.code !== 'restarted') this.engine.trouble('run', runTrouble(error))
    }
  }
}
