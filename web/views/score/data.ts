// One score as the engine explains it, or as the run says it where nothing rotates.
import type { Inputs } from '../module'
import { wavelengthsOf } from '../../charts/labels'
import { handsOf } from '../../charts/dials/dials'
import { weightAt } from '../../charts/matrix'
import {
  boundOf,
  explainRequest,
  fine,
  movedRequest,
  peakOf,
  reachFor,
  spanOf,
  thetaOf,
} from '../../charts/sweep/model'
import type { Failure } from '../../engine/protocol/protocol'
import type { QueryAndKey } from '../../viewstate/choice'
import { attentionOf, scaleOf } from '../../session/interventions'
import { newest, resource } from '../../session/resource.svelte'
import { pathFrom } from '../../session/walk.svelte'
import { isRotary } from '../view'
import { check, rivalOf, waterfall, type Explained, type Moved } from './parts'
import { explainRow } from './row'

export interface ScoreData {
  /** The newest complete explanation, which stays while the next one is loading. */
  readonly explained: Explained | undefined
  readonly stale: boolean
  /** The parts where the key has been moved, or was last; undefined at its own place. */
  readonly moved: Moved | undefined
  readonly failure: Failure | undefined
}

/** Tokens that the curve shows on each side. */
const leastReach = 16

/** The selected cell, and what its explanation takes. */
function subjectOf({ run, cursor: { query, key, pair } }: Pick<Inputs<unknown>, 'run' | 'cursor'>) {
  if (!run || Math.max(query, key) >= run.head.length) return undefined
  const theta = thetaOf(run)
  const single = pair ?? theta.indexOf(Math.max(...theta))
  return {
    run,
    query,
    key,
    theta,
    pair: single,
    reach: reachFor(query - key, leastReach),
    rival: rivalOf(run.head, query, key),
  }
}

/** What explaining a score reads. */
type ScoreInputs = Pick<Inputs<{ bound: string }>, 'bench' | 'run' | 'cursor' | 'params'>

/** The selected cell; while another token's key is in place of the selected one, the cell of that. */
export function presentCell({ bench, run, cursor }: Pick<ScoreInputs, 'bench' | 'run' | 'cursor'>): QueryAndKey {
  const { query, key } = cursor
  // Where the model rotates, nothing that is computed here depends on the walk.
  const distance = run && !isRotary(run.model.info) ? bench.walk.distance : undefined
  return { query, key: distance === undefined ? key : query - distance }
}

/** The inputs with the cell that is drawn: the one below the pointer, or the one of the walk. */
export const withDrawnCell = (inputs: ScoreInputs): ScoreInputs => ({
  bench: inputs.bench,
  get run() {
    return inputs.run
  },
  get params() {
    return inputs.params
  },
  get cursor() {
    const { cursor, bench } = inputs
    const isPointedAt = bench.cellUnderPointer && bench.walk.distance === undefined
    return { ...cursor, ...(isPointedAt ? bench.cellUnderPointer : presentCell(inputs)) }
  },
})

export function explain(inputs: ScoreInputs): ScoreData {
  const { engine } = inputs.bench
  /** What the engine explains: where nothing rotates the run says all. */
  const subject = () => {
    const of = subjectOf(inputs)
    return of && isRotary(of.run.model.info) ? of : undefined
  }
  const score = resource(engine, 'explain', () => {
    const of = subject()
    return of && explainRequest(of.run, of, of.reach)
  })
  const alone = resource(engine, 'explain', () => {
    const of = subject()
    return of && explainRequest(of.run, of, of.reach, of.pair)
  })
  const rival = resource(engine, 'explain', () => {
    const of = subject()
    return of?.rival === undefined ? undefined : explainRequest(of.run, { query: of.query, key: of.rival }, 0)
  })
  const decay = resource(engine, 'decay', () => {
    const of = inputs.params.bound === 'on' ? subject() : undefined
    return of && { params: { theta: of.theta.map((angle) => angle / fine), maxDistance: of.reach * fine } }
  })
  const moved = resource(engine, 'movedParts', () => {
    const { run, cursor, bench } = inputs
    const { position } = bench.walk
    if (!run || !subject() || position === undefined) return undefined
    // Between two tokens as fine as the curve is.
    const distance = Math.round(position * fine) / fine
    const request = movedRequest(run, cursor, distance)
    return request && { ...request, run, query: cursor.query, key: cursor.key, distance }
  })
  const explained = newest((): Explained | undefined => {
    const still = subject() ? undefined : subjectOf(inputs)
    const { walk } = inputs.bench
    if (still) return explainRow(still.run, still, walk.distance === undefined ? pathFrom(still.run, still) : walk.path)
    const of = subject()
    const [full, part, other] = [score.current, alone.current, rival.current]
    const isComplete = rival.status !== 'loading' && decay.status !== 'loading'
    if (!of || !full || !part || !isComplete) return undefined
    const { run, query, key, theta, reach } = of
    const weight = weightAt(run.head, query, key)
    const isMasked = run.model.info.is_decoder && key > query
    const compared = other && { score: other.score, weight: weightAt(run.head, query, of.rival ?? key) }
    return {
      run,
      query,
      key,
      score: full.score,
      weight,
      check: check({ score: full.score, weight }, compared, isMasked, attentionOf(run) !== 'softmax'),
      waterfall: waterfall(full.parts, wavelengthsOf(theta)),
      wavelengths: wavelengthsOf(theta),
      hands: handsOf(full.hands, theta),
      scale: scaleOf(run),
      path: pathFrom(run, of),
      sweep: { values: full.sweep, reach },
      peak: peakOf({ values: full.sweep, reach }, run.model.info.is_decoder),
      span: spanOf({ values: full.sweep, reach }),
      pair: of.pair,
      pairSweep: theta.length > 1 ? { values: part.sweep, reach } : undefined,
      bound: decay.current && boundOf(full.steepest, decay.current, theta.length, reach),
    }
  })
  return {
    get explained() {
      return explained.value
    },
    get stale() {
      return explained.stale
    },
    get moved() {
      const { latest } = moved
      const { value: of } = explained
      if (inputs.bench.walk.distance === undefined || !latest || !of) return undefined
      const { run, query, key, distance } = latest.request
      // The parts of another score are none of this one's.
      return run === of.run && query === of.query && key === of.key ? { distance, parts: latest.value } : undefined
    },
    get failure() {
      return score.failure ?? alone.failure ?? rival.failure ?? decay.failure
    },
  }
}
