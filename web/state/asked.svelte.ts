import { newSlot } from '../engine/client'
import { failure, isFailure } from '../engine/failure'
import type { Reply } from '../engine/messages'
import type { Failure } from '../engine/protocol'
import type { Answer, Asks, AsksOfModel, Kind } from '../engine/questions'
import type { HeldModel } from '../held/model'
import { words } from '../words/words'
import type { EngineState } from './engine.svelte'

/** A question with a name: equal names ask the same of the same model and run. One to a model says to which. */
export type Question<K extends Kind> = { name: string; asks: AsksOfModel<K> } & (Asks<K> extends { model: number }
  ? { of: HeldModel }
  : { of?: never })

/** So many answers of one view are kept. */
const most = 24

/** Small questions on their way, by what they ask: two views that ask the same ask once. */
const onTheirWay = new WeakMap<EngineState, Map<string, Promise<unknown>>>()

function ask<K extends Kind>(
  engine: EngineState,
  kind: K,
  { of, asks }: Question<K>,
  slot: number,
): Promise<Reply<Answer<K>>> {
  if (of) return of.ask(kind, asks, { slot })
  // It is to no model: what it asks is whole.
  const whole = asks as Asks<K>
  // Rows of numbers are no names.
  const small = Object.values(whole).every((value) => typeof value !== 'object')
  if (!small) return engine.client.ask(kind, whole, { slot })
  const waiting = onTheirWay.get(engine) ?? new Map<string, Promise<unknown>>()
  onTheirWay.set(engine, waiting)
  const name = `${engine.generation} ${kind} ${JSON.stringify(whole)}`
  const found = waiting.get(name) as Promise<Reply<Answer<K>>> | undefined
  if (found) return found
  const answer = engine.client.ask(kind, whole, { slot }).finally(() => waiting.delete(name))
  waiting.set(name, answer)
  return answer
}

/**
 * The answer to a question that follows what is chosen. Only the newest question's answer counts; until it is there `value` is that of the
 * one before, and `of` says which that was. Answers are kept for as long as the engine lives: going back asks nothing.
 */
export class Asked<K extends Kind> {
  value: Answer<K> | undefined = $state.raw()
  /** The name of the question that `value` answers. */
  of = $state('')
  failure: Failure | undefined = $state.raw()
  #newest = ''
  readonly #slot = newSlot()
  #kept = new Map<string, Answer<K>>()

  /** `question` is undefined while there is nothing to ask. Make it while a component is made: it ends with that. */
  constructor(engine: EngineState, kind: K, question: () => Question<K> | undefined) {
    let generation = -1
    $effect(() => {
      if (generation !== engine.generation) this.#kept.clear()
      generation = engine.generation
      const wanted = question()
      this.#newest = wanted?.name ?? ''
      if (!wanted) return
      const kept = this.#kept.get(wanted.name)
      if (kept !== undefined) this.#tell(wanted.name, kept)
      else void this.#ask(engine, kind, wanted)
    })
  }

  async #ask(engine: EngineState, kind: K, question: Question<K>): Promise<void> {
    const { name } = question
    try {
      let reply = await ask(engine, kind, question, this.#slot)
      // Another view had asked it as well, and has moved on.
      while (reply.status === 'superseded' && this.#newest === name)
        reply = await ask(engine, kind, question, this.#slot)
      if (reply.status !== 'ok') {
        // A run that is gone is a trouble of the page (`Runs.checkHeld`).
        if (reply.status === 'gone' && question.of) throw failure('gone', words.troubles.gone.model, true)
        return
      }
      const { answer } = reply
      this.#kept.set(name, answer)
      const [oldest] = this.#kept.keys()
      if (this.#kept.size > most && oldest !== undefined) this.#kept.delete(oldest)
      if (this.#newest === name) this.#tell(name, answer)
    } catch (error) {
      if (!isFailure(error)) throw error
      if (this.#newest === name && error.code !== 'restarted') {
        this.failure = error
        this.value = undefined
      }
    }
  }

  #tell(name: string, answer: Answer<K>): void {
    this.value = answer
    this.of = name
    this.failure = undefined
  }
}
