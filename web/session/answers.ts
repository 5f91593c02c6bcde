// The answers of one engine: each request is sent once, and coming back to it sends nothing.
import { SvelteMap } from 'svelte/reactivity'
import { isFailure } from '../engine/protocol/failure'
import type { Failure } from '../engine/protocol/protocol'
import type { RequestKind, Params, ParamsOfModel } from '../engine/protocol/requests'
import type { EngineModel } from './engineModel'

/** What the engine is asked for. A request to a model names it; others need none. `dependsOn`: what else the answer depends on. */
export type Request<K extends RequestKind> = { params: ParamsOfModel<K>; dependsOn?: string } & (Params<K> extends {
  model: number
}
  ? { model: EngineModel }
  : { model?: never })

/** A request of any kind. */
export interface AnyRequest {
  params: object
  model?: EngineModel | undefined
  dependsOn?: string
}

/** Bytes of all answers at most, unless those on show take more. */
const capacity = 64 << 20

/** Runs whose answers stay: the one on show, and the baseline or the one before. */
const storedRuns = 2

/** Arrays of up to this many bytes are compared by their numbers, larger ones by identity. */
const comparedBytes = 4096

const identities = new WeakMap<object, number>()
let lastIdentity = 0

function arrayKey(array: ArrayBufferView): string {
  if (array.byteLength <= comparedBytes)
    return `${array.constructor.name}:${Array.from(array as unknown as ArrayLike<number>).join()}`
  const identity = identities.get(array) ?? ++lastIdentity
  identities.set(array, identity)
  return `#${identity}`
}

/** Requests with equal keys have equal answers. */
export function requestKey(kind: string, { params, model, dependsOn = '' }: AnyRequest): string {
  const written = JSON.stringify(params, (_, value: unknown) => (ArrayBuffer.isView(value) ? arrayKey(value) : value))
  return `${kind} ${model?.version ?? ''} ${written} ${dependsOn}`
}

/** The run that a request is about, if it is about one. */
export const runIdOf = ({ params }: AnyRequest): number | undefined =>
  'run' in params && typeof params.run === 'number' ? params.run : undefined

/** Where an answer comes from. */
export interface Source<V> {
  /** The run that it is about, if it is about one: it is stored no longer than that. */
  run: number | undefined
  /** Whether it has one value, which comes even if nobody waits any longer. Others grow, and stop when nobody does. */
  once: boolean
  /**
   * Yields the values; none where the request has to be sent again.
   *
   * @param before the last value of an earlier call
   * @param signal aborts when nobody waits any longer
   */
  measure(signal: AbortSignal, before: V | undefined): AsyncGenerator<V, void, void>
}

/** Hears of an answer. */
export interface Listener<V> {
  receive(value: V, complete: boolean): void
  fail(failure: Failure): void
  /** The engine lost its device with the request: nothing comes unless it is sent again. */
  lose(): void
}

interface Entry {
  name: string
  /** Undefined until there is one. */
  value: unknown
  complete: boolean
  bytes: number
  run: number | undefined
  /** Each with its own source of the same values. */
  listeners: Map<Listener<unknown>, Source<unknown>>
  /** Set while values come. */
  stop: AbortController | undefined
}

/** The answers of one worker by name: those on show, and the most recently used others, as many as fit. */
export class Answers {
  readonly #capacity: number
  /** The most recently used last. */
  readonly #entries = new Map<string, Entry>()
  /** What each of its users shows, by user. */
  readonly #onShow = new Map<object, string>()
  /** Measured of the model by name, not of a run: small, and it took minutes, so nothing displaces it while the model stays. */
  readonly ofModel = new SvelteMap<string, unknown>()
  #runs: readonly number[] = []
  #bytes = 0

  constructor(bytes = capacity) {
    this.#capacity = bytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The names of all answers. */
  get names(): string[] {
    return [...this.#entries.keys()]
  }

  /** Listens to an answer, which all listeners share, until the returned function is called. */
  follow<V>(name: string, source: Source<V>, listener: Listener<V>): () => void {
    const entry = this.#use(name, source.run)
    entry.listeners.set(listener as Listener<unknown>, source as Source<unknown>)
    if (entry.value !== undefined) listener.receive(entry.value as V, entry.complete)
    if (!entry.complete && !entry.stop) void this.#measure(entry)
    return () => {
      entry.listeners.delete(listener as Listener<unknown>)
      if (!source.once && entry.listeners.size === 0) {
        entry.stop?.abort()
        entry.stop = undefined
      }
      this.#leave(entry)
    }
  }

  /** Adds an answer that came with another one, as a run's own head does. */
  add(name: string, run: number | undefined, value: unknown): void {
    const entry = this.#use(name, run)
    this.#set(entry, value, true)
    this.#leave(entry)
  }

  /** A user shows this answer, and no longer the one before: it stays until then. */
  show(user: object, name: string | undefined): void {
    const before = this.#entries.get(this.#onShow.get(user) ?? '')
    if (name === undefined) this.#onShow.delete(user)
    else this.#onShow.set(user, name)
    if (before) this.#leave(before)
  }

  /** Forgets the answers of a worker that another one replaces. */
  forget(): void {
    this.#entries.clear()
    this.ofModel.clear()
    this.#bytes = 0
  }

  #use(name: string, run: number | undefined): Entry {
    if (run !== undefined && !this.#runs.includes(run)) {
      this.#runs = [...this.#runs, run].sort((one, other) => other - one).slice(0, storedRuns)
      for (const entry of this.#entries.values()) this.#leave(entry)
    }
    const none = { name, value: undefined, complete: false, bytes: 0, run, listeners: new Map(), stop: undefined }
    const entry: Entry = this.#entries.get(name) ?? none
    this.#entries.delete(name)
    this.#entries.set(name, entry)
    return entry
  }

  async #measure(entry: Entry): Promise<void> {
    const stop = new AbortController()
    const { signal } = stop
    entry.stop = stop
    try {
      // A request that its requester's newer one superseded is sent again for others that still wait.
      while (!entry.complete) {
        const [source] = entry.listeners.values()
        if (!source) return
        for await (const value of source.measure(signal, entry.value)) {
          if (signal.aborted) return
          this.#set(entry, value, source.once)
        }
        if (!source.once && !signal.aborted) this.#set(entry, entry.value, true)
      }
    } catch (error) {
      if (!isFailure(error)) throw error
      if (signal.aborted) return
      for (const listener of entry.listeners.keys()) {
        if (error.code === 'restarted') listener.lose()
        else listener.fail(error)
      }
    } finally {
      if (entry.stop === stop) entry.stop = undefined
      this.#leave(entry)
    }
  }

  #set(entry: Entry, value: unknown, complete: boolean): void {
    entry.value = value
    entry.complete = complete
    const bytes = bytesOf(value)
    // A worker that was replaced may still answer.
    if (this.#entries.get(entry.name) === entry) this.#bytes += bytes - entry.bytes
    entry.bytes = bytes
    for (const listener of entry.listeners.keys()) listener.receive(value, complete)
    this.#trim()
  }

  #isUsed({ name, listeners, stop }: Entry): boolean {
    return listeners.size > 0 || stop !== undefined || [...this.#onShow.values()].includes(name)
  }

  /** Removes an entry that nobody uses where it has no value, or its run is one that the engine has given up. */
  #leave(entry: Entry): void {
    const { value, run } = entry
    const isOfOldRun = run !== undefined && !this.#runs.includes(run)
    if ((value === undefined || isOfOldRun) && !this.#isUsed(entry)) this.#delete(entry)
    this.#trim()
  }

  /** Removes the oldest entries that nobody uses, where there are too many. */
  #trim(): void {
    if (this.#bytes <= this.#capacity) return
    for (const entry of this.#entries.values()) {
      if (!this.#isUsed(entry)) this.#delete(entry)
      if (this.#bytes <= this.#capacity) return
    }
  }

  #delete(entry: Entry): void {
    if (this.#entries.get(entry.name) === entry && this.#entries.delete(entry.name)) this.#bytes -= entry.bytes
  }
}

/** Bytes of the arrays and buffers in an answer, wherever they are in it; all else is small. */
export function bytesOf(answer: unknown): number {
  if (ArrayBuffer.isView(answer) || answer instanceof ArrayBuffer) return answer.byteLength
  if (typeof answer !== 'object' || answer === null) return 8
  const isCollection = answer instanceof Map || answer instanceof Set
  const parts: unknown[] = isCollection ? [...answer].flat() : Object.values(answer)
  return parts.reduce<number>((sum, part) => sum + bytesOf(part), 0)
}
