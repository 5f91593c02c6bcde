// What the shift that is shown changes, asked of the engine as soon as it is shown, and what others changed before it.
import { Asked } from '../../session/asked.svelte'
import type { Bench } from '../../session/bench.svelte'
import { changeKey, readChange } from '../../session/change'
import { runOf } from '../../session/request'
import { withTried, type Tried } from './model'

export class MeasuredShift {
  readonly #bench: Bench
  readonly #asked: Asked<'differences'>
  #tried = $state.raw<{ of: string; list: readonly Tried[] }>({ of: '', list: [] })

  /** What is changed in the run that is shown. */
  readonly change = $derived.by(() => readChange(this.#bench.run?.changed ?? ''))
  /** What is shown, but where its text stands: its run, and what else is changed. */
  readonly #subject = $derived.by(() => {
    const { baseline, run } = this.#bench
    const text = baseline && baseline.reading === run?.reading ? baseline : run
    return `${text?.result.run} ${changeKey({ ...this.change, offset: 0 })}`
  })
  /** The largest changes that the shown shift makes; undefined while they are not known, and where nothing is shifted. */
  readonly now = $derived.by((): Tried | undefined => {
    const { offset } = this.change
    const { value, of } = this.#asked
    return value && offset > 0 && of === `${this.#subject} ${offset}` ? { offset, ...value } : undefined
  })
  /** The offsets tried with this text. */
  readonly list = $derived.by(() => (this.#tried.of === this.#subject ? this.#tried.list : []))

  /** Make it while a component is made. */
  constructor(bench: Bench) {
    this.#bench = bench
    this.#asked = new Asked(bench.engine, 'differences', () => {
      const { run } = bench
      const { offset } = this.change
      if (!run || offset === 0) return undefined
      const asks = { ...runOf(run, this.change), of: 'shift' as const }
      return { name: `${this.#subject} ${offset}`, of: run.model, asks }
    })
    $effect(() => {
      const { now, list } = this
      if (now && !list.includes(now)) this.#tried = { of: this.#subject, list: withTried(list, now) }
    })
  }

  /** Why the engine does not tell. */
  get refused(): string | undefined {
    return this.#asked.failure?.message
  }
}
