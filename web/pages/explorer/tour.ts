// The tour: four states of the first screen, each a link, and the way through them. Closing it puts back what was there.
import { unchanged, type Changing } from '../../session/change'
import type { Choice } from '../../viewstate/choice'
import { examples } from '../../viewstate/examples'
import { alike } from '../../viewstate/signals.svelte'

/** What is said along the way was measured on this model, and on this text. */
export const tourModel = 'roformer-english'

const changes = Object.keys(unchanged) as (keyof Changing)[]
const set = ['text', 'layer', 'head', 'query', 'key', 'pair', ...changes, 'open', 'viewParams'] as const

/** Everything that a step decides: all that is said of it depends on no more. */
export type Scene = Pick<Choice, (typeof set)[number]>

export type StepId = 'map' | 'score' | 'mute' | 'distance'

export interface Step {
  id: StepId
  scene: Scene
}

export interface Tour {
  /** Of `steps`. */
  at: number
  /** What was there before it began. */
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

/** Another step; one beyond either end is the end. */
export function turn(tour: Tour, at: number): Tour {
  return { ...tour, at: Math.min(Math.max(at, 0), steps.length - 1) }
}

export function stepOf({ at }: Tour): Step {
  return steps[at] ?? steps[0]
}

/** Whether the visitor has gone on by another text. */
export function left(tour: Tour, choice: Choice): boolean {
  return choice.text !== stepOf(tour).scene.text
}

/** What puts back what was there before. What the visitor chose meanwhile stays chosen. */
export function ended(tour: Tour, choice: Choice): Partial<Choice> {
  const { scene } = stepOf(tour)
  const keys = left(tour, choice) ? ['text', 'layer', 'head', 'query', 'key', 'pair'] : []
  const back = set.filter((name) => !keys.includes(name) && alike(choice[name], scene[name]))
  return {
    ...Object.fromEntries(back.map((name) => [name, tour.before[name]])),
    // Params of views that were changed on the way, over those of before.
    viewParams: { ...tour.before.viewParams, ...choice.viewParams },
  }
}
