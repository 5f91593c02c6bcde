// Losses and maps of texts beyond the model's length: measured when they are asked for, a row at a time.
import { untrack } from 'svelte'
import { newSlot } from '../../engine/client/client'
import { failure, isFailure } from '../../engine/protocol/failure'
import type { Reply } from '../../engine/protocol/messages'
import type { Failure } from '../../engine/protocol/protocol'
import { readPublished } from '../../engine/protocol/source'
import type { Bench } from '../../session/bench.svelte'
import type { HeadPlace } from '../../viewstate/choice'
import type { LoadedModel } from '../../session/engine.svelte'
import { hasHeldOut, readHeldOut, type HeldOut } from '../../session/heldOut'
import { longestText } from '../../session/longest'
import { inWords } from '../../i18n/failures'
import { words } from '../../i18n/words'
import type { Steps } from '../../session/losses'
import {
  alsoSpent,
  changeOf,
  changeOfRun,
  keyOf,
  kindOf,
  lengths,
  longName,
  secondsFor,
  shrunk,
  stretchAsks,
  textsOf,
  type SmallMap,
  type Spent,
  type Times,
  type WayId,
} from './model'
import { noteMeasured } from '../../session/measuredModels'

export interface Wanted {
  ways: readonly WayId[]
  /** Whose maps are shown, of this head. */
  way: WayId
  place: HeadPlace
}

interface Kept {
  file: HeldOut
  losses: ReadonlyMap<string, Steps>
  maps: ReadonlyMap<string, SmallMap>
}

/** What was measured of a model, for as long as it is loaded. */
const kept = new WeakMap<LoadedModel, Kept>()

type Next = { times: Times; way: WayId; key: string } & (
  { what: 'map'; place: HeadPlace } | { what: 'loss'; row: number }
)

/** @throws {Failure} where there is no answer */
function there<T>(reply: Reply<T>): T {
  if (reply.status === 'ok') return reply.result
  throw failure('gone', words.troubles.gone.model, true)
}

export class LongTexts {
  readonly #bench: Pick<Bench, 'engine'>
  readonly #fetch: typeof readPublished
  readonly #slot = newSlot()
  readonly #wanted: () => Wanted
  #turn = 0
  #stop: AbortController | undefined
  #file: HeldOut | undefined = $state.raw()
  #losses: ReadonlyMap<string, Steps> = $state.raw(new Map())
  #maps: ReadonlyMap<string, SmallMap> = $state.raw(new Map())
  #spent: Spent = $state.raw(new Map())
  measuring = $state(false)
  problem: Failure | undefined = $state.raw()

  /** Make it while a component is made: it ends with that. */
  constructor(bench: Pick<Bench, 'engine'>, wanted: () => Wanted, fetch = readPublished) {
    this.#bench = bench
    this.#fetch = fetch
    this.#wanted = wanted
    $effect(() => {
      const before = this.#model && kept.get(this.#model)
      this.#file = before?.file
      this.#losses = before?.losses ?? new Map()
      this.#maps = before?.maps ?? new Map()
      this.#spent = new Map()
      this.problem = undefined
      return () => this.stop()
    })
    // Another head or way is shown once anything was asked for: its maps alone, unless all of it is under way.
    $effect(() => {
      const { way, place } = wanted()
      void [way, place.layer, place.head]
      untrack(() => {
        if (this.#file && !this.measuring) void this.#measure('maps')
      })
    })
  }

  get #model(): LoadedModel | undefined {
    return this.#bench.engine.model
  }

  get served(): boolean {
    return this.#model !== undefined && hasHeldOut(this.#model.source, longName)
  }

  get book(): string {
    return this.#file?.book ?? ''
  }

  /** Whether anything was asked for. */
  get begun(): boolean {
    return this.#losses.size > 0
  }

  get complete(): boolean {
    return this.#file !== undefined && this.#next('all') === undefined
  }

  losses(way: WayId, times: Times): Steps {
    return (this.#model && this.#losses.get(keyOf(changeOf(way, times, this.#model.info), times))) ?? []
  }

  map(times: Times): SmallMap | undefined {
    const key = this.#mapKey(times)
    return key === undefined ? undefined : this.#maps.get(key)
  }

  /** Readings that are there and that there will be, of what is wanted, and seconds until then, once any took its time. */
  get progress(): { done: number; all: number; seconds: number | undefined } {
    const [model, rows] = [this.#model, this.#file?.rows ?? 0]
    if (!model) return { done: 0, all: 0, seconds: undefined }
    const left = new Map<string, { kind: string; count: number }>()
    let [done, all] = [0, 0]
    for (const times of lengths) {
      for (const way of this.#wanted().ways) {
        const change = changeOf(way, times, model.info)
        const key = keyOf(change, times)
        if (left.has(key)) continue
        const there = Math.min(this.#losses.get(key)?.length ?? 0, rows)
        left.set(key, { kind: kindOf(times, change), count: rows - there })
        done += there
        all += rows
      }
    }
    const kinds = [...left.values()].flatMap(({ kind, count }) => Array<string>(count).fill(kind))
    return { done, all, seconds: secondsFor(kinds, this.#spent) }
  }

  start(): Promise<void> {
    return this.#measure('all')
  }

  stop(): void {
    this.#turn++
    this.#stop?.abort()
    this.#stop = undefined
    this.measuring = false
  }

  #mapKey(times: Times): string | undefined {
    const { way, place } = this.#wanted()
    return this.#model && `${keyOf(changeOf(way, times, this.#model.info), times)} ${place.layer}.${place.head}`
  }

  /** The maps that are shown come first; then losses row by row, so that all of them are of the same tokens. */
  #next(goal: 'all' | 'maps'): Next | undefined {
    const { ways, way } = this.#wanted()
    for (const times of lengths) {
      const key = this.#mapKey(times)
      if (key !== undefined && !this.#maps.has(key))
        return { what: 'map', times, way, key, place: this.#wanted().place }
    }
    if (goal === 'maps' || !this.#file || !this.#model) return undefined
    for (let row = 0; row < this.#file.rows; row++) {
      for (const times of lengths) {
        for (const way of ways) {
          const key = keyOf(changeOf(way, times, this.#model.info), times)
          if ((this.#losses.get(key)?.length ?? 0) <= row) return { what: 'loss', times, way, key, row }
        }
      }
    }
    return undefined
  }

  async #measure(goal: 'all' | 'maps'): Promise<void> {
    this.stop()
    const model = this.#model
    if (!model || !hasHeldOut(model.source, longName)) return
    const turn = this.#turn
    const stop = new AbortController()
    this.#stop = stop
    this.measuring = goal === 'all'
    this.problem = undefined
    try {
      const longest = { ...model.info, max_position_embeddings: longestText(model.info, true) }
      const file = this.#file ?? readHeldOut(await this.#fetch(model.source, longName, stop.signal), longest)
      if (turn !== this.#turn) return
      this.#file = file
      for (let next = this.#next(goal); next; next = this.#next(goal)) {
        const keep = await this.#step(model, file, next, stop.signal)
        if (turn !== this.#turn) break
        keep()
        kept.set(model, { file, losses: this.#losses, maps: this.#maps })
        noteMeasured(model)
      }
    } catch (error) {
      if (!isFailure(error)) throw error
      // A restart is told of by itself; the model that comes back is measured anew.
      if (turn === this.#turn && error.code !== 'restarted') this.problem = inWords(error)
    }
    if (turn === this.#turn) this.stop()
  }

  /** Measures, and gives what keeps the result: it counts only if nothing else was begun meanwhile. */
  async #step(model: LoadedModel, file: HeldOut, next: Next, signal: AbortSignal): Promise<() => void> {
    const { client } = this.#bench.engine
    const wanted = changeOf(next.way, next.times, model.info)
    const stretched =
      wanted.stretch && there(await client.ask('stretched', stretchAsks(wanted.stretch, model.info), { signal }))
    const change = changeOfRun(wanted, model.info, stretched)
    if (next.what === 'loss') {
      const texts = textsOf(file, next.row, next.times)
      const asks = { ...texts, change, beyondLength: true }
      const began = performance.now()
      const loss = there(await model.ask('loss', asks, { signal }))
      const took = performance.now() - began
      return () => {
        this.#spent = alsoSpent(this.#spent, kindOf(next.times, wanted), took)
        this.#losses = new Map(this.#losses).set(next.key, [...(this.#losses.get(next.key) ?? []), loss])
      }
    }
    const { ids, batch } = textsOf(file, 0, next.times)
    const length = ids.length / batch
    const { layer, head } = next.place
    const text = { ids: ids.slice(0, length), layer, head, positionOffset: 0, beyondLength: true }
    const seen = there(await model.ask('beside', { ...text, change }, { signal, slot: this.#slot }))
    const map = shrunk(seen.attention, length)
    return () => (this.#maps = new Map(this.#maps).set(next.key, map))
  }
}
