import type { GenerationSettings } from '../engine/generation'
import type { EngineInfo, ModelInfo } from '../engine/protocol'
import type { Answer, Asks, Kind, Part } from '../engine/questions'
import { idsToContinue, writerAfter } from '../text/continuation'
import type { Reading } from '../text/reading'
import { said } from '../words/package'
import type { Engine, Held } from './engine'
import { error } from './errors'
import { InOrder } from './inOrder'
import { paintMap, type Canvas } from './paint'
import { pool, type Pooling } from './pool'
import { readTensors, type Tensor } from './safetensors'
import { Stream } from './stream'

export interface Stoppable {
  /** Stops the call at the engine's next pause; what is on the GPU ends first. */
  signal?: AbortSignal
}

/** A token that may stand in a place. */
export interface Fill {
  /** As it is read (" the"). */
  token: string
  id: number
  /** Among the whole vocabulary. */
  probability: number
}

/** A token that the model wrote. */
export interface Piece {
  /** What it adds to the text: nothing, where it is a part of a character. */
  text: string
  id: number
  /** Set with the last: the model ended the text, or it is as long as was wanted or fits. */
  ended: 'end' | 'length' | null
}

/** How a text is written on, in Hugging Face's words. */
export interface GenerateOptions extends Stoppable {
  /** 40 as unless told. */
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
}

/** What of a run is told, in the command line's words, and how its tensors are named. */
const tapNames = {
  hidden_states: /^hidden_states\.\d+$/,
  attentions: /^attentions\.\d+$/,
  query: /^layer\.\d+\.query$/,
  key: /^layer\.\d+\.key$/,
  value: /^layer\.\d+\.value$/,
  query_rotated: /^layer\.\d+\.query\.rotated$/,
  key_rotated: /^layer\.\d+\.key\.rotated$/,
  written: /^layer\.\d+\.written$/,
} as const
export type Tap = keyof typeof tapNames

/** A text as the model reads it: one entry a token. */
export interface Tokens {
  ids: Uint32Array
  /** As people read them. */
  tokens: string[]
}

export type Ran<T extends Tap> = Tokens & {
  /** What the model gives: "logits" or "last_hidden_state". */
  outputs: Record<string, Tensor>
} & { [K in T]: Record<string, Tensor> }

/** A model in an engine of its own. Calls run one after the other, in the order in which they were made. */
export class Model {
  readonly #engine: Engine
  readonly #turns = new InOrder()
  #info: ModelInfo
  /** The last text that ran, to be shown. */
  #last: Reading | undefined
  #over: Error | undefined

  /** Made by `load`. */
  constructor(engine: Engine, held: Held) {
    this.#engine = engine
    this.#info = held.info
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
  async tokenize(text: string): Promise<Tokens> {
    const { ids, shown } = (await this.#engine.held).tokenizer.encode(text)
    return { ids, tokens: shown }
  }

  /** The likeliest tokens for each mask token of a text, best first; `topK` 5 as unless told. @throws {RopescopeError} */
  async fillMask(text: string, { topK = 5, signal }: { topK?: number } & Stoppable = {}): Promise<Fill[][]> {
    return this.#inTurn(signal, async (held) => {
      const { tokenizer, info } = held
      const { maskId, maskToken } = tokenizer
      if (maskId === undefined || maskToken === undefined || !info.predicts_tokens) {
        throw error('no-mask', said.noMask(info.name))
      }
      const reading = this.#read(held, text)
      const rows = Uint32Array.from([...reading.ids.keys()].filter((at) => reading.ids[at] === maskId))
      if (rows.length === 0) throw error('no-mask', said.noMaskInText(maskToken))
      const { topIds, topProbabilities } = await this.#run(reading, rows, topK, signal)
      const fills = Array.from(topIds, (id, at): Fill => {
        return { token: tokenizer.display(id), id, probability: topProbabilities[at] ?? 0 }
      })
      const each = fills.length / rows.length
      return Array.from(rows, (_, row) => fills.slice(row * each, (row + 1) * each))
    })
  }

  /** Writes on, token by token, until the model ends the text, it is long enough, or nobody reads on. @throws {RopescopeError} */
  async *generate(text: string, { signal, ...wanted }: GenerateOptions = {}): AsyncGenerator<Piece, void, void> {
    const end = await this.#turns.turn(signal)
    const leave = new AbortController()
    const either = signal ? AbortSignal.any([signal, leave.signal]) : leave.signal
    try {
      const held = await this.#open()
      const { tokenizer, info } = held
      if (!info.is_decoder || !info.predicts_tokens) throw error('writes-nothing', said.writesNothing(info.name))
      const reading = this.#read(held, text)
      const ids = idsToContinue(reading)
      if (ids.length === 0) throw error('no-text', said.noText)
      const writer = writerAfter(tokenizer, text, reading)
      const settings = settingsOf(wanted, info)
      const pieces = new Stream<Piece>()
      const asks = ({ version }: Held) => ({ model: version, ids, settings })
      this.#engine
        .ask('generate', asks, either, (token) => {
          // Beams are searched after a source only.
          if (!('id' in token)) return
          const { id, ended } = token
          // A token that ends the text stands for none.
          pieces.push({ text: ended === 'end' ? '' : writer.push(id), id, ended })
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
   * Runs a text. `taps`: what is told of its inside, each as tensors by the command line's names ("attentions.0": (1, heads, length, length)),
   * up to 128 MiB. @throws {RopescopeError}
   */
  async run<T extends Tap = never>(text: string, { taps: wanted, signal }: { taps?: readonly T[] } & Stoppable = {}) {
    return this.#inTurn(signal, async (held): Promise<Ran<T>> => {
      for (const tap of wanted ?? []) {
        if (!(tap in tapNames)) throw error('no-tap', said.noSuchTap(String(tap), Object.keys(tapNames).join(', ')))
      }
      const reading = this.#read(held, text)
      const tensors = await this.#tensors(reading, signal)
      this.#last = reading
      const named = (tap: Tap) => Object.entries(tensors).filter(([name]) => tapNames[tap].test(name))
      const told = (wanted ?? []).map((tap) => [tap, Object.fromEntries(named(tap))])
      const outputs = Object.entries(tensors).filter(([name]) => !name.includes('.'))
      const { ids, shown: tokens } = reading
      return { ids, tokens, outputs: Object.fromEntries(outputs), ...Object.fromEntries(told) } as Ran<T>
    })
  }

  /** One vector for a text, (hidden_size), of its last hidden states, special tokens included. Not normalised. @throws {RopescopeError} */
  async embed(
    text: string,
    { pooling = 'mean', signal }: { pooling?: Pooling } & Stoppable = {},
  ): Promise<Float32Array> {
    return this.#inTurn(signal, async (held) => {
      const tensors = await this.#tensors(this.#read(held, text), signal)
      const states = tensors[`hidden_states.${held.info.num_hidden_layers}`] ?? tensors['last_hidden_state']
      if (!states) throw error('no-states', said.noRowsToPool)
      return pool(states, pooling)
    })
  }

  /**
   * Draws a head's map of the last text that `run` was given, queries down, keys across, on the whole canvas: the darker, the more weight.
   * @throws {RopescopeError}
   */
  async paint(canvas: Canvas, { layer, head, signal }: { layer: number; head: number } & Stoppable): Promise<void> {
    return this.#inTurn(signal, async ({ info }) => {
      const { num_hidden_layers: layers, num_attention_heads: heads, is_decoder: causal } = info
      const within = (at: number, count: number) => Number.isInteger(at) && at >= 0 && at < count
      if (!within(layer, layers) || !within(head, heads)) {
        throw error('no-head', said.noSuchHead(layer, head, layers, heads))
      }
      if (!this.#last) throw error('no-run', said.noRun)
      const { attention, length } = await this.#run(this.#last, new Uint32Array(), 1, signal, { layer, head })
      const weights = { values: attention, length, causal, linear: info.attention !== 'softmax' }
      await paintMap(canvas, weights, (stops) => this.#engine.ask('palette', () => ({ stops }), signal))
    })
  }

  /**
   * What else the engine answers, as `Questions` lists it; `asks` is made of the number by which the engine knows the model.
   * @throws {RopescopeError}
   */
  async ask<K extends Kind>(
    kind: K,
    asks: (model: number) => Asks<K>,
    { signal, part }: Stoppable & { part?: (part: Part<K>) => void } = {},
  ): Promise<Answer<K>> {
    return this.#inTurn(signal, () => this.#engine.ask(kind, ({ version }) => asks(version), signal, part))
  }

  /** Ends the engine and gives all memory back. Calls that wait or come later are refused. */
  async dispose(): Promise<void> {
    this.#over ??= error('disposed', said.disposed)
    this.#engine.end(this.#over)
  }

  #inTurn<T>(signal: AbortSignal | undefined, work: (held: Held) => Promise<T>): Promise<T> {
    return this.#turns.run(async () => work(await this.#open()), signal)
  }

  async #open(): Promise<Held> {
    if (this.#over) throw this.#over
    const held = await this.#engine.held
    this.#info = held.info
    return held
  }

  #read({ tokenizer, info }: Held, text: string): Reading {
    if (info.encoder) throw error('reads-source', said.readsSource(info.name))
    const reading = tokenizer.encode(text)
    if (reading.ids.length === 0) throw error('no-text', said.noText)
    return reading
  }

  #run(
    { ids }: Reading,
    rows: Uint32Array,
    topK: number,
    signal: AbortSignal | undefined,
    { layer, head } = { layer: 0, head: 0 },
  ): Promise<Answer<'run'>> {
    const request = { ids, rows, topK, layer, head, positionOffset: 0 }
    return this.#engine.ask('run', ({ version }) => ({ model: version, request }), signal)
  }

  async #tensors({ ids }: Reading, signal: AbortSignal | undefined): Promise<Record<string, Tensor>> {
    return readTensors(
      await this.#engine.ask('file', ({ version }) => ({ model: version, ids, positionOffset: 0 }), signal),
    )
  }
}

function settingsOf(wanted: Omit<GenerateOptions, 'signal'>, info: ModelInfo): GenerationSettings {
  return {
    maxNewTokens: wanted.maxNewTokens ?? 40,
    temperature: wanted.temperature ?? 0,
    topK: wanted.topK ?? 64,
    topP: wanted.topP ?? 1,
    minP: wanted.minP ?? 0,
    repetitionPenalty: wanted.repetitionPenalty ?? 1,
    seed: wanted.seed ?? 0,
    stopIds: info.eos_token_ids,
    beyondLength: false,
  }
}
