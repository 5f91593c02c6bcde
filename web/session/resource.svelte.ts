// Asking the engine: an answer that follows its request.
import { untrack } from 'svelte'
import { newSlot, type RequestOptions } from '../engine/client/client'
import { failure } from '../engine/protocol/failure'
import type { Reply } from '../engine/protocol/messages'
import type { Failure, ModelInfo } from '../engine/protocol/protocol'
import type { RequestKind, Params, Result } from '../engine/protocol/requests'
import { t as engineMessages } from '../engine/client/messages.en'
import { requestKey, runIdOf, type AnyRequest, type Listener, type Request, type Source } from './answers'
import type { EngineState } from './engine.svelte'

/** `gone`: the engine no longer has the run or the model that the request is about. */
export type Status = 'idle' | 'loading' | 'ready' | 'failed' | 'gone'

/** A value with the request that it answers, and with whatever else the requester put into that. */
export interface ValueWithRequest<R, V> {
  request: R
  value: V
}

/** The answer to a request that changes over time. */
export interface Answer<R, V> {
  /** The answer to exactly the present request; of what is measured in steps, as far as it is measured. */
  readonly current: V | undefined
  /** The newest answer, which stays while a newer one is loading. Never of a model that another one replaced. */
  readonly latest: ValueWithRequest<R, V> | undefined
  /** Whether `latest` answers an earlier request than the present one. */
  readonly stale: boolean
  readonly status: Status
  readonly failure: Failure | undefined
  /** Takes an answer that came with another one, as a run's own head does. */
  accept(request: R, value: V): void
}

export type Resource<K extends RequestKind, R extends Request<K> = Request<K>> = Answer<R, Result<K>>

/**
 * Asks the engine again whenever the request changes. Create it while a component is created: it ends with that.
 *
 * @param request the present request, or undefined while there is nothing to ask
 */
export function resource<K extends RequestKind, R extends Request<K>>(
  engine: EngineState,
  kind: K,
  request: () => R | undefined,
): Resource<K, R> {
  const slot = newSlot()
  return new EngineAnswer(engine, kind, request, true, async function* (request) {
    const reply = await send(engine, kind, request, { slot })
    if (reply.status !== 'superseded') yield resultOf(reply)
  })
}

/** Sends a request to its model, or to the engine. */
export function send<K extends RequestKind>(
  engine: EngineState,
  kind: K,
  { params, model }: Request<K>,
  options: RequestOptions<K> = {},
): Promise<Reply<Result<K>>> {
  // Without a model the parameters are complete.
  return model ? model.ask(kind, params, options) : engine.client.ask(kind, params as Params<K>, options)
}

/** @throws {Failure} where there is no result. A run that is gone is a trouble of the page, too (`Runs.checkGone`). */
export function resultOf<T>(reply: Exclude<Reply<T>, { status: 'superseded' }>): T {
  switch (reply.status) {
    case 'ok':
      return reply.result
    case 'gone':
      throw failure('gone', () => engineMessages().troubles.gone.model, true)
    case 'failed':
      throw reply.failure
  }
}

/** A request under its name. `info`: of the model that it is about. */
interface NamedRequest<R> {
  request: R
  name: string
  info: ModelInfo | undefined
}

export class EngineAnswer<R extends AnyRequest, V> implements Answer<R, V> {
  readonly #engine: EngineState
  readonly #kind: string
  readonly #request: () => R | undefined
  #answered: (NamedRequest<R> & { value: V; complete: boolean }) | undefined = $state.raw()
  #failed: { name: string; failure: Failure } | undefined = $state.raw()
  /** The request that failed or was lost. A new request object of the same name is sent again. */
  #ended: NamedRequest<R> | undefined = $state.raw()
  #attempt = $state(0)
  /** The present request under a name: equal requests of one worker have equal names. */
  readonly #present = $derived.by(() => {
    const request = this.#request()
    return request && { request, name: this.#nameOf(request) }
  })

  /**
   * @param once whether it has one value, which comes even if nobody waits any longer
   * @param measure yields the values of a request
   */
  constructor(
    engine: EngineState,
    kind: string,
    request: () => R | undefined,
    once: boolean,
    measure: (request: R, ...rest: Parameters<Source<V>['measure']>) => ReturnType<Source<V>['measure']>,
  ) {
    this.#engine = engine
    this.#kind = kind
    this.#request = request
    const name = $derived(this.#present?.name)
    $effect(() => {
      void this.#attempt
      if (name === undefined) return
      // The effect depends on the name alone, whatever sending the request reads.
      return untrack(() => {
        const request = this.#present?.request as R
        const source = { run: runIdOf(request), once, measure: measure.bind(undefined, request) }
        return engine.answers.follow(name, source, this.#listener(this.#named(request)))
      })
    })
    $effect(() => {
      const [present, ended] = [this.#present, this.#ended]
      if (!present || present.name !== ended?.name || present.request === ended.request) return
      this.#ended = undefined
      untrack(() => this.#attempt++)
    })
    $effect(() => () => engine.answers.show(this, undefined))
  }

  get current(): V | undefined {
    const answered = this.#answered
    return answered && answered.name === this.#present?.name ? answered.value : undefined
  }

  get latest(): ValueWithRequest<R, V> | undefined {
    const [answered, present] = [this.#answered, this.#present]
    if (!answered) return undefined
    if (answered.name === present?.name) return { request: present.request, value: answered.value }
    const replaced = answered.info !== undefined && answered.info !== this.#engine.model?.fullInfo
    return replaced || this.status === 'failed' ? undefined : answered
  }

  get stale(): boolean {
    return this.#answered !== undefined && this.#answered.name !== this.#present?.name
  }

  get status(): Status {
    const name = this.#present?.name
    if (name === undefined) return 'idle'
    if (this.#failed?.name === name) return this.#failed.failure.code === 'gone' ? 'gone' : 'failed'
    const answered = this.#answered
    return answered?.name === name && answered.complete ? 'ready' : 'loading'
  }

  get failure(): Failure | undefined {
    const { status } = this
    return status === 'failed' || (status === 'gone' && this.#present?.request.model)
      ? this.#failed?.failure
      : undefined
  }

  accept(request: R, value: V): void {
    const named = this.#named(request)
    this.#listener(named).receive(value, true)
    this.#engine.answers.add(named.name, runIdOf(request), value)
  }

  #nameOf(request: R): string {
    return `${this.#engine.generation} ${requestKey(this.#kind, request)}`
  }

  #named(request: R): NamedRequest<R> {
    const info = request.model?.fullInfo ?? ('run' in request.params ? this.#engine.model?.fullInfo : undefined)
    return { request, name: this.#nameOf(request), info }
  }

  #listener(named: NamedRequest<R>): Listener<V> {
    return {
      receive: (value, complete) => {
        this.#failed = undefined
        this.#answered = { ...named, value, complete }
        this.#engine.answers.show(this, named.name)
      },
      fail: (failure) => {
        this.#failed = { name: named.name, failure }
        this.#ended = named
      },
      lose: () => {
        this.#ended = named
      },
    }
  }
}

/** A value that stays on show while the next one is incomplete. */
export interface Newest<T> {
  readonly value: T | undefined
  /** Whether it is an earlier one. */
  readonly stale: boolean
}

/** The newest value of `compute` that was not undefined. `before`: the last one. */
export function newest<T>(compute: (before: T | undefined) => T | undefined): Newest<T> {
  let last: T | undefined
  const present = $derived.by(() => compute(last))
  const value = $derived.by(() => (last = present ?? last))
  return {
    get value() {
      return value
    },
    get stale() {
      return value !== undefined && present === undefined
    },
  }
}
