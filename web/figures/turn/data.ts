// What the engine turns: two vectors, by θ and the ruler's positions.
import { resource, type Resource } from '../../session/resource.svelte'
import { Ruled } from '../../session/ruled.svelte'
import type { Inputs } from '../../views/body'
import type { TurnParams } from '.'
import { reach, steps, type Arrows, type Vector } from './picture'

export type Rotated = Resource<'rotated'>

export const vectorsOf = ({ qx, qy, kx, ky }: TurnParams): { query: Vector; key: Vector } => ({
  query: [qx, qy],
  key: [kx, ky],
})

export function turnData(inputs: Inputs<TurnParams>): Rotated {
  const ruled = new Ruled(inputs.bench)
  return resource(inputs.bench.engine, 'rotated', () => {
    const { m, n } = ruled
    const { query, key } = vectorsOf(inputs.params)
    return {
      params: {
        query: Float64Array.from(query),
        key: Float64Array.from(key),
        theta: Float64Array.of((inputs.params.angle * Math.PI) / 180),
        m,
        n,
        reach: Math.max(reach, Math.abs(m - n)),
      },
    }
  })
}

/** The arrows that the engine turned last, with the curve's part of their scores. */
export function arrowsOf({ latest }: Rotated, halves: boolean): Arrows | undefined {
  if (!latest) return undefined
  const { params } = latest.key
  const { query, key, sweep } = latest.value
  const { m, n } = params
  const pair = (row: Float64Array): Vector => [row[0] ?? 0, row[1] ?? 0]
  return {
    query: { before: pair(params.query), after: pair(query) },
    key: { before: pair(params.key), after: pair(key) },
    m,
    n,
    sweep: sweep.slice((params.reach - reach) * steps, (params.reach + reach) * steps + 1),
    score: sweep[(params.reach + m - n) * steps] ?? NaN,
    halves,
  }
}
