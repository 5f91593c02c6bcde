// What interventions do to a model's guesses.
import type { Prediction, Verdict } from './predictions'

/** A token's probability without interventions and with them. Null: unknown, as it is not among the most probable that a run returns. */
interface FillChange {
  id: number
  token: string
  baseline: number | null
  now: number | null
}

/** The fills of one position: the most probable now, best first, then others of the baseline. */
export interface PlaceChange {
  position: number
  fills: FillChange[]
  /** Upper bounds of unknown probabilities. */
  least: { baseline: number; now: number }
}

/** @param most fills that count of each */
export function fillChanges(
  now: readonly Prediction[],
  baseline: readonly Prediction[],
  most = Number.POSITIVE_INFINITY,
): PlaceChange[] {
  return now.map(({ position, fills }) => {
    const before = baseline.find((prediction) => prediction.position === position)?.fills ?? []
    const find = (list: Prediction['fills'], id: number) => list.find((fill) => fill.id === id)?.probability ?? null
    const first = fills.slice(0, most)
    const others = before.slice(0, most).filter(({ id }) => !first.some((fill) => fill.id === id))
    const changes = [...first, ...others].map(({ id, token }) => ({
      id,
      token,
      baseline: find(before, id),
      now: find(fills, id),
    }))
    const least = { baseline: before.at(-1)?.probability ?? 0, now: fills.at(-1)?.probability ?? 0 }
    return { position, fills: changes, least }
  })
}

/** What interventions do to the best guess of a position. */
type Guess =
  | { kind: 'stays'; token: string; baseline: number; now: number }
  | { kind: 'turns'; from: string; to: string; baseline: number; now: number }

export function guess({ fills }: PlaceChange): Guess | undefined {
  const [best] = fills
  const first = fills.reduce<FillChange | undefined>(
    (most, fill) => ((fill.baseline ?? -1) > (most?.baseline ?? -1) ? fill : most),
    undefined,
  )
  if (!best || best.now === null || !first || first.baseline === null) return undefined
  return first.id === best.id
    ? { kind: 'stays', token: best.token, baseline: first.baseline, now: best.now }
    : { kind: 'turns', from: first.token, to: best.token, baseline: first.baseline, now: best.now }
}

/** A class with its probability without interventions and with them. */
export interface ClassChange {
  label: string
  baseline: number
  now: number
}

export function classChanges(
  now: Extract<Verdict, { kind: 'classes' }>,
  baseline: Verdict | null | undefined,
): ClassChange[] {
  const before = baseline?.kind === 'classes' ? baseline.classes : now.classes
  return now.classes.map(({ label, probability }) => ({
    label,
    now: probability,
    baseline: before.find((other) => other.label === label)?.probability ?? probability,
  }))
}
