import { untrack } from 'svelte'
import { newSlot } from '../engine/client/client'
import { isOfEngine } from '../engine/protocol/failure'
import type { Pair } from '../engine/protocol/parts'
import type { GeneratedToken, GenerationEnd, NextTokens, Sampling, SearchedToken } from '../engine/protocol/generation'
import { writingTrouble } from '../engine/client/words'
import {
  lastStart,
  unchangedTokens,
  tokensPerSecond,
  writerAfter,
  type Writer,
  type WrittenTokens,
} from '../text/continuation'
import { difference } from '../text/edit'
import { type Reading, separator, splitPair, joinPair } from '../text/reading'
import type { Choice, Choose } from '../viewstate/choice'
import type { EngineState, LoadedModel } from './engine.svelte'
import { longestText, continuationOf, sampling } from './reading'
import { resource, type Resource } from './resource.svelte'
import type { Run } from './runs.svelte'

/** The fields of the bench that a continuation reads and writes. */
export interface TextBench {
  readonly engine: EngineState
  readonly choice: Choice
  readonly reading: Reading | undefined
  readonly run: Run | undefined
  /** Whether the run on show is of the present text. */
  readonly current: boolean
  readonly choose: Choose
}

/** The last drawn token, and the candidates that came with it. */
export interface DrawnToken extends NextTokens {
  id: number
}

/** How the last continuation ended, after how many tokens. */
export interface ContinuationEnd {
  why: GenerationEnd | 'stop'
  tokens: number
}

/** A causal model continues the bench's text: one continuation at a time. */
export class Generation {
  readonly #bench: TextBench
  readonly #slot = newSlot()
  readonly #now: () => number
  /** Whether a continuation is running. */
  writing = $state(false)
  ended: ContinuationEnd | undefined = $state.raw()
  /** Set while it writes, and until the next candidates are known. */
  drawn: DrawnToken | undefined = $state.raw()
  /** Tokens per second of the last continuation, from its second token on. */
  speed: number | undefined = $state()
  #written: WrittenTokens = $state.raw([])
  #next: Resource<'candidates'> | undefined
  /** The text that was written or read last: any other is an edit. */
  #text: string
  #continuation = 0
  #stop: AbortController | undefined

  /** Whether the loaded model can continue a text. */
  readonly able: boolean = $derived.by(() => {
    const info = this.#bench.engine.model?.fullInfo
    return info !== undefined && info.is_decoder && info.predicts_tokens
  })
  /** Whether the present text can be continued. */
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
    // As a string, which compares by its letters: other changes of the choice request nothing.
    const settings = $derived(JSON.stringify(sampling(bench.choice)))
    const predicts = $derived(bench.run?.model.fullInfo.is_decoder && bench.run.model.info.predicts_tokens)
    // Another model's tokens have other ids.
    const isOfModel = $derived(bench.run?.model.fullInfo === bench.engine.model?.fullInfo)
    const run = $derived(predicts && isOfModel ? bench.run?.id : undefined)
    // The parts of an encoder–decoder are of one model.
    const info = $derived(bench.engine.model?.fullInfo)
    $effect.root(() => {
      $effect(() => {
        const { text } = bench.choice
        untrack(() => this.#readText(text))
      })
      $effect(() => {
        // Of another model, whose tokens also take another time.
        void info
        untrack(() => {
          this.drawn = undefined
          this.speed = undefined
        })
      })
      this.#next = resource(bench.engine, 'candidates', () =>
        run === undefined || (this.writing && (this.drawn || bench.choice.beams > 0))
          ? undefined
          : { params: { run, settings: JSON.parse(settings) as Sampling } },
      )
      $effect(() => {
        if (!this.writing && bench.current && this.#next?.current) this.drawn = undefined
      })
    })
  }

  /** The next tokens, most probable first: of the present text if `canTake`, else of an earlier one. */
  get next(): NextTokens | undefined {
    return this.#next?.latest?.value
  }

  /** Whether they are of an earlier text or other settings. */
  get isNextStale(): boolean {
    return !this.drawn && this.#next?.stale === true
  }

  /** The run that they follow; while it writes, the run on show. */
  get nextRun(): number | undefined {
    return this.drawn ? this.#bench.run?.id : this.#next?.latest?.request.params.run
  }

  get canTake(): boolean {
    const { run, current } = this.#bench
    return current && this.ready && this.#next?.latest?.request.params.run === run?.id
  }

  /** The tokens that the model wrote into the present text. */
  get written(): WrittenTokens {
    return this.#written
  }

  /** The length of the text that stays when it is written anew: up to what the model wrote at its end, or the source. */
  get #prompt(): number {
    const { text } = this.#bench.choice
    if (this.#bench.reading?.pair) return splitPair(text)[0].length
    return lastStart(this.#written, text.length, 'writing') ?? text.length
  }

  /** Whether writing anew takes something away first. */
  get hasWritten(): boolean {
    return this.#prompt < this.#bench.choice.text.length
  }

  /** Whether the text can be written anew. */
  get canStart(): boolean {
    if (!this.hasWritten) return this.ready
    return this.able && !this.writing && this.#prompt > 0
  }

  /** Writes anew: what the model wrote at the end of the text, or all behind the source, goes first. */
  async start(): Promise<void> {
    if (!this.canStart) return
    const text = this.#bench.choice.text.slice(0, this.#prompt)
    // Undo takes both back at once.
    if (this.hasWritten) this.#bench.choose({ text }, `writing ${this.#continuation + 1}`)
    await this.continue()
  }

  /** Writes until the model ends the text, the text is long enough, or someone stops it. */
  async continue(): Promise<void> {
    const { engine, reading, choice } = this.#bench
    const { model } = engine
    if (!this.ready || !model || !reading) return
    const { pair } = reading
    const request = continuationOf({ model, reading }, choice)
    const stop = this.#begin()
    const writer = pair ? this.#writerAfterSource(model, pair) : writerAfter(model.tokenizer, choice.text, reading)
    this.#stop = stop
    this.writing = true
    this.speed = undefined
    engine.dismiss('writing')
    const times: number[] = []
    const onChunk = (token: GeneratedToken | SearchedToken) => {
      // The visitor may have typed since the last token, before the effect read it: nothing is written behind that.
      this.#readText(this.#bench.choice.text)
      if (stop.signal.aborted) return
      times.push(this.#now())
      this.speed = tokensPerSecond(times)
      if ('ids' in token) {
        this.#rewrite(model, token.ids)
        return
      }
      this.drawn = token
      // A token that ends the text writes nothing.
      if (token.ended !== 'end') this.#write(writer, token.id)
    }
    const reply = await model.ask('generate', request, { onChunk, signal: stop.signal, slot: this.#slot })
    this.writing = false
    if (reply.status !== 'failed')
      this.ended = { why: reply.status === 'ok' ? reply.result : 'stop', tokens: times.length }
    else if (!isOfEngine(reply.failure)) engine.trouble('writing', () => writingTrouble(reply.failure))
  }

  stop(): void {
    this.#stop?.abort()
  }

  /** Whether this token writes text by itself: an end token and a part of a character do not. */
  writable(id: number): boolean {
    return this.#bench.engine.model?.tokenizer.stream(true).push(id) !== ''
  }

  /** Writes this token at the end of the text instead of drawing one. */
  take(id: number): void {
    const { engine, reading, choice } = this.#bench
    if (!this.canTake || !engine.model || !reading) return
    const { model } = engine
    this.#begin()
    const { pair } = reading
    this.#write(pair ? this.#writerAfterSource(model, pair) : writerAfter(model.tokenizer, choice.text, reading), id)
  }

  /** The length of the text without its last token or continuation; undefined where the model did not write that. */
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
    this.#readText(this.#bench.choice.text)
    this.#continuation++
    this.ended = undefined
    return new AbortController()
  }

  /** Reads the present text. Any change but its own stops the continuation, and what it wrote stays. */
  #readText(text: string): void {
    if (text === this.#text) return
    this.#written = unchangedTokens(this.#written, difference(this.#text, text))
    this.#text = text
    this.ended = undefined
    this.stop()
  }

  /** Writes at the end of the text; of a source alone, after it. */
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

  /** Replaces the text after the source: the best one of a beam search may change completely. */
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
    // Undo takes a continuation back at once.
    this.#bench.choose({ text }, `writing ${this.#continuation}`)
  }
}
