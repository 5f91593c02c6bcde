// The answers of one engine: each request is sent once, and coming back to it sends nothing.
import type { Reply } from '../engine/protocol/messages'
import type { Result, Params, ParamsOfModel, Kind } from '../engine/protocol/requests'
import type { EngineClient } from '../engine/client/client'
import type { EngineModel } from './engineModel'

/** What the engine is asked for. A request to a model names it; others need none. `dependsOn`: what else the answer depends on. */
export type Request<K extends Kind> = { params: ParamsOfModel<K>; dependsOn?: string } & (Params<K> extends {
  model: number
}
  ? { model: EngineModel }
  : { model?: never })

/** Bytes of answers that one engine's cache holds at most. */
const capacity = 64 << 20

/** Runs whose answers stay cached: the one on show, and the baseline or the one before. */
const cachedRuns = 2

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
export function requestKey<K extends Kind>(kind: K, { params, model, dependsOn = '' }: Request<K>): string {
  const written = JSON.stringify(params, (_, value: unknown) => (ArrayBuffer.isView(value) ? arrayKey(value) : value))
  return `${kind} ${model?.version ?? ''} ${written} ${dependsOn}`
}

/** The run that a request is about, if it is about one. */
const runOf = (params: object): number | undefined =>
  'run' in params && typeof params.run === 'number' ? params.run : undefined

/** An engine that answers. `generation` counts its workers. */
export interface AnsweringEngine {
  readonly client: Pick<EngineClient, 'ask'>
  readonly generation: number
}

/** The answers that an engine gave, and the requests in flight. A worker that replaces a crashed one starts without any. */
export class Answers {
  readonly #engine: AnsweringEngine
  readonly #cache = new AnswerCache(capacity)
  readonly #inFlight = new Map<string, Promise<Reply<unknown>>>()
  /** Measured of the model, not of a run: small, and it took minutes, so nothing displaces it while the model stays. */
  readonly #ofModel = new Map<string, unknown>()
  #generation = 0

  constructor(engine: AnsweringEngine) {
    this.#engine = engine
  }

  /** Bytes of the answers in the cache. */
  get bytes(): number {
    return this.#cache.bytes
  }

  get<K extends Kind>(kind: K, request: Request<K>): Result<K> | undefined {
    this.#follow()
    return this.#cache.get(requestKey(kind, request)) as Result<K> | undefined
  }

  /** Adds an answer that came with another one, as a run's own head does. */
  add<K extends Kind>(kind: K, request: Request<K>, answer: Result<K>): void {
    this.#follow()
    this.#cache.add(requestKey(kind, request), answer, runOf(request.params))
  }

  /** What a series has measured under this name so far. */
  measured(name: string): unknown {
    this.#follow()
    return this.#ofModel.get(name) ?? this.#cache.get(`series:${name}`)
  }

  /** @param run that it is measured of, if it is of one */
  addMeasured(name: string, value: unknown, run: number | undefined): void {
    this.#follow()
    if (run === undefined) this.#ofModel.set(name, value)
    else this.#cache.add(`series:${name}`, value, run)
  }

  /** Forgets what was measured of a model that another one replaces. */
  forgetModel(): void {
    this.#ofModel.clear()
  }

  /**
   * The answer to a request: cached, shared with an equal request in flight, or sent to the engine.
   *
   * @param slot of the requester: its newer request of the same kind supersedes its older one
   * @throws {Failure}
   */
  async fetch<K extends Kind>(kind: K, request: Request<K>, slot: number): Promise<Reply<Result<K>>> {
    this.#follow()
    const key = requestKey(kind, request)
    const cached = this.#cache.get(key) as Result<K> | undefined
    if (cached !== undefined) return { status: 'ok', result: cached }
    const waiting = this.#inFlight.get(key) as Promise<Reply<Result<K>>> | undefined
    if (waiting) return waiting
    const generation = this.#generation
    const promise = this.#send(kind, request, slot)
      .then((reply) => {
        if (reply.status === 'ok' && generation === this.#engine.generation)
          this.#cache.add(key, reply.result, runOf(request.params))
        return reply
      })
      .finally(() => {
        if (this.#inFlight.get(key) === promise) this.#inFlight.delete(key)
      })
    this.#inFlight.set(key, promise)
    return promise
  }

  #send<K extends Kind>(kind: K, { params, model }: Request<K>, slot: number): Promise<Reply<Result<K>>> {
    // Without a model the parameters are complete.
    return model ? model.ask(kind, params, { slot }) : this.#engine.client.ask(kind, params as Params<K>, { slot })
  }

  /** Forgets the answers of a worker that was replaced. */
  #follow(): void {
    const { generation } = this.#engine
    if (generation === this.#generation) return
    this.#generation = generation
    this.#cache.clear()
    this.#ofModel.clear()
    this.#inFlight.clear()
  }
}

interface Entry {
  answer: unknown
  bytes: number
  run: number | undefined
}

/** The most recently used answers, as many as fit into a number of bytes; none of runs that the engine has given up. */
export class AnswerCache {
  readonly #capacity: number
  readonly #entries = new Map<string, Entry>()
  #runs: readonly number[] = []
  #bytes = 0

  /** @param capacity in bytes */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): unknown {
    const entry = this.#entries.get(key)
    // The end of a Map is its newest entry.
    if (entry && this.#entries.delete(key)) this.#entries.set(key, entry)
    return entry?.answer
  }

  /** @param run that the answer is about, if it is about one */
  add(key: string, answer: unknown, run: number | undefined): void {
    this.#delete(key)
    if (run !== undefined) this.#noteRun(run)
    const bytes = bytesOf(answer)
    if (bytes > this.#capacity || (run !== undefined && !this.#runs.includes(run))) return
    this.#entries.set(key, { answer, bytes, run })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#capacity) return
      this.#delete(oldest)
    }
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }

  #noteRun(run: number): void {
    if (this.#runs.includes(run)) return
    this.#runs = [...this.#runs, run].sort((one, other) => other - one).slice(0, cachedRuns)
    for (const [key, entry] of this.#entries)
      if (entry.run !== undefined && !this.#runs.includes(entry.run)) this.#delete(key)
  }

  #delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry && this.#entries.delete(key)) this.#bytes -= entry.bytes
  }
}

/** Bytes of the arrays in an answer; all else is small. */
export function bytesOf(answer: unknown): number {
  if (ArrayBuffer.isView(answer)) return answer.byteLength
  if (typeof answer !== 'object' || answer === null) return 8
  return Object.values(answer).reduce<number>((sum, value) => sum + bytesOf(value), 0)
}
