import type { FromWorker, ToWorker } from './protocol'
import type { Surface } from './surface'

/** Questions that need no model and no engine. */
export type Question = Extract<ToWorker, { type: 'explain' | 'frequencies' | 'angles' | 'decay' | 'palette' }>

/** Answers from the WASM: the page has no second formula. */
export function answer(surface: Surface, question: Question): FromWorker {
  const { id } = question
  switch (question.type) {
    case 'explain': {
      const { query, key, m, n, base, maxDistance } = question
      const explained = surface.explainScore(query, key, m, n, base, maxDistance)
      const { parts, running, score, sweep } = explained
      explained.free()
      return { type: 'explained', id, parts: { parts, running, score, sweep, maxDistance } }
    }
    case 'frequencies': {
      const theta = surface.frequencies(question.headSize, question.base)
      return { type: 'frequencies', id, theta, wavelengths: theta.map((angle) => (2 * Math.PI) / angle) }
    }
    case 'angles':
      return { type: 'angles', id, angles: surface.angles(question.headSize, question.base, question.length) }
    case 'decay':
      return { type: 'decay', id, bound: surface.decayBound(question.headSize, question.base, question.maxDistance) }
    case 'palette':
      return { type: 'palette', id, table: surface.palette(question.stops) }
  }
}
