// The tour: four states of the Explorer, each a link. Closing it restores the former state.
import { unchanged, type Changing } from '../../session/change'
import type { Choice } from '../../viewstate/choice'
import { examples } from '../../viewstate/examples'
import { alike } from '../../viewstate/signals.svelte'

/** The model and the text that the tour's sentences are measured on. */
export const tourModel = 'roformer-english'

const changes = Object.keys(unchanged) as (keyof Changing)[]
const set = ['text', 'layer', 'head', 'query', 'key', 'pair', ...changes, 'open', 'viewParams'] as const

/** The state that a step sets, and that its sentences depend on. */
export type Scene = Pick<Choice, (typeof set)[number]>

export type StepId = 'map' | 'score' | 'mute' | 'distance'

export interface Step {
  id: StepId
  scene: Scene
}

export interface Tour {
  /** An index into `steps`. */
  at: number
  /** The state before the tour. */
  before: Scene
}

const [{ text, layer, head, query, key }] = examples
const place = { text, layer, head, query, key, pair: null, ...unchanged, viewParams: {} }

export const steps: readonly [Step, ...Step[]] = [
  { id: 'map', scene: { ...place, open: ['map', 'score'] } },
  { id: 'score', scene: { ...place, open: ['score', 'map'] } },
  { id: 'mute', scene: { ...place, ablated: [{ layer, head, pairs: [0, 1, 2, 3] }], open: ['mute', 'map'] } },
  { id: 'distance', scene: { ...place, open: ['distance', 'map'] } },
]

export function begin(choice: Choice): Tour {
  return { at: 0, before: Object.fromEntries(set.map((name) => [name, choice[name]])) as unknown as Scene }
}

/** Goes to a step, clamped to the first and the last. */
export function turn(tour: Tour, at: number): Tour {
  return { ...tour, at: Math.min(Math.max(at, 0), steps.length - 1) }
}

export function stepOf({ at }: Tour): Step {
  return steps[at] ?? steps[0]
}

/** True once the visitor has changed the text. */
export function left(tour: Tour, choice: Choice): boolean {
  return choice.text !== stepOf(tour).scene.text
}

/** The change that restores the former state. What the visitor chose during the tour stays. */
export function ended(tour: Tour, choice: Choice): Partial<Choice> {
  const { scene } = stepOf(tour)
  const keys = left(tour, choice) ? ['text', 'layer', 'head', 'query', 'key', 'pair'] : []
  const back = set.filter((name) => !keys.includes(name) && alike(choice[name], scene[name]))
  return {
    ...Object.fromEntries(back.map((name) => [name, tour.before[name]])),
    // Parameters that were changed during the tour stay.
    viewParams: { ...tour.before.viewParams, ...choice.viewParams },
  }
}
