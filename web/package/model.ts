import { infoOfPart, type Pair, type PartName } from '../engine/protocol/parts'
import type { EngineInfo, ModelInfo } from '../engine/protocol/protocol'
import type { Result, ParamsOfModel, Kind, Chunk } from '../engine/protocol/requests'
import { site, type LayerTap } from '../engine/protocol/site'
import type { HeldModel } from '../session/heldModel'
import { pairOf } from '../text/pair'
import { said } from '../i18n/package'
import type { Engine } from './engine'
import { error } from './errors'
import { InOrder } from './inOrder'
import { paintMap, type Canvas } from './paint'
import { pool, type Pooling } from './pool'
import { readTensors, type Tensor } from './safetensors'
import { Stream } from './stream'
import { checkTaps, tapped, type Tapped } from './taps'
import { read, tokensOf, type Text, type TextTokens } from './text'
import { Continuation, type GenerateOptions, type Piece, type Stoppable } from './writing'

/** A token that may stand in a place. */
export interface Fill {
  /** As it is read (" the"). */
  token: string
  id: number
  /** Among the whole vocabulary. */
  probability: number
}

/** A head, counted from 0. */
export interface HeadPlace {
  layer: number
  head: number
  /** Of an encoder–decoder whose: of the attention to the source, as unless told. */
  part?: PartName
}

/** Whom a head looks at. */
export interface Attention {
  /** As people read them: of attention to a source its tokens, and then the text's. */
  tokens: string[]
  /** (length, length): queries down, keys across. */
  weights: Tensor
  /** Whether no query sees a key behind it. */
  causal: boolean
}

export type Ran<T extends LayerTap> = TextTokens & {
  /** What the model gives: "logits" or "last_hidden_state". */
  outputs: Record<string, Tensor>
} & Tapped<T>

interface Wanted {
  ids: Uint32Array
  pair?: Pair
  rows?: Uint32Array
  topK?: number
  layer?: number
  head?: number
}

/** A model in an engine of its own. Calls run one after the other, in the order in which they were made. */
export class Model {
  readonly #engine: Engine
  readonly #turns = new InOrder()
  #info: ModelInfo
  /** The last text that ran, to be shown. */
  #last: Text | undefined
  #over: Error | undefined

  /** Made by `load`. */
  constructor(engine: Engine, held: HeldModel) {
    this.#engine = engine
    this.#info = held.whole
  }

  /** Architecture and sizes, in the words of its config.json. */
  get info(): ModelInfo {
    return this.#info
  }

  /** What runs it: backend, why that one, and the adapter; undefined while an engine starts again. */
  get engine(): EngineInfo | undefined {
    return this.#engine.info
  }

  /** The text as the model reads it. */
  async tokenize(text: Text): Promise<TextTokens> {
    return tokensOf(await this.#engine.held, text)
  }

  /**
   * The likeliest tokens for each mask token of a text, best first; `topK` 5 as unless told. An encoder–decoder (BART) reads the text as its
   * source, and writes the same. @throws {RopescopeError}
   */
  async fillMask(text: string, { topK = 5, signal }: { topK?: number } & Stoppable = {}): Promise<Fill[][]> {
    return this.#inTurn(signal, async (held) => {
      const { tokenizer, whole } = held
      const { maskId, maskToken } = tokenizer
      if (maskId === undefined || maskToken === undefined || !whole.predicts_tokens) {
        throw error('no-mask', said.noMask(whole.name))
      }
      const { ids, pair } = read(held, text, 'encoder')
      const rows = Uint32Array.from([...ids.keys()].filter((at) => ids[at] === maskId))
      if (rows.length === 0) throw error('no-mask', said.noMaskInText(maskToken))
      const { topIds, topProbabilities } = await this.#run(
        { ...(pair ? writtenAgain(pair) : { ids }), rows, topK },
        signal,
      )
      const fills = Array.from(topIds, (id, at): Fill => {
        return { token: tokenizer.display(id), id, probability: topProbabilities[at] ?? 0 }
      })
      const each = fills.length / rows.length
      return Array.from(rows, (_, row) => fills.slice(row * each, (row + 1) * each))
    })
  }

  /**
   * Writes on, token by token, until the model ends the text, it is long enough, or nobody reads on. An encoder–decoder writes after its source.
   * @throws {RopescopeError}
   */
  async *generate(text: Text, { signal, ...wanted }: GenerateOptions = {}): AsyncGenerator<Piece, void, void> {
    const end = await this.#turns.turn(signal)
    const leave = new AbortController()
    const either = signal ? AbortSignal.any([signal, leave.signal]) : leave.signal
    try {
      const held = await this.#open()
      const { is_decoder: writes, predicts_tokens: predicts, encoder, name } = held.whole
      if (!writes || !predicts) throw error('writes-nothing', said.writesNothing(name))
      if (wanted.numBeams !== undefined && !encoder) throw error('no-beams', said.noBeams(name))
      const pieces = new Stream<Piece>()
      const push = (piece: Piece) => pieces.push(piece)
      const continuation = new Continuation(held, typeof text === 'string' ? text : '', read(held, text), wanted, push)
      if (continuation.asks.ids.length === 0) throw error('no-text', said.noText)
      this.#engine
        .ask('generate', continuation.asks, either, {
          begin: () => continuation.begin(),
          onChunk: (token) => continuation.take(token),
        })
        .then(
          () => pieces.end(),
          (reason: unknown) => pieces.fail(reason),
        )
      yield* pieces
    } finally {
      leave.abort()
      end()
    }
  }

  /**
   * Runs a text. `taps`: what is told of its inside, each as tensors by the command line's names ("attentions.0": (1, heads, length, length);
   * of an encoder–decoder "encoder_attentions.0", "decoder_attentions.0", "cross_attentions.0"), up to 128 MiB. @throws {RopescopeError}
   */
  async run<T extends LayerTap = never>(
    text: Text,
    { taps: wanted = [], signal }: { taps?: readonly T[] } & Stoppable = {},
  ) {
    return this.#inTurn(signal, async (held): Promise<Ran<T>> => {
      checkTaps(wanted)
      const tokens = tokensOf(held, text)
      const tensors = await this.#tensors(held, text, signal)
      this.#last = text
      const outputs = Object.entries(tensors).filter(([name]) => !name.includes('.'))
      return { ...tokens, outputs: Object.fromEntries(outputs), ...tapped(tensors, wanted) }
    })
  }

  /**
   * One vector for a text, (hidden_size), of its last hidden states, special tokens included; of an encoder–decoder of its source's. Not
   * normalised. @throws {RopescopeError}
   */
  async embed(text: Text, { pooling = 'mean', signal }: { pooling?: Pooling } & Stoppable = {}): Promise<Float32Array> {
    return this.#inTurn(signal, async (held) => {
      const { num_hidden_layers: layers, encoder } = held.whole
      const tensors = await this.#tensors(held, text, signal)
      const last = encoder
        ? `encoder_${site('hidden_states.N', encoder.num_hidden_layers)}`
        : site('hidden_states.N', layers)
      const states = tensors[last] ?? tensors['last_hidden_state']
      if (!states) throw error('no-states', said.noRowsToPool)
      return pool(states, pooling)
    })
  }

  /** Whom a head looks at in a text. @throws {RopescopeError} */
  async attention(text: Text, { signal, ...place }: HeadPlace & Stoppable): Promise<Attention> {
    return this.#inTurn(signal, async (held) => {
      const found = await this.#attention(held, text, place, signal)
      this.#last = text
      return found
    })
  }

  /**
   * Draws a head's map of the last text that `run` or `attention` was given, queries down, keys across, on the whole canvas: the darker, the more
   * weight. @throws {RopescopeError}
   */
  async paint(canvas: Canvas, { signal, ...place }: HeadPlace & Stoppable): Promise<void> {
    return this.#inTurn(signal, async (held) => {
      const text = this.#last
      if (text === undefined) throw error('no-run', said.noRun)
      const { weights, causal, tokens } = await this.#attention(held, text, place, signal)
      const linear = held.whole.attention !== 'softmax'
      const map = { values: weights.data, length: tokens.length, causal, linear }
      await paintMap(canvas, map, (stops) => this.#engine.ask('palette', { stops }, signal))
    })
  }

  /** What else the engine answers, as `Questions` lists it; which model is meant need not be said. @throws {RopescopeError} */
  async ask<K extends Kind>(
    kind: K,
    asks: ParamsOfModel<K>,
    { signal, part }: Stoppable & { part?: (part: Chunk<K>) => void } = {},
  ): Promise<Result<K>> {
    return this.#inTurn(signal, () => this.#engine.ask(kind, asks, signal, part ? { onChunk: part } : {}))
  }

  /** Ends the engine and gives all memory back. Calls that wait or come later are refused. */
  async dispose(): Promise<void> {
    this.#over ??= error('disposed', said.disposed)
    this.#engine.end(this.#over)
  }

  #inTurn<T>(signal: AbortSignal | undefined, work: (held: HeldModel) => Promise<T>): Promise<T> {
    return this.#turns.run(async () => work(await this.#open()), signal)
  }

  async #open(): Promise<HeldModel> {
    if (this.#over) throw this.#over
    const held = await this.#engine.held
    this.#info = held.whole
    return held
  }

  async #attention(
    held: HeldModel,
    text: Text,
    { layer, head, part = 'cross' }: HeadPlace,
    signal: AbortSignal | undefined,
  ): Promise<Attention> {
    const { num_hidden_layers: layers, num_attention_heads: heads, is_decoder: causal } = infoOfPart(held.whole, part)
    const within = (at: number, count: number) => Number.isInteger(at) && at >= 0 && at < count
    if (!within(layer, layers) || !within(head, heads))
      throw error('no-head', said.noSuchHead(layer, head, layers, heads))
    const reading = read(held, text, part)
    const { attention: data, length } = await this.#run({ ids: reading.ids, ...pairOf(reading), layer, head }, signal)
    return { tokens: reading.shown, weights: { data, shape: [length, length] }, causal }
  }

  #run(
    { rows = new Uint32Array(), topK = 1, layer = 0, head = 0, ...text }: Wanted,
    signal: AbortSignal | undefined,
  ): Promise<Result<'run'>> {
    return this.#engine.ask('run', { request: { ...text, rows, topK, layer, head, positionOffset: 0 } }, signal)
  }

  async #tensors(held: HeldModel, text: Text, signal: AbortSignal | undefined): Promise<Record<string, Tensor>> {
    const reading = read(held, text)
    const asks = { ids: reading.ids, ...pairOf(reading), positionOffset: 0 }
    return readTensors(await this.#engine.ask('file', asks, signal))
  }
}

/** A source, and after it the same, a place later behind the start token: what a model that was trained to write it out gives at each place. */
function writtenAgain({ source, text }: Pair): Pick<Wanted, 'ids' | 'pair'> {
  const ids = Uint32Array.of(...text.subarray(0, 1), ...source.subarray(0, -1))
  return { ids, pair: { source, text: ids, part: 'decoder' } }
}
