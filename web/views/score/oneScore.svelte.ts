// The chosen score with all that is asked of the engine about it.
import { Asked } from '../../session/asked.svelte'
import type { Bench } from '../../session/bench.svelte'
import { attentionOf } from '../../session/change'
import type { Shown } from '../../session/runs.svelte'
import { wavelengthsOf } from '../../charts/pair-axis/axis'
import { boundOf, explainOf, fine, reachFor, thetaOf, type Swept } from '../../charts/sweep/model'
import { check, rivalOf, waterfall, weightAt, type Check, type Waterfall } from './model'

/** All of it belongs to one query, key and head of one run. */
export interface Explained {
  shown: Shown
  query: number
  key: number
  score: number
  /** What softmax made of it. */
  weight: number
  check: Check
  fall: Waterfall
  swept: Swept
  /** The pair whose curve is drawn by itself: the chosen one, else the fastest. */
  single: number
  lone: Swept | undefined
  /** The paper's bound, where it is wanted. */
  bound: Swept | undefined
}

export class OneScore {
  /** While answers are on their way it stays as it was. */
  explained: Explained | undefined = $state.raw()
  /** Whether it is of another query, key or result than those that are chosen and shown. */
  readonly stale: boolean

  constructor(bench: Bench, withBound: () => boolean) {
    const { engine } = bench
    const place = $derived.by(() => {
      const { shown, seen } = bench
      const { query, key, pair } = seen
      if (!shown || Math.max(query, key) >= shown.head.length) return undefined
      const theta = thetaOf(shown)
      const single = pair ?? theta.indexOf(Math.max(...theta))
      return { shown, query, key, theta, single, reach: reachFor(query - key), rival: rivalOf(shown.head, query, key) }
    })
    this.stale = $derived.by(() => {
      const told = this.explained
      return told !== undefined && (told.shown !== place?.shown || told.query !== place.query || told.key !== place.key)
    })
    const asks = $derived.by(() => {
      if (!place) return undefined
      const { shown, query, rival, reach, single, theta } = place
      const turns = theta.map((angle) => angle / fine)
      return {
        whole: explainOf(shown, place, reach),
        lone: explainOf(shown, place, reach, single),
        rival: rival === undefined ? undefined : explainOf(shown, { query, key: rival }, 0),
        decay: withBound()
          ? { name: [reach, ...theta].join(), asks: { theta: turns, maxDistance: reach * fine } }
          : undefined,
      }
    })
    const whole = new Asked(engine, 'explain', () => asks?.whole)
    const lone = new Asked(engine, 'explain', () => asks?.lone)
    const rival = new Asked(engine, 'explain', () => asks?.rival)
    const decay = new Asked(engine, 'decay', () => asks?.decay)

    $effect(() => {
      const parts = answer(whole, asks?.whole?.name)
      const one = answer(lone, asks?.lone?.name)
      const other = answer(rival, asks?.rival?.name)
      const curve = answer(decay, asks?.decay?.name)
      const here = place
      const complete = one && (other || here?.rival === undefined) && (curve || !asks?.decay)
      if (!here || !parts || !complete) return
      const { shown, query, key, theta, reach, single } = here
      const weight = weightAt(shown.head, query, key)
      const masked = shown.model.info.is_decoder && key > query
      const beside = other && { score: other.score, weight: weightAt(shown.head, query, here.rival ?? key) }
      this.explained = {
        shown,
        query,
        key,
        score: parts.score,
        weight,
        check: check({ score: parts.score, weight }, beside, masked, attentionOf(shown) !== 'softmax'),
        fall: waterfall(parts.parts, wavelengthsOf(theta)),
        swept: { values: parts.sweep, reach },
        single,
        lone: theta.length > 1 ? { values: one.sweep, reach } : undefined,
        bound: curve && boundOf(parts.steepest, curve, theta.length, reach),
      }
    })
  }
}

/** The answer to this question; undefined while it is on its way. */
function answer<T>(asked: { value: T | undefined; of: string }, name: string | undefined): T | undefined {
  return name !== undefined && asked.of === name ? asked.value : undefined
}
