// Requests that need no model, answered at once.
import { engineFailure } from '../../protocol/failure'
import type { Handler } from '../handler'

/** Larger tables are refused, because the engine allocates them in one piece. */
const mostAngles = 1 << 24

type MathematicsKind = 'frequencies' | 'angles' | 'decay' | 'palette' | 'explain' | 'movedParts' | 'prediction'

export const mathematics: { readonly [K in MathematicsKind]: Handler<K> } = {
  frequencies: {
    needs: 'mathematics',
    handle: (surface, { headSize, base }) => surface.frequencies(headSize, base),
  },

  angles: {
    needs: 'mathematics',
    handle(surface, { theta, length }) {
      if (length * theta.length > mostAngles) {
        throw engineFailure('too-many-angles', { positions: length, pairs: theta.length, limit: mostAngles })
      }
      return surface.angles(theta, length)
    },
  },

  decay: {
    needs: 'mathematics',
    handle: (surface, { theta, maxDistance }) => surface.decayBound(theta, maxDistance),
  },

  palette: { needs: 'mathematics', handle: (surface, { stops }) => surface.palette(stops) },

  explain: {
    needs: 'mathematics',
    handle(surface, { query, key, m, n, theta, scale, maxDistance }) {
      const explained = surface.explainScore(query, key, m, n, theta, scale, maxDistance)
      const { parts, running, score, sweep, hands: numbers, steepest } = explained
      explained.free()
      const hands = Array.from(parts, (_, pair) => {
        const [query = 0, key = 0, angle = 0] = numbers.subarray(3 * pair)
        return { query, key, angle }
      })
      return { parts, running, score, sweep, hands, steepest, maxDistance }
    },
  },

  movedParts: {
    needs: 'mathematics',
    handle: (surface, { query, key, currentDistance, theta, scale, distance }) =>
      surface.movedParts(query, key, currentDistance, theta, scale, distance),
  },

  prediction: {
    needs: 'mathematics',
    handle(surface, { query, key, headSize, offset, theta, scale, counted, causal }) {
      const numbers = surface.predictScores(query, key, headSize, offset, theta, scale, counted, causal)
      const distances = Math.max(0, (2 * query.length) / headSize - 1)
      let read = 0
      const next = (count: number) => numbers.slice(read, (read += count))
      const [correlation = NaN] = next(1)
      const [scores, weights] = [next(distances), next(distances)]
      const pairs = Array.from({ length: headSize >> 1 }, () => {
        const [strength = 0, queryConstancy = 0, keyConstancy = 0, phase = 0, wants = NaN] = next(5)
        return { strength, queryConstancy, keyConstancy, phase, wants }
      })
      return { correlation, scores, weights, pairs, query: next(query.length), key: next(key.length) }
    },
  },
}
