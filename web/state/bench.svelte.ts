import { untrack } from 'svelte'
import type { RunReport } from '../engine/protocol'
import { difference, followPosition } from '../text/edit'
import { fill, hide, retype, reveal, type Draft, type Masked } from '../text/masks'
import { readUpTo, type Reading } from '../text/reading'
import { Address, type Place } from './address'
import type { Choice, Choose } from './choice'
import { clampChoice } from './clamp'
import type { EngineState } from './engine.svelte'
import type { Example } from './examples'
import { Generation } from './generation.svelte'
import { Runs, type Shown } from './runs.svelte'

/** The one bench: one text and one choice, run by the engine, and every view shows them. */
export class Bench {
  readonly engine: EngineState
  readonly #address: Address
  readonly #runs: Runs
  /** Text that the model writes on. */
  readonly generation: Generation
  /** As the link has it: positions are those of the text as it stands. Views of the result show `seen`. */
  choice: Choice = $state.raw() as Choice
  #masked: readonly Masked[] = $state.raw([])
  /** Words under the masks of texts that were replaced as a whole, for when one comes back. */
  readonly #hidden = new Map<string, readonly Masked[]>()
  /** Whether the next change of the choice is a step that one can go back from. */
  #step = false
  /** Whether the text has been edited since it was put there as a whole. */
  #edited = false

  // By itself, so that no other choice reads or runs the text anew.
  readonly #text: string = $derived(this.choice.text)
  /** The text as the loaded model reads it. */
  reading: Reading | undefined = $derived.by(() => {
    const { model } = this.engine
    return model && readUpTo(model.tokenizer, this.#text, model.info.max_position_embeddings)
  })
  /** The choice as the shown result can show it: where that is of another text, at the same tokens there. */
  seen: Choice = $derived.by(() => {
    const { shown, choice, reading } = this
    if (!shown) return clampChoice(choice, this.engine.model?.info, reading?.ids.length ?? 0)
    const { model, text, reading: read } = shown
    const there =
      reading && !this.current ? { ...choice, ...movedTo(choice, choice.text, reading, text, read) } : choice
    return clampChoice(there, model.info, read.ids.length)
  })
  report: RunReport | undefined = $derived(this.shown?.result.report)

  /** What is chosen of the text as it stands. */
  readonly choose: Choose = (change) => {
    if (change.text !== undefined && change.text !== this.choice.text)
      this.#edit(retype(this.#draft, change.text, this.engine.model?.tokenizer.maskToken))
    const { text: _, ...others } = change
    const backend = this.choice.backend
    this.choice = { ...this.choice, ...others }
    if (this.choice.backend !== backend) this.engine.start(this.choice.backend)
  }

  /** Views of the result report through this: their positions are those of the text that it belongs to. */
  readonly chooseSeen: Choose = (change) => {
    const { shown, reading } = this
    if (!shown || !reading || this.current) this.choose(change)
    else this.choose({ ...change, ...movedTo(change, shown.text, shown.reading, this.choice.text, reading) })
  }

  constructor(engine: EngineState, place: Place) {
    this.engine = engine
    this.#runs = new Runs(engine)
    this.#address = new Address(place, (choice) => this.#restore(choice))
    this.choice = this.#address.read()
    this.generation = new Generation(this)
    engine.start(this.choice.backend)
    $effect.root(() => {
      $effect(() => {
        this.#address.show(this.choice, this.#step)
        this.#step = false
      })
      $effect(() => {
        const { reading } = this
        // What was written last is run by itself when no more follows.
        void this.generation.writing
        if (engine.model && reading && reading.ids.length > 0) untrack(() => this.#follow())
      })
      $effect(() => {
        const { shown, seen } = this
        if (shown && (shown.head.layer !== seen.layer || shown.head.head !== seen.head)) {
          untrack(() => void this.#runs.readHead(seen))
        }
      })
    })
  }

  get shown(): Shown | undefined {
    return this.#runs.shown
  }

  /** Whether the result on show is that of the text as it stands. */
  get current(): boolean {
    return this.shown !== undefined && this.shown.reading === this.reading
  }

  /** Whether a newer result than the one shown is on its way. */
  get coming(): boolean {
    return this.#runs.coming
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

  /** Runs the text as it stands. */
  runAgain(): void {
    const wanted = this.#toRun()
    this.engine.dismiss('run')
    if (wanted) void this.#runs.run(...wanted)
  }

  show({ text, layer, head, query, key }: Example): void {
    this.#step = text !== this.choice.text
    this.#replace(text)
    this.choice = { ...this.choice, text, layer, head, query, key }
    this.engine.wake(this.choice.backend)
  }

  /** Runs the text as it stands, if its result is not there. While the model writes on, results come as they can. */
  #follow(): void {
    const wanted = this.current ? undefined : this.#toRun()
    if (!wanted) return
    this.engine.dismiss('run')
    void (this.generation.writing ? this.#runs.runInTurn(...wanted) : this.#runs.run(...wanted))
  }

  #toRun(): Parameters<Runs['run']> | undefined {
    const { reading } = this
    const { model } = this.engine
    if (!model || !reading) return undefined
    const { layer, head } = clampChoice(this.choice, model.info, reading.ids.length)
    return [
      { model, text: this.choice.text, reading },
      { layer, head },
    ]
  }

  get #draft(): Draft {
    return { text: this.choice.text, masked: this.#masked }
  }

  /** Takes an edited text over; the chosen tokens stay chosen where they are still there. */
  #edit({ text, masked }: Draft): void {
    const before = { text: this.choice.text, reading: this.reading }
    const chosen = clampChoice(this.choice, this.engine.model?.info, before.reading?.ids.length ?? 0)
    // What was there before the first of many edits can be gone back to.
    this.#step ||= !this.#edited
    this.#edited = true
    this.#masked = masked
    this.choice = { ...this.choice, text }
    const now = this.reading
    if (before.reading && now && now.ids.length > 0) {
      this.choice = { ...this.choice, ...movedTo(chosen, before.text, before.reading, text, now) }
    }
    this.engine.wake(this.choice.backend)
  }

  /** Another text as a whole: the words that the masks of this one hide are kept for when it comes back. */
  #replace(text: string): void {
    if (this.#masked.length > 0) this.#hidden.set(this.choice.text, this.#masked)
    this.#masked = this.#hidden.get(text) ?? []
    this.#edited = false
  }

  #restore(choice: Choice): void {
    const { backend } = this.choice
    if (choice.text !== this.choice.text) this.#replace(choice.text)
    this.choice = choice
    if (choice.backend !== backend) this.engine.start(choice.backend)
  }
}

/** A chosen query and key of one text, where they are chosen at all, in another. */
function movedTo(
  { query, key }: Partial<Pick<Choice, 'query' | 'key'>>,
  from: string,
  before: Reading,
  to: string,
  now: Reading,
): Partial<Pick<Choice, 'query' | 'key'>> {
  const edit = difference(from, to)
  const move = (position: number) => followPosition(position, before, now, edit)
  return {
    ...(query === undefined ? {} : { query: move(query) }),
    ...(key === undefined ? {} : { key: move(key) }),
  }
}
