// Muted frequency pairs: those of a head, and the choice after some are muted or unmuted.
import type { ModelInfo } from '../engine/protocol/protocol'
import type { Choice, HeadPlace, MutedPairs } from '../viewstate/choice'

/** Frozen: the pair does not turn (θ = 0). Ablated: its part of the score is 0. */
export type MuteKind = 'frozen' | 'ablated'
/** Where pairs are muted: in one head, in all heads of its layer, in all heads. */
export type Extent = 'head' | 'layer' | 'all'

type Heads = Pick<ModelInfo, 'num_attention_heads' | 'num_key_value_heads'>
type Muting = Pick<Choice, MuteKind>

/** Whether muted pairs of these heads are muted in this one, too. A frozen key head is frozen for its group. */
function reaches({ layer, head }: MutedPairs, kind: MuteKind, place: HeadPlace, heads: Heads): boolean {
  if (layer !== null && layer !== place.layer) return false
  if (head === null || head === place.head) return true
  if (kind === 'ablated') return false
  const group = Math.max(1, Math.floor(heads.num_attention_heads / Math.max(heads.num_key_value_heads, 1)))
  return Math.floor(head / group) === Math.floor(place.head / group)
}

/** Muted pairs of a head, ascending. One that is frozen and ablated counts as ablated. */
export function mutedOf(muting: Muting, place: HeadPlace, heads: Heads): Record<MuteKind, readonly number[]> {
  const all = (kind: MuteKind) =>
    new Set(muting[kind].filter((some) => reaches(some, kind, place, heads)).flatMap(({ pairs }) => pairs))
  const ablated = all('ablated')
  return { ablated: sorted(ablated), frozen: sorted(all('frozen')).filter((pair) => !ablated.has(pair)) }
}

/** How and where the pairs of a head are muted, by the narrowest extent that has some; `mode` where none are. */
export function muteOf(
  muting: Muting,
  place: HeadPlace,
  heads: Heads,
  mode: { how: MuteKind; where: Extent },
): { how: MuteKind; where: Extent } {
  for (const where of ['head', 'layer', 'all'] as const) {
    for (const how of ['ablated', 'frozen'] as const) {
      if (muting[how].some((some) => extentOf(some) === where && reaches(some, how, place, heads)))
        return { how, where }
    }
  }
  return mode
}

function extentOf({ layer, head }: MutedPairs): Extent {
  return layer === null ? 'all' : head === null ? 'layer' : 'head'
}

/** Mutes exactly these pairs of a head; muted pairs of other heads stay. */
export function mute(
  muting: Muting,
  place: HeadPlace,
  heads: Heads,
  pairs: readonly number[],
  { how, where }: { how: MuteKind; where: Extent },
): Muting {
  const others = (kind: MuteKind) => muting[kind].filter((some) => !reaches(some, kind, place, heads))
  const next: Record<MuteKind, readonly MutedPairs[]> = { frozen: others('frozen'), ablated: others('ablated') }
  if (pairs.length === 0) return next
  const layer = where === 'all' ? null : place.layer
  const head = where === 'head' ? place.head : null
  return { ...next, [how]: [...next[how], { layer, head, pairs: sorted(new Set(pairs)) }] }
}

/** Adds these pairs; takes them away where all of them are there. */
export function toggled(muted: readonly number[], pairs: readonly number[]): number[] {
  const all = pairs.every((pair) => muted.includes(pair))
  return all ? muted.filter((pair) => !pairs.includes(pair)) : sorted(new Set([...muted, ...pairs]))
}

/** Whether other heads have muted pairs of their own. */
export function mutedElsewhere(muting: Muting, place: HeadPlace, heads: Heads): boolean {
  return (['frozen', 'ablated'] as const).some((kind) =>
    muting[kind].some((some) => !reaches(some, kind, place, heads)),
  )
}

export type Preset = 'slow' | 'fast' | 'none'

/** The pairs of a preset. @param order all pairs, the fastest first */
export function preset(which: Preset, order: readonly number[]): number[] {
  if (which === 'none') return []
  const pairs = which === 'fast' ? order.slice(0, Math.min(4, Math.floor(order.length / 2))) : slowHalf(order)
  return sorted(new Set(pairs))
}

function slowHalf(order: readonly number[]): readonly number[] {
  return order.slice(Math.ceil(order.length / 2))
}

/** The preset of exactly these pairs; null: none. */
export function presetOf(pairs: readonly number[], order: readonly number[]): Preset | null {
  const same = (other: readonly number[]) =>
    other.length === pairs.length && other.every((pair) => pairs.includes(pair))
  return (['none', 'fast', 'slow'] as const).find((which) => same(preset(which, order))) ?? null
}

function sorted(pairs: Iterable<number>): number[] {
  return [...pairs].sort((one, other) => one - other)
}
