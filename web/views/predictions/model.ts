// What a model says of a text, now and with nothing changed in it.
import type { Prediction, Verdict } from '../../session/predictions'

/** A token's probability with nothing changed, and now. Null: not known, as it is not among the likeliest that were read back. */
export interface FillChange {
  id: number
  token: string
  whole: number | null
  now: number | null
}

/** The fills of one position: the likeliest now, best first, then those that were among the likeliest before. */
export interface PlaceChange {
  position: number
  fills: FillChange[]
  /** What is not known is at most this. */
  least: { whole: number; now: number }
}

/** `whole`: the predictions with nothing changed; they may be the same. Of both the first so many. */
export function fillChanges(
  now: readonly Prediction[],
  whole: readonly Prediction[],
  most = Number.POSITIVE_INFINITY,
): PlaceChange[] {
  return now.map(({ position, fills }) => {
    const before = whole.find((prediction) => prediction.position === position)?.fills ?? []
    const find = (list: Prediction['fills'], id: number) => list.find((fill) => fill.id === id)?.probability ?? null
    const first = fills.slice(0, most)
    const others = before.slice(0, most).filter(({ id }) => !first.some((fill) => fill.id === id))
    const changes = [...first, ...others].map(({ id, token }) => ({
      id,
      token,
      whole: find(before, id),
      now: find(fills, id),
    }))
    const least = { whole: before.at(-1)?.probability ?? 0, now: fills.at(-1)?.probability ?? 0 }
    return { position, fills: changes, least }
  })
}

/** What a change did to the best guess of a position. */
export type Guess =
  | { kind: 'stays'; token: string; whole: number; now: number }
  | { kind: 'turns'; from: string; to: string; whole: number; now: number }

export function guess({ fills }: PlaceChange): Guess | undefined {
  const [best] = fills
  const first = fills.reduce<FillChange | undefined>(
    (most, fill) => ((fill.whole ?? -1) > (most?.whole ?? -1) ? fill : most),
    undefined,
  )
  if (!best || best.now === null || !first || first.whole === null) return undefined
  return first.id === best.id
    ? { kind: 'stays', token: best.token, whole: first.whole, now: best.now }
    : { kind: 'turns', from: first.token, to: best.token, whole: first.whole, now: best.now }
}

/** The position whose best guess a change moves most: one that turns before any that stays. */
export function mostMoved(places: readonly PlaceChange[]): PlaceChange | undefined {
  const moved = (place: PlaceChange) => {
    const found = guess(place)
    if (!found) return -1
    return Math.abs(found.now - found.whole) + (found.kind === 'turns' ? 1 : 0)
  }
  return places.reduce<PlaceChange | undefined>(
    (most, place) => (most === undefined || moved(place) > moved(most) ? place : most),
    undefined,
  )
}

/** A class with its probability with nothing changed, and now. */
export interface ClassChange {
  label: string
  whole: number
  now: number
}

export function classChanges(
  now: Extract<Verdict, { kind: 'classes' }>,
  whole: Verdict | null | undefined,
): ClassChange[] {
  const before = whole?.kind === 'classes' ? whole.classes : now.classes
  return now.classes.map(({ label, probability }) => ({
    label,
    now: probability,
    whole: before.find((other) => other.label === label)?.probability ?? probability,
  }))
}

/** How many tokens have each label, the commonest first. */
export function labelCounts({ tokens }: Extract<Verdict, { kind: 'tokens' }>): [label: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { label } of tokens) counts.set(label, (counts.get(label) ?? 0) + 1)
  return [...counts].sort((one, other) => other[1] - one[1])
}
