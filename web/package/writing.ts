// How a text is written on: the developer's options as the engine's settings, and its tokens as pieces of text.
import type { GeneratedToken, GenerationSettings, SearchedToken } from '../engine/protocol/generation'
import type { ModelInfo } from '../engine/protocol/protocol'
import type { HeldModel } from '../session/heldModel'
import { afterSource } from '../session/writing'
import { idsToContinue, writerAfter, type Writer } from '../text/continuation'
import type { Reading } from '../text/reading'

export interface Stoppable {
  /** Stops the call at the engine's next pause; what is on the GPU ends first. */
  signal?: AbortSignal
}

/** A token that the model wrote. */
export interface Piece {
  /** What it adds to the text: nothing, where it is a part of a character. */
  text: string
  id: number
  /** Set with the last: the model ended the text, or it is as long as was wanted or fits. */
  ended: 'end' | 'length' | null
}

/** How a text is written on, in Hugging Face's words. What an encoder–decoder's generation_config.json says besides is kept to. */
export interface GenerateOptions extends Stoppable {
  /** As unless told 40, or as many as an encoder–decoder's generation_config.json says. */
  maxNewTokens?: number
  /** Divides the logits; 0, as unless told: always the likeliest token. */
  temperature?: number
  /** At most 64, as unless told. */
  topK?: number
  topP?: number
  minP?: number
  repetitionPenalty?: number
  /** The same seed draws the same text; 0 as unless told. */
  seed?: number
  /**
   * Of an encoder–decoder, at most 8: as many as its generation_config.json says unless told, one where a temperature is given. Above 1 the best
   * text is searched, nothing is drawn, and its pieces come when it is found.
   */
  numBeams?: number
}

/** A continuation under way: what is asked for, and its tokens as they become pieces. */
export class Continuation {
  readonly asks: { ids: Uint32Array; settings: GenerationSettings }
  readonly #writer: Writer
  readonly #push: (piece: Piece) => void
  /** Tokens given on; and of this try those that came. */
  #given = 0
  #come = 0

  constructor(
    { tokenizer, whole }: HeldModel,
    text: string,
    reading: Reading,
    wanted: Omit<GenerateOptions, 'signal'>,
    push: (piece: Piece) => void,
  ) {
    const { pair } = reading
    this.asks = { ids: pair?.text ?? idsToContinue(reading), settings: settingsOf(wanted, whole, reading) }
    this.#writer = pair ? tokenizer.stream(pair.text.length > 1) : writerAfter(tokenizer, text, reading)
    this.#push = push
  }

  /** The engine was lost, or begins: it writes the same once more, of which nothing is given on twice. */
  begin(): void {
    this.#come = 0
  }

  take(token: GeneratedToken | SearchedToken): void {
    const { ended } = token
    if ('id' in token) {
      this.#give(token.id, ended)
    } else if (ended) {
      const written = token.ids.slice(this.asks.ids.length)
      written.forEach((id, at) => this.#give(id, at === written.length - 1 ? ended : null))
    }
  }

  #give(id: number, ended: Piece['ended']): void {
    if (this.#come++ < this.#given) return
    this.#given++
    // A token that ends the text stands for none.
    this.#push({ text: ended === 'end' ? '' : this.#writer.push(id), id, ended })
  }
}

function settingsOf(
  wanted: Omit<GenerateOptions, 'signal'>,
  { eos_token_ids: stopIds, writing }: ModelInfo,
  { pair }: Reading,
): GenerationSettings {
  const { temperature = 0, numBeams } = wanted
  const maxNewTokens = wanted.maxNewTokens ?? (pair && writing?.maxLength) ?? 40
  const settings = {
    maxNewTokens,
    temperature,
    topK: wanted.topK ?? 64,
    topP: wanted.topP ?? 1,
    minP: wanted.minP ?? 0,
    repetitionPenalty: wanted.repetitionPenalty ?? 1,
    seed: wanted.seed ?? 0,
    stopIds,
    beyondLength: false,
  }
  if (!pair || !writing) return settings
  const beams = numBeams ?? (temperature > 0 ? 1 : 0)
  return { ...settings, ...afterSource(pair, writing, { beams, temperature, maxNewTokens }) }
}
