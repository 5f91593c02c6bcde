import { EngineClient, type EngineEvent, type WorkerLike } from '../engine/client/client'
import { failure, isFailure, textOf } from '../engine/protocol/failure'
import { infoOfPart, type PartName } from '../engine/protocol/parts'
import type {
  BackendChoice,
  EngineInfo,
  Failure,
  GridLayout,
  GridView,
  ModelInfo,
  ModelRope,
  ModelSource,
  Simulation,
  WeightsChoice,
} from '../engine/protocol/protocol'
import {
  crashTrouble,
  engineTrouble,
  loadTrouble,
  lossTrouble,
  silentTrouble,
  type Trouble,
} from '../engine/client/words'
import { Answers } from './answers'
import { ModelOpener, type EngineModel } from './engineModel'
import { fetchJieba } from '../text/chineseWords'
import { t as text } from '../text/messages.en'
import { readDescribedHeads, type DescribedHeads } from './describedHeads'

/** A model in the engine, with its tokenizer on the page. */
export interface LoadedModel extends EngineModel {
  /** Of an encoder–decoder: the sizes of its selected part. */
  info: ModelInfo
  /** The content of the model's heads.json, or why it cannot be read; undefined where there is none. */
  describedHeads: DescribedHeads | { problem: () => string } | undefined
}

/** A model that is loading, file by file. */
export interface Loading {
  /** Of the load: another one may be in progress. */
  id: number
  source: ModelSource
  files: ReadonlyMap<string, { loaded: number; total: number }>
}

/** What went wrong, at most one of each kind. */
export type TroubleKind = 'engine' | 'silent' | 'load' | 'run' | 'writing' | 'page' | 'newer'

/** The engine as the page shows it: its model or the one that is loading, and its troubles. */
export class EngineState {
  readonly client: EngineClient
  readonly spawn: () => WorkerLike
  readonly #simulate: Simulation | undefined
  readonly #opener: ModelOpener
  readonly answers = new Answers()
  #enginesStarted = 0
  /** The selected part of an encoder–decoder. */
  #part: PartName = 'cross'
  generation = $state(0)
  info: EngineInfo | undefined = $state.raw()
  /** False where it did not start, or crashed too often. */
  alive = $state(true)
  model: LoadedModel | undefined = $state.raw()
  /** The newest model that is the visitor's own. */
  own: ModelSource | undefined = $state.raw()
  loading: Loading | undefined = $state.raw()
  /** Of the model that is loading, or of the last one; undefined until it is known. */
  rope: ModelRope | undefined = $state.raw()
  /** Functions: a trouble follows the language of the page. */
  troubles: Readonly<Partial<Record<TroubleKind, () => Trouble>>> = $state.raw({})
  /** A run that a request named after the engine had dropped it; undefined once the visitor knows. */
  gone: number | undefined = $state()
  /** A name for each engine that starts, since a canvas serves one engine; empty before the first one. */
  canvasKey = $state('')
  /** The threads of the CPU backend. */
  threads = $state(1)
  /** Maps of the grid that are not painted yet, where that takes a while. */
  painting = $state(0)

  constructor(spawn: () => WorkerLike, simulate?: Simulation) {
    this.spawn = spawn
    this.#simulate = simulate
    this.client = new EngineClient(spawn, (event) => this.#hear(event), simulate)
    this.#opener = new ModelOpener(this.client, () =>
      fetchJieba().catch((error: unknown) => {
        throw failure('tokenizer', () => text().noJieba(textOf(error)))
      }),
    )
  }

  start(backend: BackendChoice, weights: WeightsChoice): void {
    this.alive = true
    this.#clear('engine')
    this.client.start(backend, weights)
  }

  /** Another engine, for a second model. Its owner starts and ends it. */
  another(): EngineState {
    return new EngineState(this.spawn, this.#simulate)
  }

  /** Ends the worker, and with it the model. */
  end(): void {
    this.client.end()
    this.model = undefined
  }

  /** Starts an engine again that was given up after too many crashes: the input has changed since. */
  wake(backend: BackendChoice, weights: WeightsChoice): void {
    if (!this.client.running) this.start(backend, weights)
  }

  load(source: ModelSource): void {
    this.#clear('load')
    this.client.load(source)
  }

  cancelLoad(): void {
    this.client.cancelLoad()
  }

  mountCanvas(canvas: OffscreenCanvas): void {
    this.client.mountCanvas(canvas)
  }

  setLayout(layout: GridLayout): void {
    this.client.setLayout(layout)
  }

  setGridView(view: GridView): void {
    this.client.setGridView(view)
  }

  /** Selects a part of an encoder–decoder: to all readers another model with the same weights. */
  selectPart(part: PartName): void {
    if (part === this.#part) return
    this.#part = part
    const { model } = this
    if (model?.fullInfo.encoder) this.model = { ...model, info: { ...infoOfPart(model.fullInfo, part) } }
  }

  trouble(kind: TroubleKind, trouble: () => Trouble): void {
    this.troubles = { ...this.troubles, [kind]: trouble }
  }

  dismiss(kind: TroubleKind): void {
    this.#clear(kind)
  }

  #clear(kind: TroubleKind): void {
    if (!(kind in this.troubles)) return
    const { [kind]: _, ...others } = this.troubles
    this.troubles = others
  }

  #hear(event: EngineEvent): void {
    switch (event.type) {
      case 'starting':
        this.generation = event.generation
        this.answers.forget()
        this.info = undefined
        this.alive = true
        this.painting = 0
        this.threads = 1
        return
      case 'started':
        this.info = event.info
        this.canvasKey = `canvas-${++this.#enginesStarted}`
        return
      case 'rope':
        this.rope = event.rope
        return
      case 'loading':
        this.rope = undefined
        this.loading = { id: event.id, source: event.source, files: new Map() }
        return
      case 'progress': {
        const { id, file, loaded, total } = event
        // A model that is read again after a lost device sends no message of its start.
        const again = this.model?.version === id ? { id, source: this.model.source, files: new Map() } : undefined
        const before = this.loading ?? again
        if (before?.id !== id) return
        this.loading = { ...before, files: new Map(before.files).set(file, { loaded, total }) }
        return
      }
      case 'tokenizer':
        this.#opener.prepare(event)
        return
      case 'loaded':
        if (this.loading?.id === event.version) this.loading = undefined
        this.#opener.open(
          event,
          (opened) => this.#use(opened, event.describedHeads),
          (reason) => this.#refuse(event.source, isFailure(reason) ? reason : failure('tokenizer', String(reason))),
        )
        return
      case 'loadFailed':
        this.loading = undefined
        // Without an engine the model is not at fault.
        if (event.failure.code !== 'no-engine') this.#failLoad(event.failure)
        return
      case 'failed':
        this.alive = event.failure.code !== 'wasm'
        this.trouble('engine', () => engineTrouble(event.failure))
        return
      case 'threads':
        this.threads = event.threads
        return
      case 'silent':
        this.trouble('silent', () => silentTrouble(event.seconds, event.loading))
        return
      case 'answering':
        this.#clear('silent')
        return
      case 'gone':
        this.gone = event.run
        return
      case 'painting':
        this.painting = event.left
        return
      case 'deviceLost':
        this.trouble('engine', () => lossTrouble(event.message))
        return
      case 'crashed':
        this.trouble('engine', () => crashTrouble(event.message, event.restarting))
        if (!event.restarting) {
          this.alive = false
          this.loading = undefined
        }
    }
  }

  /** The engine already has the new model: the former one is loaded again. */
  #refuse(source: ModelSource, reason: Failure): void {
    const before = this.model
    if (before && before.source !== source) this.client.load(before.source)
    this.#failLoad(reason)
  }

  #failLoad(reason: Failure): void {
    const before = this.model?.info.name
    this.trouble('load', () => loadTrouble(reason, before))
  }

  #use(opened: EngineModel, heads: string | undefined): void {
    const { fullInfo, source, version } = opened
    // After a lost device the same model is read again.
    if (version !== this.model?.version) this.answers.ofModel.clear()
    const describedHeads = heads === undefined ? undefined : readDescribedHeads(heads, fullInfo)
    this.model = { ...opened, info: infoOfPart(fullInfo, this.#part), describedHeads }
    if (source.kind !== 'url') this.own = source
  }
}
