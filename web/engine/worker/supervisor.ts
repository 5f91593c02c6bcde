import { engineFailure, failure, isFailure, textOf } from '../protocol/failure'
import type { FromWorker, ToWorker } from '../protocol/messages'
import type { BackendChoice, EngineInfo, Failure } from '../protocol/protocol'
import { adapterKey, chooseBackend, knownNames, type Surroundings } from './probe'
import type { Scheduler } from './scheduler'
import type { Surface, WasmDevice, WasmEngine } from './handler'

/** Milliseconds. A GPU that is lost twice within this time is not used again. */
const lossInterval = 60_000

type Start = Extract<ToWorker, { type: 'start' }>
type Cause = Pick<EngineInfo, 'reason' | 'detail'>

export interface SupervisorContext {
  post(message: FromWorker): void
  /** Compiles and starts the WASM at the first call. */
  surface(): Promise<Surface>
  surroundings: Omit<Surroundings, 'simulate'>
  /** Starts threads for the CPU's products. Undefined where the page is not isolated. */
  threads?: ((surface: Surface) => Promise<number>) | undefined
  /** Names this version of the engine; undefined in development. */
  build: string | undefined
  now(): number
  scheduler: Scheduler
  fail(reason: Failure): void
  onOpen(): void
  /** The engine is gone; another one opens. */
  onReplace(): void
}

/** Opens the engine on a device, checks the device, and replaces the engine when its device is lost or computes wrong numbers. */
export class EngineSupervisor {
  readonly #context: SupervisorContext
  #surface: Promise<Surface> | undefined
  #start: Start = { type: 'start', backend: 'auto' }
  #engine: WasmEngine | undefined
  /** A handle of its own: the engine is borrowed while it works. */
  #device: WasmDevice | undefined
  #info: EngineInfo | undefined
  /** Adapters that passed the check, in former visits or in this one. */
  readonly #soundAdapters = new Set<string>()
  /** The engine whose adapter has to be checked, and the adapter's key. */
  #unchecked: { engine: WasmEngine; adapter: string | undefined } | undefined
  #hasTriedThreads = false
  /** The last call to a device. */
  #call: Promise<unknown> | undefined
  /** Ends the wait for that call when the device is lost. */
  #abandon: (() => void) | undefined
  #lastLoss = Number.NEGATIVE_INFINITY
  #paintsItself = false

  constructor(context: SupervisorContext) {
    this.#context = context
  }

  get engine(): WasmEngine | undefined {
    return this.#engine
  }

  /** Of the newest engine; undefined before the first one. */
  get info(): EngineInfo | undefined {
    return this.#info
  }

  get weights(): Start['weights'] {
    return this.#start.weights
  }

  /** Whether the engine's GPU paints the grid of all heads. */
  get paintsItself(): boolean {
    return this.#paintsItself
  }

  start(start: Start): void {
    this.#start = start
    for (const adapter of start.trusted ?? []) this.#soundAdapters.add(adapter)
    this.#surface = this.#context.surface()
    this.#surface.catch((error: unknown) => this.#context.fail(engineFailure('wasm', { reason: textOf(error) }, true)))
    this.#context.scheduler.add('setup', () => this.#open(start.backend))
  }

  /** Undefined where the WASM did not start. */
  async surface(): Promise<Surface | undefined> {
    return this.#surface?.catch(() => undefined)
  }

  /** For tests: destroys the device. */
  loseDevice(): void {
    this.#device?.lose()
  }

  /** Runs this with the engine in a turn of its own. */
  withEngine<T>(work: (engine: WasmEngine) => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#context.scheduler.add('setup', async () => {
        try {
          const engine = this.#engine
          // Where there was one, another one opens.
          if (!engine) throw this.#info ? lossFailure() : engineFailure('no-engine', {}, true)
          const result = await this.unlessLost(Promise.resolve(work(engine)))
          if (this.#engine !== engine) throw lossFailure()
          resolve(result as T)
        } catch (error) {
          reject(error)
        }
      })
    })
  }

  /** A call to a lost device may never end: the result is undefined then. */
  async unlessLost<T>(call: Promise<T>): Promise<T | undefined> {
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

  /** Checks an unknown adapter once, by a small model on it and on the CPU. Returns whether the engine was replaced. */
  async checkAdapter(): Promise<boolean> {
    const { engine, adapter } = this.#unchecked ?? {}
    this.#unchecked = undefined
    if (!engine) return false
    return new Promise((resolve) =>
      this.#context.scheduler.add('read', async () => resolve(await this.#check(engine, adapter))),
    )
  }

  /** Call it after the first result on the CPU, which does not wait for threads. */
  async startThreads(): Promise<void> {
    const surface = await this.surface()
    const { threads, post } = this.#context
    if (!threads || !surface || this.#hasTriedThreads || this.#info?.backend !== 'cpu' || this.#start.singleThread)
      return
    this.#hasTriedThreads = true
    const count = await threads(surface).catch(() => 1)
    post({ type: 'threads', threads: count })
  }

  /** Opens an engine, on the GPU if possible. `cause`: why it replaces another one. */
  async #open(choice: BackendChoice, cause?: Cause): Promise<void> {
    const surface = await this.surface()
    if (!surface) return
    const { simulate } = this.#start
    let info = await chooseBackend(choice, { ...this.#context.surroundings, simulate })
    if (info.backend === 'gpu') {
      try {
        if (simulate === 'device-refused') throw failure('device-refused', 'refused for a test')
        // The test needs no adapter: the CPU's kernels replace it.
        this.#engine = await this.#openEngine(surface, simulate === 'wrong-numbers' ? 'cpu' : 'gpu')
      } catch (error) {
        if (!isFailure(error)) throw error
        info = { ...info, backend: 'cpu', reason: 'device-refused', detail: error.message }
      }
    }
    if (info.backend === 'cpu') this.#engine = await this.#openEngine(surface, 'cpu')
    const names = JSON.parse(this.#engine?.adapter() ?? '{}') as Record<string, unknown>
    const { adapter, vendor, architecture } = names
    this.#info = { ...info, ...knownNames({ adapter, vendor, architecture }), ...cause }
    this.#context.post({ type: 'started', info: this.#info })
    this.#context.onOpen()
    if (info.backend === 'gpu') this.#trustOrCheck(adapterKey(names, this.#context.build))
  }

  async #openEngine(surface: Surface, backend: 'gpu' | 'cpu'): Promise<WasmEngine> {
    let lost = false
    const engine: WasmEngine = await surface.Engine.open(backend, (message) => {
      if (lost || this.#engine !== engine) return
      lost = true
      this.#lose(message)
    })
    this.#device = engine.device()
    this.#paintsItself = backend === 'gpu'
    return engine
  }

  /** An unknown adapter is checked after its first result. */
  #trustOrCheck(adapter: string | undefined): void {
    const isKnown =
      adapter !== undefined && this.#soundAdapters.has(adapter) && this.#start.simulate !== 'wrong-numbers'
    this.#unchecked = isKnown || !this.#engine ? undefined : { engine: this.#engine, adapter }
    if (isKnown) this.#context.post({ type: 'adapterPassed', adapter })
  }

  async #check(engine: WasmEngine, adapter: string | undefined): Promise<boolean> {
    if (this.#engine !== engine) return true
    try {
      if (this.#start.simulate === 'wrong-numbers') throw failure('self-check-failed', 'wrong for a test')
      await this.unlessLost(engine.check())
    } catch (error) {
      if (!isFailure(error)) throw error
      // `#lose` replaces a lost device.
      if (this.#engine === engine && error.code !== 'device-lost') {
        const reason = error.code === 'self-check-failed' ? 'wrong-numbers' : 'device-refused'
        this.#replace('cpu', { reason, detail: error.message })
      }
      return true
    }
    if (this.#engine !== engine) return true
    if (adapter !== undefined) this.#soundAdapters.add(adapter)
    this.#context.post({ type: 'adapterPassed', ...(adapter === undefined ? {} : { adapter }) })
    return false
  }

  #lose(message: string): void {
    const { post, now } = this.#context
    post({ type: 'deviceLost', message })
    const isRepeated = now() - this.#lastLoss < lossInterval
    this.#lastLoss = now()
    if (isRepeated) this.#replace('cpu', { reason: 'device-lost', detail: message })
    else this.#replace(this.#start.backend)
  }

  #replace(choice: BackendChoice, cause?: Cause): void {
    const engine = this.#engine
    this.#engine = undefined
    this.#abandon?.()
    if (engine) void this.#free(engine)
    this.#context.scheduler.add('setup', () => this.#open(choice, cause))
    this.#context.onReplace()
  }

  /** Frees an engine when its last call has ended: until then it is in use. */
  async #free(engine: WasmEngine): Promise<void> {
    await this.#call?.catch(() => {})
    try {
      engine.free()
    } catch {
      // The browser frees what wasm-bindgen cannot.
    }
  }
}

export const lossFailure = (): Failure => engineFailure('device-lost', {}, true)
