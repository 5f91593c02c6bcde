// Where positions are added, nothing rotates: a score by pairs of components, and the query's scores with the keys of all tokens. All of
// it is in the run.
import type { PairHands } from '../../engine/protocol/mathematics'
import type { Hands } from '../../charts/dials/dials'
import { weightAt } from '../../charts/matrix'
import { fine, type ScoreCurve } from '../../charts/sweep/model'
import type { QueryAndKey } from '../../viewstate/choice'
import { attentionOf, scaleOf } from '../../session/interventions'
import type { Run } from '../../session/runs.svelte'
import { visibleKeys } from '../../session/walk.svelte'
import { check, rangeOf, rivalOf, waterfall, type Explained } from './parts'

/** What each pair of components adds to a score, by pair. */
function partsOf(run: Run, { query, key }: QueryAndKey): Float64Array {
  const [q, k, scale] = [rowAt(run, 'query', query), rowAt(run, 'key', key), scaleOf(run)]
  const product = (component: number) => (q[component] ?? 0) * (k[component] ?? 0)
  return Float64Array.from({ length: q.length / 2 }, (_, pair) => scale * (product(2 * pair) + product(2 * pair + 1)))
}

const rowAt = ({ head, model }: Run, side: 'query' | 'key', position: number): Float32Array => {
  const { head_size } = model.info
  return head[side].subarray(position * head_size, (position + 1) * head_size)
}

const sumOf = (parts: Float64Array) => parts.reduce((sum, part) => sum + part, 0)

function handsOf(run: Run, { query, key }: QueryAndKey): Hands[] {
  const [q, k] = [rowAt(run, 'query', query), rowAt(run, 'key', key)]
  return Array.from({ length: q.length / 2 }, (_, pair) => {
    const [a = 0, b = 0] = q.subarray(2 * pair, 2 * pair + 2)
    const [c = 0, d = 0] = k.subarray(2 * pair, 2 * pair + 2)
    const hands: PairHands = {
      query: Math.hypot(a, b),
      key: Math.hypot(c, d),
      angle: Math.atan2(a * d - b * c, a * c + b * d),
    }
    return { ...hands, pair, theta: 0 }
  })
}

/** The scores at these distances; between tokens there is none. */
function scoresAt(scores: Float64Array, query: number, path: readonly number[]): ScoreCurve {
  const reach = Math.max(0, ...path.map(Math.abs))
  const values = new Float64Array(2 * reach * fine + 1).fill(NaN)
  for (const distance of path) values[(distance + reach) * fine] = scores[query - distance] ?? NaN
  return { values, reach }
}

/** @param path the distances of the tokens whose scores are drawn */
export function explainRow(run: Run, cell: QueryAndKey, path: readonly number[]): Explained {
  const { query, key } = cell
  const parts = partsOf(run, cell)
  const scores = Float64Array.from({ length: visibleKeys(run, query) }, (_, other) =>
    sumOf(partsOf(run, { query, key: other })),
  )
  const [score, weight] = [sumOf(parts), weightAt(run.head, query, key)]
  const rival = rivalOf(run.head, query, key)
  const compared =
    rival === undefined ? undefined : { score: scores[rival] ?? NaN, weight: weightAt(run.head, query, rival) }
  const wavelengths = new Float64Array(parts.length).fill(Infinity)
  const best = scores.reduce((best, score, other) => (score > (scores[best] ?? NaN) ? other : best), 0)
  const along = path.length > 0 ? path.map((distance) => ({ query, key: query - distance })) : [cell]
  const ranges = along.map((cell) => rangeOf(waterfall(partsOf(run, cell), wavelengths).steps))
  return {
    run,
    query,
    key,
    score,
    weight,
    check: check({ score, weight }, compared, key >= scores.length, attentionOf(run) !== 'softmax'),
    // None of its pairs is slow.
    waterfall: { ...waterfall(parts, wavelengths), tail: undefined },
    wavelengths,
    hands: handsOf(run, cell),
    scale: scaleOf(run),
    path,
    sweep: scoresAt(scores, query, path),
    peak: { distance: query - best, score: scores[best] ?? NaN },
    span: Math.max(...scores) - Math.min(...scores),
    pair: 0,
    pairSweep: undefined,
    bound: undefined,
    row: {
      keys: scores.length,
      scores,
      range: [Math.min(...ranges.map(([least]) => least)), Math.max(...ranges.map(([, most]) => most))],
      hands: along.flatMap((cell) => handsOf(run, cell)),
    },
  }
}
