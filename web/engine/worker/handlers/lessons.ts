// The requests of Read's figures, one each, from the mathematics alone.
import type { Handler, Surface } from '../handler'
import { farthestCrossing, positionEncodings, type PositionEncodingName } from '../../protocol/mathematics'
import type { Params, RequestKind } from '../../protocol/requests'

type Lesson =
  | 'distanceCurves'
  | 'rotation'
  | 'addedPositions'
  | 'norms'
  | 'byHand'
  | 'positionEncodings'
  | 'encodingCosts'
  | 'contextExtensions'
  | 'smallestBases'
  | 'randomNumbers'

/** Steps a distance in the sweep of `rotation`. */
const quarters = 4

const none = new Float64Array()

export const lessons: { readonly [K in Lesson & RequestKind]: Handler<K> } = {
  distanceCurves: {
    needs: 'mathematics',
    handle(surface, params) {
      return params.ropes.map((rope, index) => {
        const own = 'theta' in rope ? rope.theta : surface.frequencies(rope.headSize, rope.base)
        const theta = params.alike ? own.fill(own[0] ?? 0) : own
        const { maxDistance } = params
        const cosines = surface.cosineSums(theta, maxDistance).map((sum) => sum / Math.max(theta.length, 1))
        const crossing = surface.firstNegative(theta, farthestCrossing) ?? NaN
        const score = index === 0 ? scoresOf(surface, theta, params) : none
        return { theta, bound: surface.decayBound(theta, maxDistance), cosines, crossing, score }
      })
    },
  },

  rotation: {
    needs: 'mathematics',
    handle(surface, { query, key, theta, m, n, reach }) {
      const [one, other] = [query, key].map((of) => Float32Array.from(of)) as [Float32Array, Float32Array]
      // Steps of a quarter are whole distances of a rope with a quarter of θ.
      const slower = theta.map((speed) => speed / quarters)
      const explained = surface.explainScore(one, other, 0, 0, slower, 1, reach * quarters)
      const { sweep } = explained
      explained.free()
      return { query: surface.rotate(query, theta, m), key: surface.rotate(key, theta, n), sweep }
    },
  },

  addedPositions: {
    needs: 'mathematics',
    handle(surface, { rows: positions, seed, dimensions, count }) {
      const learned = 'table' in positions
      const theta = learned ? none : surface.frequencies(positions.headSize, positions.base)
      const rows = learned ? positions.table : surface.sinusoids(theta, positions.length)
      const size = learned ? positions.size : 2 * theta.length
      const drawn = surface.randomNumbers(size, seed)
      const scale = learned ? positions.norm / Math.hypot(...drawn) : 1
      const row = drawn.map((x) => scale * x)
      const both = surface.addPositions(row, rows)
      const random = dimensions.map((size) => surface.randomCosines(size, count, seed))
      return { size, rows, norm: Math.hypot(...row), norms: both.filter(isEven), cosines: both.filter(isOdd), random }
    },
  },

  norms: {
    needs: 'mathematics',
    handle(surface, { headSize, base, position, row, theta: own, rotated, seed }) {
      const theta = own ?? surface.frequencies(headSize, base)
      const input = row ? Float64Array.from(row) : surface.randomNumbers(headSize, seed)
      const before = rotated ? surface.rotate(input, theta, -position) : input
      const place = surface.sinusoids(theta, position + 1).slice(-before.length)
      return {
        before,
        rotated: surface.rotate(before, theta, position),
        added: before.map((x, at) => x + (place[at] ?? 0)),
      }
    },
  },

  byHand: {
    needs: 'mathematics',
    handle(surface, { tokens, size, scale, rows, visible }) {
      const part = (at: number) => rows.subarray(at * tokens * size, (at + 1) * tokens * size)
      const mask = Float64Array.from(visible, Number)
      const numbers = surface.attentionByHand(part(0), part(1), part(2), size, scale, mask)
      const map = tokens * tokens
      return {
        scores: numbers.slice(0, map),
        weights: numbers.slice(map, 2 * map),
        outputs: numbers.slice(2 * map),
      }
    },
  },

  positionEncodings: {
    needs: 'mathematics',
    handle(surface, { way, first, shifted }) {
      const termsOf = (way: PositionEncodingName) => ({
        terms: surface.positionTerms(way, first),
        shifted: surface.positionTerms(way, shifted),
      })
      return { ...termsOf(way), rope: way === 'rope' ? undefined : termsOf('rope') }
    },
  },

  encodingCosts: {
    needs: 'mathematics',
    handle: (surface, { heads, headSize, positions }) =>
      Float64Array.from(
        positionEncodings.flatMap((way) => Array.from(surface.positionCosts(way, heads, headSize, positions))),
      ),
  },

  contextExtensions: {
    needs: 'mathematics',
    handle: (surface, { ways, headSize, base, context, factor, distances }) =>
      ways.map((way) => {
        const numbers = surface.stretched(way, headSize, base, context, factor, distances)
        const scores = numbers.length - distances
        return { theta: numbers.slice(0, scores), scores: numbers.slice(scores) }
      }),
  },

  smallestBases: {
    needs: 'mathematics',
    handle: (surface, { headSize, contexts }) =>
      Float64Array.from(contexts, (context) => surface.smallestBase(headSize, context) ?? NaN),
  },

  randomNumbers: { needs: 'mathematics', handle: (surface, { count, seed }) => surface.randomNumbers(count, seed) },
}

const isEven = (_: number, at: number) => at % 2 === 0
const isOdd = (_: number, at: number) => at % 2 === 1

/** The score at distances 0 … maxDistance, counted from `aligned`. */
function scoresOf(
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
