// The nine steps of the lesson, in the order of a forward pass.
import type { Station } from '../view'

export const steps = [
  'tokens',
  'vectors',
  'projections',
  'rotation',
  'scores',
  'weights',
  'values',
  'feedForward',
  'guess',
] as const
export type Step = (typeof steps)[number]

/** More than a step's options: the answer of a visitor who looks at the picture alone. */
export const withoutAnswer = 4

/** The station of the strip at which each step is. */
const stations: Readonly<Record<Step, Station>> = {
  tokens: 'text',
  vectors: 'tokens',
  projections: 'qk',
  rotation: 'rotate',
  scores: 'score',
  weights: 'weight',
  values: 'value',
  feedForward: 'feedForward',
  guess: 'guess',
}

/** Where the Explorer shows more of a step: a view, and for the map the kind of its numbers. */
const views: Readonly<Partial<Record<Step, { view: string; kind?: string }>>> = {
  tokens: { view: 'map', kind: 'weight' },
  vectors: { view: 'explain' },
  projections: { view: 'map', kind: 'content' },
  rotation: { view: 'rotate' },
  scores: { view: 'score' },
  weights: { view: 'map', kind: 'weight' },
  values: { view: 'map', kind: 'output' },
  feedForward: { view: 'neurons' },
  guess: { view: 'residual' },
}

export const stepAt = (number: number): Step => steps[number - 1] ?? 'tokens'

export const stationOfStep = (number: number): Station => stations[stepAt(number)]

/** The view that shows more of a step; undefined where none serves the model. */
export function viewOfStep(
  step: Step,
  { rotates, predicts }: { rotates: boolean; predicts: boolean },
): { view: string; kind?: string } | undefined {
  if (step === 'projections' && !rotates) return { view: 'map', kind: 'score' }
  if (step === 'rotation' && !rotates) return views.vectors
  return step === 'guess' && !predicts ? { view: 'flow' } : views[step]
}
