// Texts as a developer writes them, and as a model reads them; generation: the developer's options as the engine's settings, and the tokens
// as pieces of text.
import {
  afterSource,
  type GeneratedToken,
  type GenerationSettings,
  type SearchedToken,
} from '../engine/protocol/generation'
import type { ModelInfo } from '../engine/protocol/protocol'
import type { EngineModel } from '../session/engineModel'
import { idsToContinue, writerAfter, type Writer } from '../text/continuation'
import { type Reading, joinPair } from '../text/reading'
import type { PartName } from '../engine/protocol/parts'
import { readWithin } from '../session/reading'
import { messages } from './messages.en'
import { error } from './errors'

export interface Stoppable {
  /** Stops the call at the engine's next pause. Work that a GPU has begun ends first. */
  signal?: AbortSignal
}

/** A token that the model wrote. */
export interface Piece {
  /** The text that it adds; empty where the token is a part of a character. */
  text: string
  id: number
  /** Set with the last piece: the model ended the text ('end'), or the text reached its greatest length ('length'). */
  ended: 'end' | 'length' | null
}

/**
 * Options in Hugging Face's words. An encoder–decoder also follows its generation_config.json (forced tokens, bad words, length penalty).
 */
export interface GenerateOptions extends Stoppable {
  /** At least 1. By default 40; of an encoder–decoder, generation_config.json's length. */
  maxNewTokens?: number
  /** Divides the logits. 0, the default, always takes the likeliest token. */
  temperature?: number
  /** Only the k likeliest tokens, and those that are as likely as the last of them; a whole number. By default 0: all. */
  topK?: number
  /** Of those, the likeliest that together have this probability. By default 1: all. */
  topP?: number
  /** Of those, the ones with at least this share of the likeliest one's probability. By default 0: all. */
  minP?: number
  /** Reduces the logits of tokens that occur in the text. By default 1: no change. */
  repetitionPenalty?: number
  /** The same seed draws the same text; a whole number from 0 on. By default 0. */
  seed?: number
  /**
   * Of an encoder–decoder, at most 8. By default generation_config.json's number, or 1 where a temperature is set. Above 1 the model searches
   * the best text, draws nothing, and all pieces come at the end.
   */
  numBeams?: number
}

/** One generation: its request, and its tokens as pieces. */
export class Continuation {
  readonly request: { ids: Uint32Array; settings: GenerationSettings }
  readonly #writer: Writer
  readonly #push: (piece: Piece) => void
  /** Pieces that were pushed, and tokens that came in the current attempt. */
  #pushed = 0
  #received = 0

  constructor(
    { tokenizer, fullInfo }: EngineModel,
    text: string,
    reading: Reading,
    options: Omit<GenerateOptions, 'signal'>,
    push: (piece: Piece) => void,
  ) {
    const { pair } = reading
    this.request = { ids: pair?.text ?? idsToContinue(reading), settings: settingsOf(options, fullInfo, reading) }
    this.#writer = pair ? tokenizer.stream(pair.text.length > 1) : writerAfter(tokenizer, text, reading)
    this.#push = push
  }

  /** Starts an attempt. After a crash the engine writes the same tokens again, and none is pushed twice. */
  begin(): void {
    this.#received = 0
  }

  receive(token: GeneratedToken | SearchedToken): void {
    const { ended } = token
    if ('id' in token) {
      this.#receiveId(token.id, ended)
    } else if (ended) {
      const written = token.ids.slice(this.request.ids.length)
      written.forEach((id, at) => this.#receiveId(id, at === written.length - 1 ? ended : null))
    }
  }

  #receiveId(id: number, ended: Piece['ended']): void {
    if (this.#received++ < this.#pushed) return
    this.#pushed++
    // The end token stands for no text.
    this.#push({ text: ended === 'end' ? '' : this.#writer.push(id), id, ended })
  }
}

function settingsOf(
  options: Omit<GenerateOptions, 'signal'>,
  { eos_token_ids: stopIds, writing }: ModelInfo,
  { pair }: Reading,
): GenerationSettings {
  const { temperature = 0, numBeams } = options
  const maxNewTokens = options.maxNewTokens ?? (pair && writing?.maxLength) ?? 40
  const settings = {
    maxNewTokens,
    temperature,
    topK: options.topK ?? 0,
    topP: options.topP ?? 1,
    minP: options.minP ?? 0,
    repetitionPenalty: options.repetitionPenalty ?? 1,
    seed: options.seed ?? 0,
    candidates: 0,
    stopIds,
    beyondLength: false,
  }
  if (!pair || !writing) return settings
  const beams = numBeams ?? (temperature > 0 ? 1 : 0)
  return { ...settings, ...afterSource(pair, writing, { beams, temperature, maxNewTokens }) }
}

/** A queue of items for one reader, until it is ended or fails. */
export class Stream<T> implements AsyncIterable<T> {
  readonly #items: T[] = []
  #ended: { failed: boolean; reason?: unknown } | undefined
  #wake: () => void = () => {}

  push(item: T): void {
    this.#items.push(item)
    this.#wake()
  }

  end(): void {
    this.#ended ??= { failed: false }
    this.#wake()
  }

  fail(reason: unknown): void {
    this.#ended ??= { failed: true, reason }
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for (;;) {
      while (this.#items.length > 0) yield this.#items.shift() as T
      if (this.#ended?.failed) throw this.#ended.reason
      if (this.#ended) return
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

/** Runs calls one after the other, in the order in which they came. A call that is aborted before its turn does not start. */
export class CallQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const result = this.#last.then(() => {
      signal?.throwIfAborted()
      return work()
    })
    this.#last = result.catch(() => {})
    return result
  }

  /** Waits for a turn. It lasts until the function that this returns is called. */
  async turn(signal?: AbortSignal): Promise<() => void> {
    let end = () => {}
    const ended = new Promise<void>((resolve) => (end = resolve))
    await new Promise<void>((resolve, reject) => {
      this.run(() => {
        resolve()
        return ended
      }, signal).catch(reject)
    })
    return end
  }
}

/** An encoder–decoder takes a source and a text, which is optional. A string is its source, or a source, a tab and a text. */
export type Text = string | { source: string; text?: string }

/** A text's tokens, with their strings. */
export interface Tokens {
  ids: Uint32Array
  tokens: string[]
}

/** Of an encoder–decoder: the text, which begins with the start token, and its source. */
export type TextTokens = Tokens & { source?: Tokens }

/** @param part of an encoder–decoder, whose tokens are read. @throws {RopescopeError} */
export function read(model: EngineModel, text: Text, part: PartName = 'decoder'): Reading {
  const { fullInfo: info } = model
  if (typeof text !== 'string' && !info.encoder) throw error('no-source', messages.noSource(info.name))
  const joined = typeof text === 'string' ? text : joinPair(text.source, text.text ?? '')
  const reading = readWithin(model, joined, Infinity, part)
  if ((reading.pair?.source ?? reading.ids).length === 0) throw error('no-text', messages.noText)
  return reading
}

/** The tokens of a text, and of its source. */
export function tokensOf(model: EngineModel, text: Text): TextTokens {
  const tokens = ({ ids, display }: Reading): Tokens => ({ ids, tokens: display })
  const reading = read(model, text)
  return reading.pair ? { ...tokens(reading), source: tokens(read(model, text, 'encoder')) } : tokens(reading)
}
