// A walk along the text. Where the model rotates, the key's vector goes: rotated as at other distances from its query, while all else stays
// as it is. Where the model adds positions, they are in the keys already: the query meets the key of one token after the other.
import { untrack } from 'svelte'
import { sourceOf } from '../engine/protocol/parts'
import type { Cursor, QueryAndKey } from '../viewstate/choice'
import type { Run } from './runs.svelte'

/** Milliseconds at a token, and at the key's own. */
const pause = { token: 400, own: 1800 }
/** Of the way from one token to the next, in milliseconds. */
const step = 300
/** Tokens behind and ahead of the query that a walk passes. */
const reach = { behind: 12, ahead: 6 }

/** The frames of the page. */
export interface Motion {
  /** Whether the visitor asks for less of it. */
  readonly reduced: boolean
  /** Calls back with the time in milliseconds, once, before the next drawing. Returns how to cancel. */
  next(draw: (now: number) => void): () => void
}

/** That of the page. */
export const pageMotion: Motion = {
  get reduced() {
    return matchMedia('(prefers-reduced-motion: reduce)').matches
  },
  next(draw) {
    const frame = requestAnimationFrame(draw)
    return () => cancelAnimationFrame(frame)
  },
}

/** Where the query and the key of a walk stand, and how many keys the query sees, from the first token on. */
export interface WalkStart extends QueryAndKey {
  keys: number
}

/** The distances (query − key) of a walk's tokens, the first one farthest behind. They enclose the key's own. None where the key is masked. */
export function walkPath({ query, key, keys }: WalkStart): number[] {
  if (key >= keys) return []
  const own = query - key
  // In cross-attention the query has no place among the keys.
  const isNear = query < keys && own <= reach.behind && own >= -reach.ahead
  const first = Math.min(query, isNear ? reach.behind : own + reach.behind)
  const last = Math.max(query - keys + 1, isNear ? -reach.ahead : own - reach.ahead)
  return Array.from({ length: Math.max(0, first - last + 1) }, (_, index) => first - index)
}

/** How many keys a query sees, from the first token on. */
export const visibleKeys = ({ head, model, reading }: Run, query: number): number =>
  sourceOf(reading.pair) ?? (model.info.is_decoder ? query + 1 : head.length)

/** The distances of a walk that begins at this cell. */
export function pathFrom(run: Run, { query, key }: QueryAndKey): number[] {
  if (Math.max(query, key) >= run.head.length) return []
  return walkPath({ query, key, keys: visibleKeys(run, query) })
}

/** What a walk reads of the bench. */
interface Selection {
  readonly run: Run | undefined
  readonly cursor: Cursor
}

export class Walk {
  readonly #bench: Selection
  readonly #motion: Motion
  /** The distance on the way to the next token. */
  #position = $state(0)
  #stopGliding = () => {}
  #moved: { subject: string; distance: number } | undefined = $state.raw()
  #plays = $state(false)
  #timer: ReturnType<typeof setTimeout> | undefined

  /** The score that is walked. A walk of another one ends. */
  readonly #subject = $derived.by(() => {
    const { run, cursor } = this.#bench
    return run && [run.id, cursor.layer, cursor.head, cursor.query, cursor.key].join()
  })
  readonly path: readonly number[] = $derived.by(() => {
    const { run, cursor } = this.#bench
    return run ? pathFrom(run, cursor) : []
  })
  /** query − key: where the key has been moved, or the token whose key is there in its place. Undefined: nobody walks. */
  readonly distance: number | undefined = $derived.by(() =>
    this.#moved && this.#moved.subject === this.#subject ? this.#moved.distance : undefined,
  )
  readonly playing: boolean = $derived.by(() => this.#plays && this.distance !== undefined)

  constructor(bench: Selection, motion = pageMotion) {
    this.#bench = bench
    this.#motion = motion
  }

  /** The distance on the way to `distance`, between tokens too. */
  get position(): number | undefined {
    return this.distance === undefined ? undefined : this.#position
  }

  /** Of the present token on the path, from 1; undefined beside the path. */
  get step(): number | undefined {
    const index = this.distance === undefined ? -1 : this.path.indexOf(this.distance)
    return index < 0 ? undefined : index + 1
  }

  /** Ends a walk of another score. */
  follow(): void {
    const [moved, subject] = [this.#moved, this.#subject]
    if (moved && moved.subject !== subject) untrack(() => this.stop())
  }

  /** Walks on from the present token, or from the first one. Where motion is unwelcome it goes one token. */
  play(): void {
    const { step } = this
    const isAtEnd = step === undefined || step === this.path.length
    if (isAtEnd) this.moveTo(this.path[0], false)
    else if (this.#motion.reduced) this.moveTo(this.path[step])
    this.#plays = !this.#motion.reduced
    this.#wait()
  }

  pause(): void {
    this.#plays = false
    clearTimeout(this.#timer)
  }

  /** One token on, or back. */
  stepBy(tokens: 1 | -1): void {
    this.pause()
    const { distance, path } = this
    const to = (distance ?? path[0] ?? 0) - tokens
    const [first = 0, last = 0] = [path[0], path.at(-1)]
    // Beside the path, where the handle has moved the key, a step goes towards it.
    const comesBack = path.length > 0 && (tokens > 0 ? to >= first : to <= last)
    if (path.includes(to) || comesBack) this.moveTo(to)
  }

  /** Puts the key back. */
  stop(): void {
    this.pause()
    this.#stopGliding()
    this.#moved = undefined
  }

  /** Moves the key to a distance. `glides`: it passes the distances on the way. */
  moveTo(distance: number | undefined, glides = true): void {
    const subject = this.#subject
    if (subject === undefined || distance === undefined) return this.stop()
    const isMoved = this.distance !== undefined
    this.#moved = { subject, distance }
    this.#stopGliding()
    // Where nothing rotates there is no key between those of two tokens.
    const hasKeysBetween = !this.#bench.run?.model.info.adds_positions
    if (glides && isMoved && hasKeysBetween && !this.#motion.reduced) this.#glide(this.#position, distance)
    else this.#position = distance
  }

  #glide(from: number, to: number): void {
    let began: number | undefined
    const draw = (now: number) => {
      began ??= now
      const part = Math.min(1, (now - began) / step)
      this.#position = from + (to - from) * part
      if (part < 1) this.#stopGliding = this.#motion.next(draw)
    }
    this.#stopGliding = this.#motion.next(draw)
  }

  #wait(): void {
    clearTimeout(this.#timer)
    if (!this.playing) return
    const { cursor } = this.#bench
    const isOwn = this.distance === cursor.query - cursor.key
    this.#timer = setTimeout(() => this.#next(), isOwn ? pause.own : pause.token)
  }

  #next(): void {
    const to = this.playing ? this.path[this.step ?? this.path.length] : undefined
    if (to === undefined) return this.stop()
    this.moveTo(to)
    this.#wait()
  }
}
