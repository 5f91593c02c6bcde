// Losses of several changes over the same rows, measured a few rows at a time.
import type { Loss } from '../engine/protocol/protocol'

/** Losses of consecutive steps, which read the same rows for every change. */
export type Steps = readonly Loss[]

/** The mean over the first `count` steps, weighted by their labels; undefined without labels. */
export function meanOf(steps: Steps, count = steps.length): Loss | undefined {
  const used = steps.slice(0, count)
  const labels = used.reduce((sum, step) => sum + step.labels, 0)
  return labels === 0
    ? undefined
    : { mean: used.reduce((sum, { mean, labels }) => sum + (labels === 0 ? 0 : mean * labels), 0) / labels, labels }
}

/** What a change adds to the loss of the baseline, over the rows that both were measured on. */
export interface Added {
  /** The baseline's loss on these. */
  before: number
  added: number
  /** The standard error of `added`, from the scatter of the steps; undefined of few steps. */
  error: number | undefined
  labels: number
}

export function addedBy(baseline: Steps, changed: Steps): Added | undefined {
  const count = Math.min(baseline.length, changed.length)
  const [before, after] = [meanOf(baseline, count), meanOf(changed, count)]
  if (!before || !after) return undefined
  const added = after.mean - before.mean
  return { before: before.mean, added, error: errorOf(baseline, changed, added), labels: after.labels }
}

/** Fewer steps say too little of their scatter. */
const leastSteps = 10

/** The standard error of a ratio of sums: of losses to labels, over paired steps. */
function errorOf(baseline: Steps, changed: Steps, added: number): number | undefined {
  const steps = changed.flatMap(({ mean, labels }, step) => {
    const before = baseline[step]
    return before && labels > 0 ? [{ off: mean - before.mean - added, labels }] : []
  })
  const count = steps.length
  if (count < leastSteps) return undefined
  const labels = steps.reduce((sum, step) => sum + step.labels, 0)
  const squares = steps.reduce((sum, step) => sum + (step.labels * step.off) ** 2, 0)
  return Math.sqrt((squares * count) / (count - 1)) / labels
}

/** Steps up to which each change is measured before any goes further. */
const rounds = [2, 10, Infinity]

/**
 * The change that is measured next, and its step; undefined: all are measured.
 *
 * @param limits the number of steps by name of the change, in their order
 */
export function nextStep(
  limits: ReadonlyMap<string, number>,
  measured: (name: string) => number,
): { name: string; step: number } | undefined {
  for (const round of rounds) {
    for (const [name, steps] of limits) {
      const step = measured(name)
      if (step < Math.min(steps, round)) return { name, step }
    }
  }
  return undefined
}

/** Steps of the first round. */
export const firstRound = rounds[0] ?? 0
