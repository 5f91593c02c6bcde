// How the worker answers what Read's chapters ask: from the mathematics alone, each in one answer.
import type { Row } from './atWork'
import { farthestCrossing } from '../protocol/mathematics'
import type { Params, Kind } from '../protocol/requests'
import type { Surface } from './surface'

type Lesson =
  | 'distanceCurves'
  | 'turned'
  | 'added'
  | 'norms'
  | 'byHand'
  | 'ways'
  | 'learnt'
  | 'stretched'
  | 'smallestBases'
  | 'drawn'

/** Of a distance, in the sweep of `turned`. */
const quarters = 4

const none = new Float64Array()
const joined = (...rows: readonly ArrayLike<number>[]) => Float64Array.from(rows.flatMap((row) => Array.from(row)))

export const lessons: { readonly [K in Lesson & Kind]: Row<K> } = {
  distanceCurves: {
    needs: 'mathematics',
    answer(surface, asks) {
      return asks.ropes.map((rope, index) => {
        const own = 'theta' in rope ? rope.theta : surface.frequencies(rope.headSize, rope.base)
        const theta = asks.alike ? own.fill(own[0] ?? 0) : own
        const { maxDistance } = asks
        const cosines = lesson(surface, 'cosines', [maxDistance], theta).map((sum) => sum / Math.max(theta.length, 1))
        const [crossing = NaN] = lesson(surface, 'firstNegative', [farthestCrossing], theta)
        const score = index === 0 ? scored(surface, theta, asks) : none
        return { theta, bound: surface.decayBound(theta, maxDistance), cosines, crossing, score }
      })
    },
  },

  turned: {
    needs: 'mathematics',
    answer(surface, { query, key, theta, m, n, reach }) {
      const row = (of: Float64Array, position: number) => lesson(surface, 'turned', [position], joined(theta, of))
      const [one, other] = [query, key].map((of) => Float32Array.from(of)) as [Float32Array, Float32Array]
      // Distances in quarters are whole ones of a rope that turns a quarter as fast.
      const slower = theta.map((speed) => speed / quarters)
      const explained = surface.explainScore(one, other, 0, 0, slower, 1, reach * quarters)
      const { sweep } = explained
      explained.free()
      return { query: row(query, m), key: row(key, n), sweep }
    },
  },

  added: {
    needs: 'mathematics',
    answer(surface, { rows: asked, seed, dimensions, count }) {
      const learned = 'table' in asked
      const theta = learned ? none : surface.frequencies(asked.headSize, asked.base)
      const rows = learned ? asked.table : lesson(surface, 'sinusoids', [asked.length], theta)
      const size = learned ? asked.size : 2 * theta.length
      const drawn = lesson(surface, 'drawn', [size, seed])
      const scale = learned ? asked.norm / Math.hypot(...drawn) : 1
      const row = drawn.map((x) => scale * x)
      const both = lesson(surface, 'added', [size], joined(row, rows))
      const random = dimensions.map((size) => lesson(surface, 'randomCosines', [size, count, seed]))
      return { size, rows, norm: Math.hypot(...row), norms: both.filter(isEven), cosines: both.filter(isOdd), random }
    },
  },

  norms: {
    needs: 'mathematics',
    answer(surface, { headSize, base, position, row, theta: own, rotated, seed }) {
      const theta = own ?? surface.frequencies(headSize, base)
      const turn = (row: Float64Array, by: number) => lesson(surface, 'turned', [by], joined(theta, row))
      const given = row ? Float64Array.from(row) : lesson(surface, 'drawn', [headSize, seed])
      const before = rotated ? turn(given, -position) : given
      const place = lesson(surface, 'sinusoids', [position + 1], theta).slice(-before.length)
      return { before, turned: turn(before, position), added: before.map((x, at) => x + (place[at] ?? 0)) }
    },
  },

  byHand: {
    needs: 'mathematics',
    answer(surface, { tokens, size, scale, rows, seen }) {
      const numbers = lesson(surface, 'byHand', [tokens, size, scale], joined(rows, seen.map(Number)))
      const map = tokens * tokens
      return {
        scores: numbers.slice(0, map),
        weights: numbers.slice(map, 2 * map),
        outputs: numbers.slice(2 * map),
      }
    },
  },

  ways: {
    needs: 'mathematics',
    answer: (surface, { way, first, shifted }) => ({
      terms: lesson(surface, 'ways', [way, first]),
      shifted: lesson(surface, 'ways', [way, shifted]),
    }),
  },

  learnt: {
    needs: 'mathematics',
    answer: (surface, { heads, headSize, positions }) => lesson(surface, 'parameters', [heads, headSize, positions]),
  },

  stretched: {
    needs: 'mathematics',
    answer: (surface, { ways, headSize, base, context, factor, distances }) =>
      ways.map((way) => {
        const told = lesson(surface, 'stretched', [way, headSize, base, context, factor, distances])
        const scores = told.length - distances
        return { theta: told.slice(0, scores), scores: told.slice(scores) }
      }),
  },

  smallestBases: {
    needs: 'mathematics',
    answer: (surface, { headSize, contexts }) =>
      Float64Array.from(contexts, (context) => lesson(surface, 'smallestBase', [headSize, context])[0] ?? NaN),
  },

  drawn: { needs: 'mathematics', answer: (surface, { count, seed }) => lesson(surface, 'drawn', [count, seed]) },
}

const isEven = (_: number, at: number) => at % 2 === 0
const isOdd = (_: number, at: number) => at % 2 === 1

function lesson(surface: Surface, what: string, settings: readonly number[], rows: Float64Array = none): Float64Array {
  return surface.lesson(what, Float64Array.from(settings), rows)
}

/** The score at distances 0 … maxDistance: rows that are aligned at a distance have their greatest score there. */
function scored(
  surface: Surface,
  theta: Float64Array,
  { query, key, aligned, maxDistance }: Params<'distanceCurves'>,
): Float64Array {
  if (query.length === 0) return none
  const explained = surface.explainScore(query, key, aligned, 0, theta, 1, maxDistance)
  const { sweep } = explained
  explained.free()
  return sweep.slice(maxDistance)
}
