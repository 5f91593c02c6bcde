import type { ModelAtWork } from './atWork'
import { cancelled, joined, type Arriving } from '../protocol/arriving'
import { endTokens } from './endTokens'
import { Expected } from './expected'
import { writingRules } from '../protocol/generationConfig'
import { engineFailure, failure, isFailure, textOf } from '../protocol/failure'
import type { FromWorker, ToWorker } from '../protocol/messages'
import { adapterKey, chooseBackend, named, type Surroundings } from './probe'
import type { BackendChoice, EngineInfo, Failure, GridLayout, ModelInfo, ModelSource } from '../protocol/protocol'
import { Painting } from './painting'
import { Questioning } from './questioning'
import { openSource, type IncomingModel } from '../protocol/source'
import type { Surface, WasmDevice, WasmEngine, WasmLoading } from './surface'
import { Turns } from './turns'
import type { WeightBytes } from '../protocol/weights'
import { fitting, type BeforeWeights } from './fitting'

export interface DeskWorld {
  post(message: FromWorker, transfer?: Transferable[]): void
  /** Compiles and starts the WASM at the first call. */
  surface(): Promise<Surface>
  surroundings: Omit<Surroundings, 'simulate'>
  /** Has the CPU's products of this WASM made by several threads. Undefined where the page is not isolated. */
  threads?: ((surface: Surface) => Promise<number>) | undefined
  /** What tells this engine from other versions of it; undefined while it is being developed. */
  build: string | undefined
  /** GB of the machine, as far as the browser tells. */
  memory?: number | undefined
  /** Lets messages in: resolves in a later task. */
  breathe(): Promise<void>
  now(): number
}

/** A model that is loaded, and where to read it again. */
interface Held extends ModelAtWork {
  source: ModelSource
  /** The engine that holds it: another after a lost device, until it is read again. */
  engine: WasmEngine
}

/** A GPU that is lost twice within this time is not asked again. */
const lossesApart = 60_000

/** Bytes of a weights file that tell how long its header is. */
const headerStart = 8

type Start = Extract<ToWorker, { type: 'start' }>

/** The worker's side of the protocol: one engine, the model in it, and the newest request. */
export class Desk {
  readonly #world: DeskWorld
  readonly #turns: Turns
  readonly #questions: Questioning
  #surface: Promise<Surface> | undefined
  #start: Start = { type: 'start', backend: 'auto' }
  #engine: WasmEngine | undefined
  /** The engine's device, which can be lost while the engine is at work. */
  #device: WasmDevice | undefined
  #info: EngineInfo | undefined
  /** Adapters that compute what the CPU computes: those that the page remembers, and those that were checked since. */
  readonly #sound = new Set<string>()
  /** The engine whose adapter is still to be checked, and what to remember it by. */
  #unchecked: { engine: WasmEngine; adapter: string | undefined } | undefined
  /** Whether the start of threads was tried: it is not tried again. */
  #hasTriedThreads = false
  /** The last call that waits on a device. */
  #call: Promise<unknown> | undefined
  /** Settles the call that waits on a device when that device is lost. */
  #abandon: (() => void) | undefined
  /** Steps of work so far: who asks whether a long question goes on compares them. */
  #steps = 0
  #lastLoss = Number.NEGATIVE_INFINITY
  #held: Held | undefined
  #expected: Expected | undefined
  #loading: { id: number; abort: AbortController } | undefined
  readonly #painting: Painting
  /** Whether this engine's canvas is painted by a GPU. */
  #paintedByGpu = false
  #canvas: OffscreenCanvas | undefined
  #layout: GridLayout | undefined

  constructor(world: DeskWorld) {
    this.#world = world
    this.#turns = new Turns((error) => this.crash(error))
    this.#questions = new Questioning({
      world: {
        post: (message, transfer) => {
          world.post(message, transfer)
          if (message.type !== 'result' || message.kind !== 'run') return
          this.#painting.again()
          void this.#checkInTurn()
          void this.#useThreads()
        },
        breathe: () => this.#breathe(),
      },
      turns: this.#turns,
      surface: () => this.#ready(),
      engine: () => this.#engine,
      model: () => (this.#held?.engine === this.#engine ? this.#held : undefined),
      unlessLost: (call) => this.#unlessLost(call),
      report: (id, error) => this.#report(id, error),
    })
    this.#painting = new Painting({
      turns: this.#turns,
      surface: () => this.#ready(),
      engine: () => (this.#paintedByGpu ? undefined : this.#engine),
      model: () => (this.#held?.engine === this.#engine ? this.#held : undefined),
      breathe: () => this.#breathe(),
      now: () => world.now(),
      tell: (left) => world.post({ type: 'painting', left }),
      fail: (reason) => this.#fail(undefined, reason),
    })
  }

  /** Lets messages in between two steps of work. */
  #breathe(): Promise<void> {
    this.#steps++
    return this.#world.breathe()
  }

  /** Says that the engine is broken: the page replaces this worker. */
  crash(error: unknown): void {
    this.#world.post({ type: 'crashed', message: textOf(error) })
  }

  receive(message: ToWorker): void {
    switch (message.type) {
      case 'start':
        this.#start = message
        for (const adapter of message.trusted ?? []) this.#sound.add(adapter)
        this.#surface = this.#world.surface()
        this.#surface.catch((error: unknown) =>
          this.#fail(undefined, engineFailure('wasm', { reason: textOf(error) }, true)),
        )
        this.#turns.add('setup', () => this.#open(message.backend))
        return
      case 'expect':
        this.#expected = new Expected(message.source)
        return
      case 'load':
        void this.#load(message.id, message.source)
        return
      case 'cancelLoad':
        if (this.#loading?.id === message.id) this.#loading.abort.abort()
        return
      case 'request':
        this.#questions.ask(message)
        return
      case 'more':
        this.#questions.more(message.id)
        return
      case 'stop':
        this.#questions.stop(message.id)
        return
      case 'canvas':
        this.#canvas = message.canvas
        this.#turns.add('setup', async () => this.#attach(), 'canvas')
        return
      case 'layout':
        this.#layout = message.layout
        this.#turns.add('setup', async () => this.#layOut(), 'layout')
        return
      case 'sight':
        this.#painting.look(message.sight)
        return
      case 'ping':
        this.#world.post({ type: 'pong', open: this.#questions.open, steps: this.#steps })
        return
      case 'loseDevice':
        this.#device?.lose()
        return
      case 'panic':
        this.#turns.add('setup', async () => this.#engine?.panic())
    }
  }

  /** Opens an engine: the GPU where it can, else the CPU. `why`: where it replaces another that failed. */
  async #open(choice: BackendChoice, why?: Pick<EngineInfo, 'reason' | 'detail'>): Promise<void> {
    const surface = await this.#ready()
    if (!surface) return
    const { simulate } = this.#start
    let info = await chooseBackend(choice, { ...this.#world.surroundings, simulate })
    if (info.backend === 'gpu') {
      try {
        if (simulate === 'device-refused') throw failure('device-refused', 'refused for a test')
        // For a test the CPU's kernels stand in for an adapter, which the browser may have none of.
        this.#engine = await this.#openEngine(surface, simulate === 'wrong-numbers' ? 'cpu' : 'gpu')
      } catch (error) {
        if (!isFailure(error)) throw error
        info = { ...info, backend: 'cpu', reason: 'device-refused', detail: error.message }
      }
    }
    if (info.backend === 'cpu') this.#engine = await this.#openEngine(surface, 'cpu')
    const names = JSON.parse(this.#engine?.adapter() ?? '{}') as Record<string, unknown>
    const { adapter, vendor, architecture } = names
    this.#settle({ ...info, ...named({ adapter, vendor, architecture }), ...why })
    if (info.backend === 'gpu') this.#vouch(adapterKey(names, this.#world.build))
  }

  /** An adapter that is known need not be checked; any other is, once its first result is with the page. */
  #vouch(adapter: string | undefined): void {
    const known = adapter !== undefined && this.#sound.has(adapter) && this.#start.simulate !== 'wrong-numbers'
    this.#unchecked = known || !this.#engine ? undefined : { engine: this.#engine, adapter }
    if (known) this.#world.post({ type: 'sound', adapter })
  }

  /** An adapter that nobody knows computes a small model beside the CPU's kernels, once. Tells whether its engine had to be replaced. */
  async #checkInTurn(): Promise<boolean> {
    const { engine, adapter } = this.#unchecked ?? {}
    this.#unchecked = undefined
    if (!engine) return false
    return new Promise((resolve) => this.#turns.add('read', async () => resolve(await this.#check(engine, adapter))))
  }

  /** Behind the first result of an engine on the CPU, which waits for nothing. */
  async #useThreads(): Promise<void> {
    const surface = await this.#ready()
    const { threads } = this.#world
    if (!threads || !surface || this.#hasTriedThreads || this.#info?.backend !== 'cpu' || this.#start.alone) return
    this.#hasTriedThreads = true
    // Where they cannot be had, one does.
    const count = await threads(surface).catch(() => 1)
    this.#world.post({ type: 'threads', threads: count })
  }

  async #check(engine: WasmEngine, adapter: string | undefined): Promise<boolean> {
    if (this.#engine !== engine) return true
    try {
      if (this.#start.simulate === 'wrong-numbers') throw failure('self-check', 'wrong for a test')
      await this.#unlessLost(engine.check())
    } catch (error) {
      if (!isFailure(error)) throw error
      // A device that is lost is replaced by itself.
      if (this.#engine === engine && error.code !== 'device-lost') {
        const reason = error.code === 'self-check' ? 'wrong-numbers' : 'device-refused'
        this.#replace('cpu', { reason, detail: error.message })
      }
      return true
    }
    if (this.#engine !== engine) return true
    if (adapter !== undefined) this.#sound.add(adapter)
    this.#world.post({ type: 'sound', ...(adapter === undefined ? {} : { adapter }) })
    return false
  }

  async #openEngine(surface: Surface, backend: 'gpu' | 'cpu'): Promise<WasmEngine> {
    let lost = false
    const engine: WasmEngine = await surface.Engine.open(backend, (message) => {
      if (lost || this.#engine !== engine) return
      lost = true
      this.#lose(message)
    })
    this.#device = engine.device()
    this.#paintedByGpu = backend === 'gpu'
    return engine
  }

  /** Tells the page what runs now. A canvas gives its context once, so the page brings a new canvas for each engine. */
  #settle(info: EngineInfo): void {
    if (this.#info) this.#canvas = undefined
    this.#info = info
    this.#world.post({ type: 'started', info })
    this.#attach()
    this.#layOut()
  }

  /** The device is gone. */
  #lose(message: string): void {
    this.#world.post({ type: 'deviceLost', message })
    const again = this.#world.now() - this.#lastLoss < lossesApart
    this.#lastLoss = this.#world.now()
    if (again) this.#replace('cpu', { reason: 'device-lost', detail: message })
    else this.#replace(this.#start.backend)
  }

  /** A new engine in place of one that is of no use any more, and the model read again from where it came. */
  #replace(choice: BackendChoice, why?: Pick<EngineInfo, 'reason' | 'detail'>): void {
    const engine = this.#engine
    this.#engine = undefined
    this.#abandon?.()
    if (engine) void this.#free(engine)
    this.#turns.add('setup', () => this.#open(choice, why))
    // A model on its way goes into the new engine; else the one that was there is read again.
    if (!this.#loading) this.#restore()
  }

  /** Gives back what an engine holds, when the last call of it has come back: until then it is in use. */
  async #free(engine: WasmEngine): Promise<void> {
    await this.#call?.catch(() => {})
    try {
      engine.free()
    } catch {
      // One that cannot be given back any more is left to the browser.
    }
  }

  #restore(): void {
    const held = this.#held
    if (held && held.engine !== this.#engine) void this.#load(held.id, held.source)
  }

  async #load(id: number, source: ModelSource): Promise<void> {
    this.#loading?.abort.abort()
    const loading = { id, abort: new AbortController() }
    this.#loading = loading
    let told = 0
    const progress = (file: string, loaded: number, total: number) => {
      const now = this.#world.now()
      if (loaded !== total && now - told < 50) return
      told = now
      this.#world.post({ type: 'progress', id, file, loaded, total })
    }
    const { signal } = loading.abort
    const expected = this.#expected?.take(source, progress, signal)
    this.#expected = undefined
    try {
      await this.#bring(id, source, expected ?? openSource(source, progress, signal), signal)
      if (this.#loading === loading) this.#loading = undefined
    } catch (error) {
      const code = isFailure(error) ? error.code : undefined
      // What an adapter refuses that nobody knows yet may be its own fault.
      const another = code === 'device-lost' || (code === 'gpu' && (await this.#checkInTurn()))
      const wanted = this.#loading === loading
      if (wanted) this.#loading = undefined
      if (wanted && another) {
        void this.#load(id, source)
        return
      }
      // What is still on its way is not wanted any more.
      loading.abort.abort()
      if (isFailure(error)) this.#fail(id, error)
      else this.crash(error)
      if (wanted) this.#restore()
    }
  }

  /** Puts a model into the engine as its weights arrive; the one before stays until they are all there. */
  async #bring(id: number, source: ModelSource, incoming: IncomingModel, signal: AbortSignal): Promise<void> {
    const [config, weights] = await Promise.all([incoming.config, incoming.weights])
    const surface = await this.#ready()
    if (!surface) throw engineFailure('no-engine', {}, true)
    const header = await this.#header(surface, weights)
    // What is wrong with config or sizes is said before the weights are read and pipelines are compiled.
    const { bytes, rope } = JSON.parse(surface.beforeWeights(config, header)) as BeforeWeights
    this.#world.post({ type: 'rope', id, rope })
    let filling: WasmLoading | undefined
    try {
      const begun = await this.#turn(async (engine) => {
        const kept = this.#keptAs(bytes)
        const loading = await engine.begin(config, header, weights.length, kept.kept)
        if (this.#engine === engine) return { engine, loading, kept }
        loading.free()
        throw lostOnTheWay()
      })
      filling = begun.loading
      const [tokenizer, generation, describedHeads] = await Promise.all([
        incoming.tokenizer,
        incoming.generation,
        incoming.describedHeads,
      ])
      this.#world.post({ type: 'tokenizer', id, tokenizer })
      for await (const piece of weights.rest()) {
        if (this.#engine !== begun.engine) throw lostOnTheWay()
        filling.push(piece)
        // Pieces that are there already come one after the other: messages get in between.
        await this.#breathe()
      }
      await this.#turn((engine) => {
        if (signal.aborted) throw cancelled()
        if (engine !== begun.engine) throw lostOnTheWay()
        filling = undefined
        const described = JSON.parse(engine.adopt(begun.loading)) as Omit<ModelInfo, 'name' | 'weights'>
        const ends = endTokens(generation) ?? described.eos_token_ids
        const model = {
          ...described,
          name: source.name,
          weights: begun.kept,
          eos_token_ids: ends,
          ...(described.encoder ? { writing: writingRules(generation, ends) } : {}),
        }
        this.#held = { id, source, engine, info: described, run: undefined, whole: undefined, beside: undefined }
        this.#world.post({ type: 'loaded', id, model, tokenizer, describedHeads })
      })
    } finally {
      filling?.free()
    }
  }

  /** How the weights of a model on its way are kept, and what they take. */
  #keptAs(bytes: WeightBytes): ModelInfo['weights'] {
    const wanted = this.#start.weights ?? 'auto'
    const kept = wanted === 'auto' ? fitting(bytes, this.#info?.backend ?? 'cpu', this.#world.memory) : wanted
    return { kept, bytes: bytes[kept] }
  }

  async #header(surface: Surface, weights: Arriving): Promise<Uint8Array> {
    const start = await weights.take(headerStart)
    return joined([start, await weights.take(surface.headerBytes(start) - start.length)])
  }

  /** Waits for the engine to be free and does one thing with it. */
  #turn<T>(work: (engine: WasmEngine) => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#turns.add('setup', async () => {
        try {
          const engine = this.#engine
          // Where there was one, another is on its way.
          if (!engine) throw this.#info ? lostOnTheWay() : engineFailure('no-engine', {}, true)
          const result = await this.#unlessLost(Promise.resolve(work(engine)))
          if (this.#engine !== engine) throw lostOnTheWay()
          resolve(result as T)
        } catch (error) {
          reject(error)
        }
      })
    })
  }

  /** A call on a lost device may never come back: it is given up then, with undefined. */
  async #unlessLost<T>(call: Promise<T>): Promise<T | undefined> {
    const lost = new Promise<undefined>((resolve) => {
      this.#abandon = () => resolve(undefined)
    })
    call.catch(() => {})
    this.#call = call
    try {
      return await Promise.race([call, lost])
    } finally {
      this.#abandon = undefined
    }
  }

  #attach(): void {
    const canvas = this.#canvas
    if (canvas && this.#paintedByGpu) this.#paintOn((engine) => engine.attach(canvas))
    this.#painting.use(canvas)
  }

  #layOut(): void {
    if (!this.#layout) return
    this.#painting.layOut(this.#layout)
    const { cell, gap, stops, ground, order } = this.#layout
    this.#paintOn((engine) => engine.layout(cell, gap, stops, ground, order))
  }

  /** A picture that fails is no reason to stop. */
  #paintOn(paint: (engine: WasmEngine) => void): void {
    try {
      if (this.#engine) paint(this.#engine)
    } catch (error) {
      if (!isFailure(error)) throw error
      this.#fail(undefined, error)
    }
  }

  async #ready(): Promise<Surface | undefined> {
    return this.#surface?.catch(() => undefined)
  }

  #report(id: number, error: unknown): void {
    if (!isFailure(error)) return this.crash(error)
    this.#fail(id, error)
    void this.#checkInTurn()
  }

  #fail(id: number | undefined, reason: Failure): void {
    const { code, message, retryable, parameters } = reason
    const failure = { code, message, retryable, ...(parameters && { parameters }) }
    this.#world.post({ type: 'failed', ...(id === undefined ? {} : { id }), failure })
  }
}

function lostOnTheWay(): Failure {
  return engineFailure('device-lost', {}, true)
}
