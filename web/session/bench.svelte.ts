import { untrack } from 'svelte'
import { difference, movedPosition, fill, hide, HiddenWords, retype, reveal, type Draft } from '../text/edit'
import type { Reading } from '../text/reading'
import { Address, type AddressWindow } from '../viewstate/address'
import { languageAtFirst, storeBackend, storedBackend, storeLanguage } from '../viewstate/stored'
import { AutoSelection } from './autoSelection.svelte'
import { interventionsText, interventionsOf } from './interventions'
import type { Choice, Choose, Cursor, HeadPlace, QueryAndKey } from '../viewstate/choice'
import { clampCursor, clampHead, explanationView, movedTo } from '../viewstate/choice'
import { movedSites } from '../viewstate/movedSites'
import type { EngineState } from './engine.svelte'
import type { Example } from '../viewstate/examples'
import { EveryHead } from './headStatistics.svelte'
import { Generation } from './generation.svelte'
import { LinkedModel } from './linkedModel.svelte'
import { OpeningText } from './openingText'
import { Palette } from './palette.svelte'
import { readBy } from './reading'
import { Runs, type Run } from './runs.svelte'
import { isUndone, outsideUndo, Steps, alike, signals } from '../viewstate/steps.svelte'
import { Walk } from './walk.svelte'

/** Tokens of the longest text whose heads are previewed: a map of so many takes 4 MiB. */
const longestPreview = 1024

/** One text and one choice, which the engine runs and all views show. */
export class Bench {
  readonly engine: EngineState
  readonly #address: Address
  readonly #runs: Runs
  #steps = $state.raw(new Steps<Choice>())
  readonly linkedModel: LinkedModel
  /** The text that a causal model writes. */
  readonly generation: Generation
  /** All heads of the run on show, by distance. */
  readonly everyHead: EveryHead
  /** The colours of all maps. */
  readonly palette: Palette
  /** The key's vector, moved along the text. */
  readonly walk: Walk
  /** Selects the strongest cell where nobody has selected one. */
  readonly autoSelection: AutoSelection
  readonly #openingText: OpeningText
  /** What the link holds, one signal a value. Positions are those of the present text; views of the run on show read `cursor`. */
  readonly choice: Choice
  /** The head below the pointer: views show it, and the selection stays. */
  preview: HeadPlace | undefined = $state.raw()
  /** The cell below the map's pointer, as positions of the run on show. */
  cellUnderPointer: QueryAndKey | undefined = $state.raw()
  readonly #hiddenWords = new HiddenWords()
  /** Whether the next change of the choice is a step of the browser's history. */
  #step = false
  /** Whether the next change is no step, whatever changes. */
  #withoutStep = false
  /** Whether the text has been edited since it replaced another one. */
  #edited = false
  /** Where the visitor was before a story, with what can be undone there. */
  #beforeStory: { choice: Choice; steps: Steps<Choice> } | undefined = $state.raw()

  /** The text as the loaded model reads it. */
  reading: Reading | undefined = $derived.by(() => {
    const { model } = this.engine
    return model && readBy(model, this.choice.text, this.choice)
  })
  /** The interventions as text, which compares by its letters. */
  readonly #interventions: string = $derived.by(() => interventionsText(interventionsOf(this.choice)))
  /** The selection in the run on show: where that is of another text, the same tokens there. */
  cursor: Cursor = $derived.by(() => {
    const { run, choice, reading } = this
    if (!run) return clampCursor(choice, this.engine.model?.info, reading?.ids.length ?? 0, reading?.pair)
    const { model, text, reading: read } = run
    const moved = reading && run.reading !== reading ? movedTo(choice, choice.text, reading, text, read) : {}
    const { layer, head, query, key, pair } = choice
    return clampCursor({ layer, head, query, key, pair, ...moved }, model.info, read.ids.length, read.pair)
  })
  /** The head that views show: the previewed one, else the selected one. Of a long text none is previewed. */
  head: HeadPlace = $derived.by(() => {
    const { run, preview, cursor } = this
    const shows = preview && run && run.head.length <= longestPreview
    return shows ? clampHead(preview, run.model.info) : { layer: cursor.layer, head: cursor.head }
  })

  /** Changes the choice, at positions of the present text. `kind`: changes of one kind in succession are undone together. */
  readonly choose: Choose = (change, kind = Object.keys(change).join()) => {
    const { text, ...others } = change
    const before = this.#snapshot()
    if (text !== undefined && text !== before.text) {
      // A word is a step.
      const { start, after } = difference(before.text, text)
      if (/\s$/.test(text.slice(start, after))) this.#steps.beginStep()
      this.#edit(retype(this.#draft, text, this.engine.model?.tokenizer.maskToken))
    }
    this.#set(others)
    if ('query' in others || 'key' in others) this.autoSelection.end()
    // Another part has other tokens.
    else if (this.choice.part !== before.part) this.autoSelection.seekCell()
    else if ('layer' in others || 'head' in others) this.autoSelection.endHead()
    if (isUndone(change, before) && !alike(before, this.#snapshot())) this.#steps.add(before, kind)
    const { backend, language } = this.choice
    if (language !== before.language) storeLanguage(language)
    if (backend !== before.backend) storeBackend(backend)
  }

  /** Selects a head by its pattern, and its strongest cell: a step, even if it is selected already. */
  selectByPattern({ layer, head }: HeadPlace): void {
    this.#steps.add(this.#snapshot(), '')
    this.#set({ layer, head })
    this.autoSelection.seekCell()
  }

  /** Changes the choice, at positions of the run on show, which may be of an earlier text. */
  readonly chooseForRun: Choose = (change) => {
    const { run, reading } = this
    if (!run || !reading || run.reading === reading) this.choose(change)
    else this.choose({ ...change, ...movedTo(change, run.text, run.reading, this.choice.text, reading) })
  }

  /** Opens the explanation of the number at this site, at the front of the explorer. */
  explain(site: string): void {
    const { open, viewParams } = this.choice
    const others = open.filter((id) => id !== explanationView.id)
    this.choose({
      page: 'explorer',
      open: [explanationView.id, ...others].slice(0, Math.max(2, open.length)),
      viewParams: { ...viewParams, [explanationView.param]: site },
    })
  }

  constructor(engine: EngineState, place: AddressWindow) {
    this.engine = engine
    this.linkedModel = new LinkedModel(engine)
    this.#runs = new Runs(engine, () => this.head)
    this.#address = new Address(place, (choice) => this.#restore(choice))
    const read = this.#address.read()
    const backend = this.#address.names('backend') ? read.backend : (storedBackend() ?? read.backend)
    this.choice = signals({ ...read, backend, language: languageAtFirst(place.location.hash) })
    this.generation = new Generation(this)
    this.walk = new Walk(this)
    this.autoSelection = new AutoSelection(this)
    this.#openingText = new OpeningText(this, this.#address)
    this.everyHead = new EveryHead(engine, () => this.run && { run: this.run.id, length: this.run.head.length })
    engine.start(backend, read.weights)
    this.palette = new Palette(engine)
    $effect.root(() => {
      $effect(() => {
        const choice = this.#snapshot()
        // The link stays where the visitor was.
        if (!this.#beforeStory) this.#address.show(choice, this.#withoutStep ? 'never' : this.#step ? 'step' : 'small')
        this.#step = this.#withoutStep = false
      })
      // Before the page is drawn for a new model: its first text runs meanwhile.
      $effect.pre(() => {
        const { part } = this.choice
        untrack(() => engine.selectPart(part))
      })
      $effect.pre(() => {
        const model = this.linkedModel.isLoaded ? engine.model : undefined
        if (model) untrack(() => this.#openingText.chooseFor(model))
      })
      $effect.pre(() => {
        const { reading } = this
        void this.#interventions
        // When the model stops writing, the end of its text still has to run.
        void this.generation.writing
        if (this.linkedModel.isLoaded && reading && reading.ids.length > 0) untrack(() => this.#runText())
      })
      // While the model writes, a newer run usually follows the one that a token ended. What is gone at the end is reported then.
      $effect(() => {
        if (!this.generation.writing) this.#runs.checkGone()
      })
      $effect(() => this.walk.follow())
    })
  }

  get run(): Run | undefined {
    return this.#runs.latest
  }

  /** The result of the same text without interventions; `run` itself where it has none. */
  get baseline(): Run | undefined {
    return this.#runs.baseline
  }

  /** Whether the run on show is of the present text and interventions. */
  get current(): boolean {
    const { run } = this
    return run !== undefined && run.reading === this.reading && run.interventions === this.#interventions
  }

  /** Whether a newer result is being computed. */
  get pending(): boolean {
    return this.#runs.pending
  }

  get undoable(): { undo: boolean; redo: boolean } {
    return this.#steps.undoable
  }

  /** Begins a step: what a press then drags is undone together, and apart from what came before. */
  beginStep(): void {
    this.#steps.beginStep()
  }

  undo(): void {
    this.#goTo(this.#steps.undo(this.#snapshot()))
  }

  redo(): void {
    this.#goTo(this.#steps.redo(this.#snapshot()))
  }

  /** Masks the token at this position, or puts back the word that its [MASK] hides; false where that is unknown. */
  toggleMask(position: number): boolean {
    const span = this.reading?.spans[position]
    const mask = this.engine.model?.tokenizer.maskToken
    if (!span || mask === undefined) return false
    const masked = this.choice.text.slice(span.start, span.end) === mask
    const draft = masked ? reveal(this.#draft, span) : hide(this.#draft, span, mask)
    if (draft) this.#editAsStep(draft)
    return draft !== null
  }

  /** Replaces the mask at this position of the run on show by a fill, as it is written after other text. */
  fillIn(position: number, written: string): void {
    const span = this.run?.reading.spans[position]
    if (span && this.current) this.#editAsStep(fill(this.#draft, span, written))
  }

  /** Runs the present text again. */
  runAgain(): void {
    const input = this.#runInput()
    this.engine.dismiss('run')
    if (input) void this.#runs.run(...input)
  }

  show({ text, layer, head, query, key }: Example): void {
    this.#step = text !== this.choice.text
    this.#steps.add(this.#snapshot(), '')
    this.#replace(text)
    this.#set({ text, layer, head, query, key })
    this.autoSelection.end()
    this.engine.wake(this.choice.backend, this.choice.weights)
  }

  /** Runs the present text, unless its result is on show. While the model writes, a run waits for the one before. */
  #runText(): void {
    // A run in progress is of an earlier choice: its result would replace the one on show.
    const input = this.current && !this.pending ? undefined : this.#runInput()
    if (this.current || input) this.engine.dismiss('run')
    if (!input) return
    void (this.generation.writing ? this.#runs.runInTurn(...input) : this.#runs.run(...input))
  }

  #runInput(): Parameters<Runs['run']> | undefined {
    const { reading, choice } = this
    const { model } = this.engine
    if (!model || !reading) return undefined
    return [{ model, text: choice.text, reading, change: interventionsOf(choice) }, clampHead(choice, model.info)]
  }

  get #draft(): Draft {
    return this.#hiddenWords.draft(this.choice.text)
  }

  #snapshot(): Choice {
    return { ...this.choice }
  }

  #set(change: Partial<Choice>): void {
    const { backend, weights, model } = this.choice
    const now = Object.assign(this.choice, change)
    if (now.model !== model) this.linkedModel.awaitModel(now.model)
    if (now.backend !== backend || now.weights !== weights) this.engine.start(now.backend, now.weights)
  }

  /** Changes the choice without a step: neither undo nor Back returns to it. */
  chooseWithoutStep(change: Partial<Choice>): void {
    const before = this.#snapshot()
    this.#take({ ...before, ...change })
    this.#withoutStep = !alike(before, this.#snapshot())
    this.engine.wake(this.choice.backend, this.choice.weights)
  }

  /** Whether a story is on show: what is chosen meanwhile is no step, and the link stays as it was. */
  get inStory(): boolean {
    return this.#beforeStory !== undefined
  }

  /** Shows a state of a story. */
  showStory(change: Partial<Choice>): void {
    if (!this.#beforeStory) {
      this.#beforeStory = { choice: this.#snapshot(), steps: this.#steps }
      this.#steps = new Steps()
    }
    this.autoSelection.end()
    this.chooseWithoutStep(change)
  }

  /** Ends a story: all is as it was before it. `changes`: what the visitor has changed meanwhile, which stays and is a step. */
  endStory(changes: Partial<Choice> = {}): void {
    const before = this.#beforeStory
    if (!before) return
    const inStory = this.#snapshot()
    const { open, model } = before.choice
    this.#beforeStory = undefined
    this.#steps = before.steps
    this.chooseWithoutStep({ ...before.choice, ...outsideUndo(inStory), open, model, ...changes })
    this.#step = Object.keys(changes).length > 0
    this.#withoutStep &&= !this.#step && inStory.page === before.choice.page
    if (this.#step) this.#steps.add(before.choice, '')
    else this.autoSelection.end()
    const returnsToModel = !this.#step && model !== inStory.model
    if (returnsToModel) this.#openingText.awaitModelBeforeStory()
    const loaded = this.linkedModel.isLoaded && !returnsToModel ? this.engine.model : undefined
    if (loaded) this.#openingText.chooseFor(loaded)
  }

  /** Undoes or redoes to a state. What `outsideUndo` names stays. */
  #goTo(state: Choice | undefined): void {
    if (!state) return
    this.autoSelection.end()
    this.#take({ ...state, ...outsideUndo(this.choice) })
  }

  #editAsStep(draft: Draft): void {
    const before = this.#snapshot()
    this.#edit(draft)
    this.#steps.add(before, '')
  }

  /** Sets an edited text. Selected tokens that are still there stay selected. */
  #edit(draft: Draft): void {
    const { text } = draft
    const { choice, reading } = this
    const before = choice.text
    const selection = clampCursor(choice, this.engine.model?.info, reading?.ids.length ?? 0)
    // Back returns to the text before the first of many edits.
    this.#step ||= !this.#edited
    this.#edited = true
    this.#hiddenWords.edit(draft)
    this.#set({ text })
    const now = this.reading
    if (reading && now && now.ids.length > 0) {
      const edit = difference(before, text)
      const remains = (position: number) => movedPosition(position, reading, now, edit) !== undefined
      if (!remains(selection.query) || !remains(selection.key)) this.autoSelection.loseSelection()
      this.#set({
        ...movedTo(selection, before, reading, text, now),
        ...movedSites(choice, { edit, before: reading, now }),
      })
    }
    this.autoSelection.textChanged()
    this.engine.wake(this.choice.backend, this.choice.weights)
  }

  /** Prepares for another text: stores the words that the masks of this one hide. */
  #replace(text: string): void {
    this.#hiddenWords.replace(this.choice.text, text)
    this.#edited = false
  }

  /** Takes the state of a link, which ends a story. */
  #restore(choice: Choice): void {
    const before = this.#beforeStory
    this.#beforeStory = undefined
    if (before) this.#steps = before.steps
    this.#steps.add(before?.choice ?? this.#snapshot(), '')
    this.#take(choice)
    this.autoSelection.end()
    this.#openingText.followLink(this.#address)
    if (this.engine.model) this.#openingText.chooseFor(this.engine.model)
  }

  #take(choice: Choice): void {
    if (choice.text !== this.choice.text) this.#replace(choice.text)
    this.#set(choice)
  }
}
