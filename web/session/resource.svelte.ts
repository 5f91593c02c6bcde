// Asking the engine: an answer that follows its request.
import { untrack } from 'svelte'
import { newSlot } from '../engine/client/client'
import { failure, isFailure } from '../engine/protocol/failure'
import type { Failure, ModelInfo } from '../engine/protocol/protocol'
import type { Result, Kind } from '../engine/protocol/requests'
import { t as engineMessages } from '../engine/client/messages.en'
import { requestKey, type Request } from './answers'
import type { EngineState } from './engine.svelte'

/** `gone`: the engine no longer has the run or the model that the request is about. */
export type Status = 'idle' | 'loading' | 'ready' | 'failed' | 'gone'

/** An answer with the request that it answers, and with whatever else the requester put into that. */
export interface Answered<K extends Kind, R extends Request<K>> {
  key: R
  value: Result<K>
}

/** The answer to a request that changes over time. */
export interface Resource<K extends Kind, R extends Request<K> = Request<K>> {
  /** The answer to exactly the present request. */
  readonly current: Result<K> | undefined
  /** The newest answer, which stays while a newer one is loading. Never of a model that another one replaced. */
  readonly latest: Answered<K, R> | undefined
  /** Whether `latest` answers an earlier request than the present one. */
  readonly stale: boolean
  readonly status: Status
  readonly failure: Failure | undefined
}

/**
 * Asks the engine again whenever the request changes. Create it while a component is created: it ends with that.
 *
 * @param request the present request, or undefined while there is nothing to ask
 */
export function resource<K extends Kind, R extends Request<K>>(
  engine: EngineState,
  kind: K,
  request: () => R | undefined,
): Resource<K, R> {
  return new EngineResource(engine, kind, request)
}

/** A request under its name. `info`: of the model that it is about. */
interface SentRequest<R> {
  key: R
  name: string
  info: ModelInfo | undefined
}

class EngineResource<K extends Kind, R extends Request<K>> implements Resource<K, R> {
  readonly #engine: EngineState
  readonly #kind: K
  readonly #slot = newSlot()
  #answered: (Answered<K, R> & { name: string; model: ModelInfo | undefined }) | undefined = $state.raw()
  #ended: { name: string; status: 'failed' | 'gone'; failure: Failure | undefined } | undefined = $state.raw()
  /** The name of the request that is being fetched. */
  #pending: string | undefined
  readonly #request: () => R | undefined
  /** The present request under a name: equal requests of one worker have equal names. */
  readonly #present = $derived.by(() => {
    const key = this.#request()
    return key && { key, name: `${this.#engine.generation} ${requestKey(this.#kind, key)}` }
  })

  constructor(engine: EngineState, kind: K, request: () => R | undefined) {
    this.#engine = engine
    this.#kind = kind
    this.#request = request
    $effect(() => {
      const present = this.#present
      if (!present) {
        this.#pending = undefined
        return
      }
      if (untrack(() => this.#answered?.name) === present.name) {
        // An equal request as another object. Its answer may be too large for the cache.
        this.#pending = undefined
        return
      }
      const { model, params } = present.key
      // Untracked: another model must not become the model of an answer about a run before it.
      const info = model?.fullInfo ?? ('run' in params ? untrack(() => engine.model?.fullInfo) : undefined)
      const sent = { ...present, info }
      const cached = engine.answers.get(kind, present.key)
      if (cached !== undefined) {
        this.#pending = undefined
        this.#settle(sent, cached)
      } else if (this.#pending !== present.name) {
        this.#pending = present.name
        void this.#fetch(sent)
      }
    })
    $effect(() => () => {
      this.#pending = undefined
    })
  }

  get current(): Result<K> | undefined {
    const answered = this.#answered
    return answered && answered.name === this.#present?.name ? answered.value : undefined
  }

  get latest(): Answered<K, R> | undefined {
    const [answered, present] = [this.#answered, this.#present]
    if (!answered) return undefined
    if (answered.name === present?.name) return { key: present.key, value: answered.value }
    const replaced = answered.model !== undefined && answered.model !== this.#engine.model?.fullInfo
    return replaced || this.status === 'failed' ? undefined : answered
  }

  get stale(): boolean {
    return this.#answered !== undefined && this.#answered.name !== this.#present?.name
  }

  get status(): Status {
    const name = this.#present?.name
    if (name === undefined) return 'idle'
    if (this.#answered?.name === name) return 'ready'
    return this.#ended?.name === name ? this.#ended.status : 'loading'
  }

  get failure(): Failure | undefined {
    return this.#ended?.name === this.#present?.name ? this.#ended?.failure : undefined
  }

  async #fetch({ key, name, info }: SentRequest<R>): Promise<void> {
    const isPending = () => this.#pending === name
    try {
      let reply = await this.#engine.answers.fetch(this.#kind, key, this.#slot)
      // An equal request of another requester was in flight, and that requester has moved on.
      while (reply.status === 'superseded' && isPending())
        reply = await this.#engine.answers.fetch(this.#kind, key, this.#slot)
      if (!isPending()) return
      if (reply.status === 'ok') this.#settle({ key, name, info }, reply.result)
      else if (reply.status === 'gone') this.#ended = { name, status: 'gone', failure: key.model && goneFailure() }
    } catch (error) {
      if (!isFailure(error)) throw error
      // A worker that restarts has another generation, which asks again.
      if (isPending() && error.code !== 'restarted') this.#ended = { name, status: 'failed', failure: error }
    } finally {
      if (isPending()) this.#pending = undefined
    }
  }

  #settle({ key, name, info }: SentRequest<R>, value: Result<K>): void {
    this.#answered = { key, name, value, model: info }
    this.#ended = undefined
  }
}

/** Says that the engine no longer has a model. A run that is gone is a trouble of the page (`Runs.checkGone`). */
export const goneFailure = (): Failure => failure('gone', () => engineMessages().troubles.gone.model, true)

/** The newest value of `compute` that was not undefined: it stays on show while the next one is incomplete. `before`: the last one. */
export function newest<T>(compute: (before: T | undefined) => T | undefined): { readonly value: T | undefined } {
  let last: T | undefined
  const value = $derived.by(() => (last = compute(last) ?? last))
  return {
    get value() {
      return value
    },
  }
}
