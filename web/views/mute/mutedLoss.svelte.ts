// The losses that the view shows: of what the shown result was run with, and of each pair alone.
import type { Bench } from '../../session/bench.svelte'
import { HeldOutLoss, type MeasuredChange } from '../../session/heldOutLoss.svelte'
import type { Added } from '../../session/losses'
import { layerTheta, type Shown } from '../../session/runs.svelte'
import { bySpeed, wavelengthsOf } from '../../charts/pair-axis/axis'
import type { LossShown } from './drawLoss'
import { changeOf, eachAlone, pairLosses } from './loss'

export class MutedLoss {
  readonly held: HeldOutLoss
  readonly changed: MeasuredChange | undefined
  /** For the chart. */
  readonly shown: LossShown
  /** Whether there is a chart. */
  readonly charted: boolean

  /** Make it while a component is made. */
  constructor(bench: Bench) {
    const info = $derived(bench.shown?.model.info)
    const order = $derived(bySpeed(wavelengthsOf(bench.whole ? layerTheta(bench.whole) : new Float64Array())))
    this.changed = $derived(bench.shown && changeOf(bench.shown.changed, bench.shown.model.info))
    this.held = new HeldOutLoss(
      bench.engine,
      () => this.changed,
      () => (info ? eachAlone(order, info) : []),
    )
    const losses = $derived(pairLosses(order, this.held))
    this.charted = $derived(this.held.wanted('each') || losses.some(({ cut, stop }) => cut ?? stop))
    this.shown = $derived({
      losses,
      heads: info ? info.num_hidden_layers * info.num_attention_heads : 0,
      book: this.held.book,
      complete: this.held.complete('each'),
    })
  }

  /** What the change of this result adds, as far as it is measured. */
  addedBy({ changed, model }: Shown): Added | undefined {
    const change = changeOf(changed, model.info)
    return change && this.held.added(change.name)
  }
}
