import { infoOfPart, sourceOf, type Pair, type PartName } from '../engine/protocol/parts'
import type { EngineInfo, ModelInfo } from '../engine/protocol/protocol'
import type { Result, ParamsOfModel, RequestKind, Chunk } from '../engine/protocol/requests'
import { site, type LayerTap } from '../engine/protocol/site'
import type { EngineModel } from '../session/engineModel'
import { tokenRun } from '../session/reading'
import type { Reading } from '../text/reading'
import { messages } from './messages.en'
import type { Engine } from './engine'
import { error } from './errors'
import { checkTaps, pool, readTensors, tensorsByTap, type Pooling, type Tensor, type TensorsByTap } from './tensors'
import {
  Continuation,
  Stream,
  type GenerateOptions,
  type Piece,
  type Stoppable,
  CallQueue,
  read,
  tokensOf,
  type Text,
  type TextTokens,
} from './generate'
import { ramp } from '../charts/colour'
import { bytes, card, diverging, sequential } from '../styles/colours'
import { extentOf, headMap } from '../charts/attention-map/model'
import { paint, scaleOf } from '../charts/attention-map/paint'

/** A candidate for a mask token. */
export interface Fill {
  /** Its text (" the"). */
  token: string
  id: number
  /** Softmax over the whole vocabulary. */
  probability: number
}

/** A head, counted from 0. */
export interface HeadPlace {
  layer: number
  head: number
  /** Of an encoder–decoder. By default `cross`, the attention to the source. */
  part?: PartName
}

/** A head's attention weights. */
export interface Attention {
  /** The text of each token. Of cross-attention: the source's tokens, then the text's. */
  tokens: string[]
  /** (length, length): a row a query, a column a key. */
  weights: Tensor
  /** Whether a query sees no later key. */
  causal: boolean
  /** Of cross-attention: how many tokens are the source's. They are the keys, and the others are the queries. */
  source?: number
}

/** What a run returns: tokens, outputs, and the tensors of each tap. */
export type Output<T extends LayerTap> = TextTokens & {
  /** "logits" or "last_hidden_state". */
  outputs: Record<string, Tensor>
} & TensorsByTap<T>

type Tokens = Pick<Reading, 'ids' | 'pair'>

interface RunParams {
  rows?: Uint32Array
  topK?: number
  layer?: number
  head?: number
}

/** A model with an engine of its own. Calls run one after the other. */
export class Model {
  readonly #engine: Engine
  readonly #calls = new CallQueue()
  #info: ModelInfo
  /** The last text that `run` or `attention` read, for `paint`. */
  #lastText: Text | undefined
  /** Why all later calls fail. */
  #disposed: Error | undefined

  /** `load` creates models. */
  constructor(engine: Engine, model: EngineModel) {
    this.#engine = engine
    this.#info = model.fullInfo
  }

  /** Architecture and sizes, named as in config.json. */
  get info(): ModelInfo {
    return this.#info
  }

  /** The backend, why it was chosen, and the adapter; undefined while the engine starts again. */
  get engine(): EngineInfo | undefined {
    return this.#engine.info
  }

  /** The tokens of a text. */
  async tokenize(text: Text): Promise<TextTokens> {
    return tokensOf(await this.#engine.model, text)
  }

  /**
   * The likeliest tokens for each mask token of a text, best first; `topK` is 5 by default. An encoder–decoder (BART) reads the text as its
   * source and predicts the source. @throws {RopescopeError}
   */
  async fillMask(text: string, { topK = 5, signal }: { topK?: number } & Stoppable = {}): Promise<Fill[][]> {
    return this.#inTurn(signal, async (model) => {
      const { tokenizer, fullInfo: info } = model
      const { maskId, maskToken } = tokenizer
      if (maskId === undefined || maskToken === undefined || !info.predicts_tokens) {
        throw error('no-mask', messages.noMask(info.name))
      }
      const { ids, pair } = read(model, text, 'encoder')
      const rows = Uint32Array.from([...ids.keys()].filter((at) => ids[at] === maskId))
      if (rows.length === 0) throw error('no-mask', messages.noMaskInText(maskToken))
      const tokens = pair ? copyOfSource(pair) : { ids }
      const { topIds, topProbabilities } = await this.#run(tokens, { rows, topK }, signal)
      const fills = Array.from(topIds, (id, at): Fill => {
        return { token: tokenizer.display(id), id, probability: topProbabilities[at] ?? 0 }
      })
      const each = fills.length / rows.length
      return Array.from(rows, (_, row) => fills.slice(row * each, (row + 1) * each))
    })
  }

  /**
   * Generates tokens until the model ends the text, the text has its greatest length, or the caller stops reading. An encoder–decoder
   * writes after its source.
   * @throws {RopescopeError}
   */
  async *generate(text: Text, { signal, ...options }: GenerateOptions = {}): AsyncGenerator<Piece, void, void> {
    const endTurn = await this.#calls.turn(signal)
    const reader = new AbortController()
    const either = signal ? AbortSignal.any([signal, reader.signal]) : reader.signal
    try {
      const model = await this.#open()
      const { is_decoder: writes, predicts_tokens: predicts, encoder, name } = model.fullInfo
      if (!writes || !predicts) throw error('writes-nothing', messages.writesNothing(name))
      if (options.numBeams !== undefined && !encoder) throw error('no-beams', messages.noBeams(name))
      const pieces = new Stream<Piece>()
      const push = (piece: Piece) => pieces.push(piece)
      const continuation = new Continuation(
        model,
        typeof text === 'string' ? text : '',
        read(model, text),
        options,
        push,
      )
      if (continuation.request.ids.length === 0) throw error('no-text', messages.noText)
      this.#engine
        .ask('generate', continuation.request, either, {
          begin: () => continuation.begin(),
          onChunk: (token) => continuation.receive(token),
        })
        .then(
          () => pieces.end(),
          (reason: unknown) => pieces.fail(reason),
        )
      yield* pieces
    } finally {
      reader.abort()
      endTurn()
    }
  }

  /**
   * Runs a text. `taps` name tensors inside the model that the result contains, up to 128 MiB, under the command line's names
   * ("attentions.0": (1, heads, length, length); of an encoder–decoder "encoder_attentions.0", "decoder_attentions.0", "cross_attentions.0").
   * @throws {RopescopeError}
   */
  async run<T extends LayerTap = never>(text: Text, { taps = [], signal }: { taps?: readonly T[] } & Stoppable = {}) {
    return this.#inTurn(signal, async (model): Promise<Output<T>> => {
      checkTaps(taps)
      const tokens = tokensOf(model, text)
      const tensors = await this.#tensors(model, text, signal)
      this.#lastText = text
      const outputs = Object.entries(tensors).filter(([name]) => !name.includes('.'))
      return { ...tokens, outputs: Object.fromEntries(outputs), ...tensorsByTap(tensors, taps) }
    })
  }

  /**
   * One vector (hidden_size) for a text: its last hidden states, pooled over all tokens, also special ones. Of an encoder–decoder, those of
   * the source. Not normalised. @throws {RopescopeError}
   */
  async embed(text: Text, { pooling = 'mean', signal }: { pooling?: Pooling } & Stoppable = {}): Promise<Float32Array> {
    return this.#inTurn(signal, async (model) => {
      const { num_hidden_layers: layers, encoder } = model.fullInfo
      const tensors = await this.#tensors(model, text, signal)
      const last = encoder
        ? `encoder_${site('hidden_states.N', encoder.num_hidden_layers)}`
        : site('hidden_states.N', layers)
      const states = tensors[last] ?? tensors['last_hidden_state']
      if (!states) throw error('no-states', messages.noRowsToPool)
      return pool(states, pooling)
    })
  }

  /** A head's attention weights in a text. @throws {RopescopeError} */
  async attention(text: Text, { signal, ...place }: HeadPlace & Stoppable): Promise<Attention> {
    return this.#inTurn(signal, async (model) => {
      const attention = await this.#attention(model, text, place, signal)
      this.#lastText = text
      return attention
    })
  }

  /**
   * Fills a canvas with a head's attention map of the last text of `run` or `attention`. Queries run down, keys across; a darker cell is a
   * greater weight. @throws {RopescopeError}
   */
  async paint(canvas: Canvas, { signal, ...place }: HeadPlace & Stoppable): Promise<void> {
    return this.#inTurn(signal, async (model) => {
      const text = this.#lastText
      if (text === undefined) throw error('no-run', messages.noRun)
      const { weights, causal, source, tokens } = await this.#attention(model, text, place, signal)
      const linear = model.fullInfo.attention !== 'softmax'
      const map = { values: weights.data, length: tokens.length, causal, source, linear }
      await paintMap(canvas, map, (stops) => this.#engine.ask('palette', { stops }, signal))
    })
  }

  /** Sends any other request that `Questions` lists; the model’s id is filled in. @throws {RopescopeError} */
  async ask<K extends RequestKind>(
    kind: K,
    params: ParamsOfModel<K>,
    { signal, part }: Stoppable & { part?: (part: Chunk<K>) => void } = {},
  ): Promise<Result<K>> {
    return this.#inTurn(signal, () => this.#engine.ask(kind, params, signal, part ? { onChunk: part } : {}))
  }

  /** Ends the engine and frees its memory. Calls that wait or come later fail. */
  async dispose(): Promise<void> {
    this.#disposed ??= error('disposed', messages.disposed)
    this.#engine.end(this.#disposed)
  }

  #inTurn<T>(signal: AbortSignal | undefined, work: (model: EngineModel) => Promise<T>): Promise<T> {
    return this.#calls.run(async () => work(await this.#open()), signal)
  }

  async #open(): Promise<EngineModel> {
    if (this.#disposed) throw this.#disposed
    const model = await this.#engine.model
    this.#info = model.fullInfo
    return model
  }

  async #attention(
    model: EngineModel,
    text: Text,
    { layer, head, part = 'cross' }: HeadPlace,
    signal: AbortSignal | undefined,
  ): Promise<Attention> {
    const {
      num_hidden_layers: layers,
      num_attention_heads: heads,
      is_decoder: causal,
    } = infoOfPart(model.fullInfo, part)
    const within = (at: number, count: number) => Number.isInteger(at) && at >= 0 && at < count
    if (!within(layer, layers) || !within(head, heads))
      throw error('no-head', messages.noSuchHead(layer, head, layers, heads))
    const reading = read(model, text, part)
    const { attention: data, length } = await this.#run(reading, { layer, head }, signal)
    const source = sourceOf(reading.pair)
    const weights = { data, shape: [length, length] }
    return { tokens: reading.display, weights, causal, ...(source === undefined ? {} : { source }) }
  }

  #run(
    tokens: Tokens,
    { rows = new Uint32Array(), topK = 1, layer = 0, head = 0 }: RunParams,
    signal: AbortSignal | undefined,
  ): Promise<Result<'run'>> {
    return this.#engine.ask('run', { request: { ...tokenRun(tokens), rows, topK, layer, head } }, signal)
  }

  async #tensors(model: EngineModel, text: Text, signal: AbortSignal | undefined): Promise<Record<string, Tensor>> {
    return readTensors(await this.#engine.ask('file', tokenRun(read(model, text)), signal))
  }
}

/** The source as the decoder's text too, shifted right behind the start token: a denoising model then predicts each token of its source. */
function copyOfSource({ source, text }: Pair): Tokens {
  const ids = Uint32Array.of(...text.subarray(0, 1), ...source.subarray(0, -1))
  return { ids, pair: { source, text: ids, part: 'decoder' } }
}

type Canvas = HTMLCanvasElement | OffscreenCanvas

interface Weights {
  /** (length, length) */
  values: Float32Array
  length: number
  causal: boolean
  /** Of cross-attention: the tokens of the source, which come first. */
  source: number | undefined
  /** Weights of linear attention are signed. */
  linear: boolean
}

/** Fills the canvas: each weight is a rectangle with sharp edges. `paletteOf` computes 256 sRGB colours from stops. */
async function paintMap(
  canvas: Canvas,
  { values, length, causal, source, linear }: Weights,
  paletteOf: (stops: Uint8Array) => Promise<Uint8Array>,
): Promise<void> {
  const context = canvas.getContext('2d') as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null
  if (!context) throw error('no-context', messages.noContext)
  const map = headMap({ values, names: Array<string>(length).fill(''), causal, source })
  const palette = linear ? ramp(diverging.light) : await paletteOf(bytes(sequential.light))
  const scale = scaleOf(map, 'weight', 'root', linear)
  const part = { query: 0, key: 0, ...extentOf(map) }
  const { image, columns, rows } = paint({ map, part, most: length, scale, palette })
  const cells = await createImageBitmap(new ImageData(image, columns, rows))
  context.fillStyle = card.light
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingEnabled = false
  context.drawImage(cells, 0, 0, canvas.width, canvas.height)
  cells.close()
}
