import { untrack } from 'svelte'
import { newSlot } from '../engine/client/client'
import { isFailure, isOfEngine } from '../engine/protocol/failure'
import type { Pair } from '../engine/protocol/parts'
import type { Candidate, GeneratedToken, GenerationEnd, Sampling, SearchedToken } from '../engine/protocol/generation'
import { writingTrouble } from '../engine/client/words'
import {
  lastStart,
  idsToContinue,
  unchangedTokens,
  tokensPerSecond,
  writerAfter,
  type Writer,
  type WrittenTokens,
} from '../text/continuation'
import { afterSource } from './writing'
import { difference } from '../text/edit'
import { separator, splitPair, joinPair } from '../text/pair'
import type { Reading } from '../text/reading'
import type { Choice, Choose } from '../viewstate/choice'
import type { EngineState, LoadedModel } from './engine.svelte'
import { longestText } from './longest'
import { resource, type Resource } from './resource.svelte'
import type { Run } from './runs.svelte'

/** The part of the bench that a continuation reads and writes. */
export interface TextBench {
  readonly engine: EngineState
  readonly choice: Choice
  readonly reading: Reading | undefined
  readonly run: Run | undefined
  /** Whether the result on show is that of the text as it stands. */
  readonly current: boolean
  readonly choose: Choose
}

/** The token that was drawn last, and what from. */
export interface Drawn {
  id: number
  candidates: readonly Candidate[]
}

/** How the last continuation ended, after how many tokens. */
export interface Ended {
  why: GenerationEnd | 'stopped'
  tokens: number
}

/** Text that a causal model writes on: one continuation at a time, at the end of the bench's text. */
export class Generation {
  readonly #bench: TextBench
  readonly #slot = newSlot()
  readonly #now: () => number
  /** Whether a continuation is under way. */
  writing = $state(false)
  ended: Ended | undefined = $state.raw()
  /** While it writes, and until it is known what may come next. */
  drawn: Drawn | undefined = $state.raw()
  /** Tokens a second of the last continuation, once it has two. */
  speed: number | undefined = $state()
  #written: WrittenTokens = $state.raw([])
  #next: Resource<'candidates'> | undefined
  /** The text as it was written or seen last: any other is an edit. */
  #text: string
  #continuation = 0
  #stop: AbortController | undefined

  /** Whether the loaded model writes on at all. */
  readonly able: boolean = $derived.by(() => {
    const info = this.#bench.engine.model?.fullInfo
    return info !== undefined && info.is_decoder && info.predicts_tokens
  })
  /** Whether there is something to go on after. */
  readonly ready: boolean = $derived.by(() => {
    const { reading, engine } = this.#bench
    if (!this.able || this.writing || !engine.model || !reading || reading.truncated) return false
    const { pair } = reading
    if (pair && pair.source.length === 0) return false
    const length = pair ? pair.text.length : reading.ids.length - reading.after
    return length > 0 && length < longestText(engine.model.fullInfo, this.#bench.choice.beyond)
  })

  constructor(bench: TextBench, now: () => number = () => performance.now()) {
    this.#bench = bench
    this.#now = now
    this.#text = bench.choice.text
    // A string, which compares by its letters, so that other choices ask for nothing.
    const settings = $derived(JSON.stringify(sampling(bench.choice)))
    const predicts = $derived(bench.run?.model.fullInfo.is_decoder && bench.run.model.info.predicts_tokens)
    // Another model's tokens have other ids.
    const isOfModel = $derived(bench.run?.model.fullInfo === bench.engine.model?.fullInfo)
    const run = $derived(predicts && isOfModel ? bench.run?.result.run : undefined)
    $effect.root(() => {
      $effect(() => {
        const { text } = bench.choice
        untrack(() => this.#see(text))
      })
      $effect(() => {
        // Another model's tokens have other ids.
        void bench.engine.model
        untrack(() => {
          this.drawn = undefined
        })
      })
      this.#next = resource(bench.engine, 'candidates', () =>
        run === undefined || this.writing ? undefined : { params: { run, settings: JSON.parse(settings) as Sampling } },
      )
      $effect(() => {
        if (!this.writing && bench.current && this.#next?.current) this.drawn = undefined
      })
    })
  }

  /** What may come next: after the text as it stands where `canTake`, else after one before it. */
  get next(): readonly Candidate[] {
    return this.#next?.latest?.value ?? []
  }

  /** The run whose text they may come after; while it writes and they are those of the last token, that of the result on show. */
  get nextRun(): number | undefined {
    return this.drawn ? this.#bench.run?.result.run : this.#next?.latest?.key.params.run
  }

  get canTake(): boolean {
    const { run, current } = this.#bench
    return current && this.ready && this.#next?.latest?.key.params.run === run?.result.run
  }

  /** Writes on, until the model ends the text, it is long enough or stopped. */
  async continue(): Promise<void> {
    const { engine, reading, choice } = this.#bench
    const { model } = engine
    if (!this.ready || !model || !reading) return
    const { pair } = reading
    const settings = {
      ...sampling(choice),
      maxNewTokens: choice.maxNewTokens,
      stopIds: model.fullInfo.eos_token_ids,
      beyondLength: choice.beyond && model.fullInfo.stretches,
      ...(pair && model.fullInfo.writing ? afterSource(pair, model.fullInfo.writing, choice) : {}),
    }
    const asks = { ids: pair?.text ?? idsToContinue(reading), settings }
    const stop = this.#begin()
    const writer = pair ? this.#writerAfterSource(model, pair) : writerAfter(model.tokenizer, choice.text, reading)
    this.#stop = stop
    this.writing = true
    this.speed = undefined
    engine.dismiss('writing')
    const times: number[] = []
    const onChunk = (token: GeneratedToken | SearchedToken) => {
      // What was typed since the last token may not have been seen yet: nothing is written behind it.
      this.#see(this.#bench.choice.text)
      if (stop.signal.aborted) return
      times.push(this.#now())
      this.speed = tokensPerSecond(times)
      if ('ids' in token) {
        this.#rewrite(model, token.ids)
        return
      }
      this.drawn = token
      // A token that ends the text stands for none.
      if (token.ended !== 'end') this.#write(writer, token.id)
    }
    try {
      const reply = await model.ask('generate', asks, { onChunk, signal: stop.signal, slot: this.#slot })
      this.ended = { why: reply.status === 'ok' ? reply.result : 'stopped', tokens: times.length }
    } catch (error) {
      if (!isFailure(error)) throw error
      if (!isOfEngine(error)) engine.trouble('writing', () => writingTrouble(error))
    } finally {
      this.writing = false
    }
  }

  stop(): void {
    this.#stop?.abort()
  }

  /** Whether this token stands for text by itself: an end token and a part of a character do not. */
  writable(id: number): boolean {
    return this.#bench.engine.model?.tokenizer.stream(true).push(id) !== ''
  }

  /** Writes this token at the end of the text, in place of one that would be drawn. */
  take(id: number): void {
    const { engine, reading, choice } = this.#bench
    if (!this.canTake || !engine.model || !reading) return
    const { model } = engine
    this.#begin()
    const { pair } = reading
    this.#write(pair ? this.#writerAfterSource(model, pair) : writerAfter(model.tokenizer, choice.text, reading), id)
  }

  /** Where the text would end without its last token or continuation; undefined where that is not the model's. */
  beginningOfLast(of: 'token' | 'continuation'): number | undefined {
    return lastStart(this.#written, this.#bench.choice.text.length, of)
  }

  takeBack(of: 'token' | 'continuation'): void {
    const start = this.beginningOfLast(of)
    if (start === undefined || this.writing) return
    this.ended = undefined
    this.#bench.choose({ text: this.#bench.choice.text.slice(0, start) })
  }

  #begin(): AbortController {
    this.#see(this.#bench.choice.text)
    this.#continuation++
    this.ended = undefined
    return new AbortController()
  }

  /** Sees what the text is now. Whoever has changed it has stopped what was under way; all that was written stays. */
  #see(text: string): void {
    if (text === this.#text) return
    this.#written = unchangedTokens(this.#written, difference(this.#text, text))
    this.#text = text
    this.ended = undefined
    this.stop()
  }

  /** Writes behind the source, or on in the text after it. */
  #writerAfterSource({ tokenizer }: LoadedModel, { text }: Pair): Writer {
    const stream = tokenizer.stream(text.length > 1)
    let opens = !this.#text.includes(separator)
    return {
      push(id) {
        const written = stream.push(id)
        if (!opens || written === '') return written
        opens = false
        return separator + written
      },
    }
  }

  /** Puts another text behind the source: the best one of a search changes as a whole. */
  #rewrite({ tokenizer }: LoadedModel, ids: readonly number[]): void {
    const [source] = splitPair(this.#text)
    const text = joinPair(source, tokenizer.decode(ids.slice(1)))
    if (text === this.#text) return
    this.#written = [{ start: source.length, end: text.length, continuation: this.#continuation }]
    this.#text = text
    this.#bench.choose({ text }, `writing ${this.#continuation}`)
  }

  #write(writer: Writer, id: number): void {
    const more = writer.push(id)
    if (more === '') return
    const start = this.#text.length
    const text = this.#text + more
    this.#written = [...this.#written, { start, end: text.length, continuation: this.#continuation }]
    this.#text = text
    // What is written on in one go is taken back in one go.
    this.#bench.choose({ text }, `writing ${this.#continuation}`)
  }
}

/** What of the choice says how a token is drawn. */
function sampling({ temperature, topK, topP, minP, repetitionPenalty, seed }: Sampling): Sampling {
  return { temperature, topK, topP, minP, repetitionPenalty, seed }
}
