import { newSlot } from '../engine/client/client'
import { failure, isFailure } from '../engine/protocol/failure'
import type { Reply } from '../engine/protocol/messages'
import type { Failure } from '../engine/protocol/protocol'
import type { Result, Params, ParamsOfModel, Kind } from '../engine/protocol/requests'
import type { EngineModel } from './engineModel'
import { words } from '../i18n/words'
import type { EngineState } from './engine.svelte'
import { AnswerCache } from './answers'

/** A question with a name: equal names ask the same of the same model and run. One to a model says to which. */
export type Question<K extends Kind> = { name: string; asks: ParamsOfModel<K> } & (Params<K> extends { model: number }
  ? { of: EngineModel }
  : { of?: never })

/** Bytes of answers that are kept for all views. */
const cacheBytes = 64 << 20

const caches = new WeakMap<EngineState, { generation: number; answers: AnswerCache }>()

/** The answers that are kept of this engine; none of a worker that was replaced. */
function cacheOf(engine: EngineState): AnswerCache {
  const found = caches.get(engine)
  if (found?.generation === engine.generation) return found.answers
  const answers = new AnswerCache(cacheBytes)
  caches.set(engine, { generation: engine.generation, answers })
  return answers
}

/** The run that is asked about. */
const runOf = (asks: object): number | undefined => ('run' in asks ? (asks.run as number) : undefined)

/** Rows of numbers are no names. */
const isSmall = (asks: object): boolean => Object.values(asks).every((value) => typeof value !== 'object')

/** Small questions on their way, by what they ask: two views that ask the same ask once. */
const onTheirWay = new WeakMap<EngineState, Map<string, Promise<unknown>>>()

function ask<K extends Kind>(
  engine: EngineState,
  kind: K,
  { of, asks }: Question<K>,
  slot: number,
): Promise<Reply<Result<K>>> {
  if (of) return of.ask(kind, asks, { slot })
  // It is to no model: what it asks is whole.
  const params = asks as Params<K>
  if (!isSmall(params)) return engine.client.ask(kind, params, { slot })
  const waiting = onTheirWay.get(engine) ?? new Map<string, Promise<unknown>>()
  onTheirWay.set(engine, waiting)
  const name = `${engine.generation} ${kind} ${JSON.stringify(params)}`
  const found = waiting.get(name) as Promise<Reply<Result<K>>> | undefined
  if (found) return found
  const answer = engine.client.ask(kind, params, { slot }).finally(() => waiting.delete(name))
  waiting.set(name, answer)
  return answer
}

/**
 * The answer to a question that follows what is chosen. Only the newest question's answer counts. Answers are kept for as long as the engine
 * lives: going back asks nothing.
 */
export class Asked<K extends Kind> {
  #answer: Result<K> | undefined = $state.raw()
  /** The name of the question that it answers. */
  of = $state('')
  /** The model that it is about, if it is about one. */
  #version: number | undefined = $state()
  readonly #engine: EngineState
  failure: Failure | undefined = $state.raw()
  #newest = ''
  /** The newest question that is on its way. */
  #pending: { name: string; generation: number; of: EngineModel | undefined } | undefined
  readonly #slot = newSlot()
  readonly #question: () => Question<K> | undefined
  /** The name of the question as it stands now. */
  readonly #name: string | undefined = $derived.by(() => this.#question()?.name)

  /** `question` is undefined while there is nothing to ask. Make it while a component is made: it ends with that. */
  constructor(engine: EngineState, kind: K, question: () => Question<K> | undefined) {
    this.#engine = engine
    this.#question = question
    $effect(() => {
      const { generation } = engine
      const input = question()
      this.#newest = input?.name ?? ''
      if (!input) return
      const found = cacheOf(engine).get(this.#cacheKey(kind, input)) as Result<K> | undefined
      if (found !== undefined) {
        this.#tell(input, found)
        return
      }
      const { name, of } = input
      const pending = this.#pending
      if (pending?.name === name && pending.generation === generation && pending.of === of) return
      this.#pending = { name, generation, of }
      void this.#ask(engine, kind, input, this.#pending)
    })
  }

  /** The answer to the question as it stands now; undefined while that is on its way. */
  get value(): Result<K> | undefined {
    return this.#name !== undefined && this.of === this.#name ? this.#answer : undefined
  }

  /** The newest answer, which may be to the question before: `of` names that one. Nothing of a model that gave way. */
  get latest(): Result<K> | undefined {
    const another = this.#version !== undefined && this.#version !== this.#engine.model?.version
    return this.value ?? (another ? undefined : this.#answer)
  }

  async #ask(engine: EngineState, kind: K, question: Question<K>, pending: object): Promise<void> {
    const { name } = question
    try {
      let reply = await ask(engine, kind, question, this.#slot)
      // Another view had asked it as well, and has moved on.
      while (reply.status === 'superseded' && this.#newest === name && this.#pending === pending)
        reply = await ask(engine, kind, question, this.#slot)
      if (reply.status !== 'ok') {
        // A run that is gone is a trouble of the page (`Runs.checkHeld`).
        if (reply.status === 'gone' && question.of) throw failure('gone', words.troubles.gone.model, true)
        return
      }
      const { result } = reply
      cacheOf(engine).add(this.#cacheKey(kind, question), result, runOf(question.asks))
      if (this.#newest === name) this.#tell(question, result)
    } catch (error) {
      if (!isFailure(error)) throw error
      if (this.#newest === name && error.code !== 'restarted') {
        this.failure = error
        this.#answer = undefined
        this.of = ''
      }
    } finally {
      if (this.#pending === pending) this.#pending = undefined
    }
  }

  /** Views that ask the same share what is kept; rows of numbers are named by the view that asks. */
  #cacheKey(kind: K, { name, asks, of }: Question<K>): string {
    return !of && isSmall(asks) ? `${kind} ${name} ${JSON.stringify(asks)}` : `${kind} ${name} ${this.#slot}`
  }

  #tell({ name, asks, of }: Question<K>, answer: Result<K>): void {
    this.#answer = answer
    this.of = name
    this.#version = of || runOf(asks) !== undefined ? this.#engine.model?.version : undefined
    this.failure = undefined
  }
}
