// The dials of a model that is on its way, as numbers.
import type { ModelRope } from '../../engine/protocol/protocol'

const turn = 2 * Math.PI

/** More cannot be told apart: of more pairs evenly some have a dial. */
const most = 32

export interface Dial {
  /** That a whole turn takes; Infinity where it does not turn. */
  tokens: number
  /** How far it turns within the context, in radians; a full turn at most. */
  reach: number
}

export function dialsOf({ theta, context }: ModelRope): Dial[] {
  const step = Math.max(1, Math.ceil(theta.length / most))
  return theta
    .filter((_, pair) => pair % step === 0)
    .map((speed) => ({ tokens: turn / speed, reach: Math.min(turn, context * speed) }))
}

const caption = 20
const largest = 64

export interface DialPlan {
  radius: number
  height: number
  middle(index: number): { x: number; y: number }
}

/** As large as `count` of them fit into the room, in CSS px. */
export function placeDials(count: number, width: number, height: number): DialPlan {
  const fits = (columns: number) =>
    Math.min(width / columns / 2 - 3, (height / Math.ceil(count / columns) - caption) / 2)
  const columns = Array.from({ length: count }, (_, index) => index + 1).reduce(
    (best, columns) => (fits(columns) > fits(best) ? columns : best),
    1,
  )
  const radius = Math.max(8, Math.min(largest, fits(columns)))
  const [across, down] = [width / columns, 2 * radius + caption]
  return {
    radius,
    height: Math.ceil(count / columns) * down,
    middle: (index) => ({ x: ((index % columns) + 0.5) * across, y: Math.floor(index / columns) * down + radius + 1 }),
  }
}
