// Losses on held-out text: of what is muted now, and of each pair that goes alone.
import type { ModelInfo } from '../../engine/protocol/protocol'
import { changeKey, readChange, runChange, unchanged } from '../../session/change'
import type { HeldOutLoss, MeasuredChange } from '../../session/heldOutLoss.svelte'
import type { Added } from '../../session/losses'
import type { Fate } from '../../session/muted'
import type { LossWords } from '../../i18n/en/views/loss'
import type { NamedTable } from '../../ui/table'

export const fates: readonly Fate[] = ['cut', 'stop']

/** What a result was run with, as a change to measure: positions that are all shifted lose nothing. */
export function changeOf(changed: string, info: ModelInfo): MeasuredChange | undefined {
  const change = { ...readChange(changed), offset: 0 }
  const name = changeKey(change)
  return name === '' ? undefined : { name, change: runChange(change, info) }
}

const alone = (pair: number, fate: Fate) => {
  const muted = [{ layer: null, head: null, pairs: [pair] }]
  return { ...unchanged, [fate]: muted }
}

/** Each pair by itself, in all heads, cut and stopped: in the order of the axis. */
export function eachAlone(order: readonly number[], info: ModelInfo): MeasuredChange[] {
  return order.flatMap((pair) =>
    fates.map((fate) => ({ name: changeKey(alone(pair, fate)), change: runChange(alone(pair, fate), info) })),
  )
}

/** What a pair alone adds to the loss, as far as it is measured. */
export interface PairLoss {
  pair: number
  cut: Added | undefined
  stop: Added | undefined
}

export type Measured = Pick<HeldOutLoss, 'before' | 'added'>

export function pairLosses(order: readonly number[], measured: Measured): PairLoss[] {
  const of = (pair: number, fate: Fate) => measured.added(changeKey(alone(pair, fate)))
  return order.map((pair) => ({ pair, cut: of(pair, 'cut'), stop: of(pair, 'stop') }))
}

/** The slowest pairs that lose less than this when they stop turning, the fastest of them first. */
export function needNotTurn(losses: readonly PairLoss[], most: number): number[] {
  const last = losses.findLastIndex(({ stop }) => stop === undefined || stop.added >= most)
  return losses.slice(last + 1).map(({ pair }) => pair)
}

/** The least number of tokens that what is shown was measured on. */
export function tokensOf(losses: readonly PairLoss[]): number {
  const counts = losses.flatMap(({ cut, stop }) => [cut, stop]).flatMap((loss) => (loss ? [loss.labels] : []))
  return counts.length === 0 ? 0 : Math.min(...counts)
}

/** Nothing where nothing is measured. */
export function lossTables(
  measured: Measured,
  changed: MeasuredChange | undefined,
  losses: readonly PairLoss[],
  words: LossWords,
): NamedTable[] {
  const { before } = measured
  if (!before) return []
  const now = changed && measured.added(changed.name)
  const row = (name: string, { before, added, labels }: Added) => [name, before + added, added, labels]
  const rows = [
    [words.whole, before.mean, 0, before.labels],
    ...(now ? [row(words.now, now)] : []),
    ...losses.flatMap((of) =>
      fates.flatMap((fate) => {
        const loss = of[fate]
        return loss ? [row(words.alone(of.pair, fate), loss)] : []
      }),
    ),
  ]
  return [
    { name: words.table, table: { header: words.header, length: rows.length, row: (index) => rows[index] ?? [] } },
  ]
}
