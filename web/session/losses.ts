// Losses of several changes over the same rows, measured a few rows at a time.
import type { Loss } from '../engine/protocol/protocol'

/** Loss by loss over rows that follow each other: the same rows for every change. */
export type Steps = readonly Loss[]

/** The mean over the first so many steps, weighted by their labels; undefined where there is none. */
export function meanOf(steps: Steps, count = steps.length): Loss | undefined {
  const used = steps.slice(0, count)
  const labels = used.reduce((sum, step) => sum + step.labels, 0)
  return labels === 0
    ? undefined
    : { mean: used.reduce((sum, { mean, labels }) => sum + (labels === 0 ? 0 : mean * labels), 0) / labels, labels }
}

/** What a change adds to the loss of the whole model, over the rows that both were measured on. */
export interface Added {
  /** The whole model's loss on these. */
  before: number
  added: number
  labels: number
}

export function addedBy(baseline: Steps, changed: Steps): Added | undefined {
  const count = Math.min(baseline.length, changed.length)
  const [before, after] = [meanOf(baseline, count), meanOf(changed, count)]
  return before && after && { before: before.mean, added: after.mean - before.mean, labels: after.labels }
}

/** Steps up to which each change is measured before any goes further: a first look, a better one, all. */
const rounds = [2, 10, Infinity]

/**
 * The change that is measured next, and its step; undefined: all are measured as far as they are wanted. `wanted`: names in their order, each
 * with the number of steps that it is wanted for.
 */
export function nextStep(
  weights: ReadonlyMap<string, number>,
  measured: (name: string) => number,
): { name: string; step: number } | undefined {
  for (const round of rounds) {
    for (const [name, steps] of weights) {
      const step = measured(name)
      if (step < Math.min(steps, round)) return { name, step }
    }
  }
  return undefined
}

/** A first look. */
export const firstLook = rounds[0] ?? 0
