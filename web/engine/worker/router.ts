import { engineFailure, isFailure } from '../protocol/failure'
import type { DropReason, EngineRequest, FromWorker } from '../protocol/messages'
import type { RequestKind, Result } from '../protocol/requests'
import type { EngineCall, Handler, LoadedModel, Stream, Surface, WasmEngine } from './handler'
import type { Scheduler, Turn } from './scheduler'
import { explanations } from './handlers/explanations'
import { heads } from './handlers/heads'
import { lessons } from './handlers/lessons'
import { mathematics } from './handlers/mathematics'
import { measures } from './handlers/measures'
import { neurons } from './handlers/neurons'
import { runs } from './handlers/runs'
import { statistics } from './handlers/statistics'

/** How each request is answered. */
const handlers: { readonly [K in RequestKind]: Handler<K> } = {
  ...mathematics,
  ...lessons,
  ...runs,
  ...heads,
  ...statistics,
  ...measures,
  ...explanations,
  ...neurons,
}

interface RouterContext {
  post(message: FromWorker, transfer?: Transferable[]): void
  yieldToEventLoop(): Promise<void>
  scheduler: Scheduler
  /** Undefined where the WASM did not start. */
  surface(): Promise<Surface | undefined>
  engine(): WasmEngine | undefined
  /** The model in that engine. */
  model(): LoadedModel | undefined
  /** Undefined where the device is lost before the call ends. */
  unlessLost<T>(call: Promise<T>): Promise<T | undefined>
  /** Reports that a request failed. */
  report(id: number, error: unknown): void
}

/** `lost`: its engine was replaced. */
type EndReason = DropReason | 'lost'

interface RoutedCall extends EngineCall {
  /** Why nobody waits for the result any more; undefined while somebody does. */
  endReason(): EndReason | undefined
}

interface OpenRequest {
  /** Of open requests with this name only the newest counts. */
  newest: string | undefined
  /** Whether its work serves this newer request, too. */
  shares(newer: OpenRequest): boolean
  params: unknown
  isSuperseded: boolean
  /** Resumes the stream; set until the page has handled the last chunk. */
  resume?: (() => void) | undefined
}

/** Calls the handlers of requests: at once, in a turn of the engine, or chunk by chunk. */
export class RequestRouter {
  readonly #context: RouterContext
  /** Requests to the engine without a result, by id. */
  readonly #open = new Map<number, OpenRequest>()

  constructor(context: RouterContext) {
    this.#context = context
  }

  /** How many requests to the engine have no result yet. */
  get open(): number {
    return this.#open.size
  }

  request<K extends RequestKind>(request: EngineRequest<K>): void {
    const { id, kind, params, slot } = request
    const handler: Handler<K> = handlers[kind]
    if (handler.needs === 'mathematics') {
      void this.#calculate(request, (surface) => handler.handle(surface, params))
      return
    }
    const { turn, newestOnly } = handler
    // Requests of other requesters do not replace it.
    const newest = newestOnly && slot !== undefined ? `${kind} for ${slot}` : undefined
    const shares = (newer: OpenRequest) => handler.shares?.(params, newer.params as typeof params) ?? false
    if ('stream' in handler && newest !== undefined) {
      for (const [older, open] of this.#open) if (open.newest === newest) this.stop(older)
    }
    this.#open.set(id, { newest, shares, params, isSuperseded: false })
    if ('stream' in handler) {
      this.#stream(request, turn, newest, (call) => handler.stream(call, params))
    } else {
      const work = () => this.#work(request, turn, (call) => handler.handle(call, params))
      this.#context.scheduler.add(turn, work, newest, () => this.#drop(request, 'superseded'))
    }
  }

  /** Nobody waits for the result any more. */
  stop(id: number): void {
    const open = this.#open.get(id)
    if (!open) return
    open.isSuperseded = true
    this.more(id)
  }

  /** The page has handled a chunk. */
  more(id: number): void {
    const open = this.#open.get(id)
    const resume = open?.resume
    if (open) open.resume = undefined
    resume?.()
  }

  async #calculate<K extends RequestKind>(
    request: EngineRequest<K>,
    handle: (surface: Surface) => Result<K>,
  ): Promise<void> {
    const surface = await this.#context.surface()
    try {
      if (!surface) throw engineFailure('no-engine', {}, true)
      this.#post(request, handle(surface))
    } catch (error) {
      this.#context.report(request.id, error)
    }
  }

  async #work<K extends RequestKind>(
    request: EngineRequest<K>,
    turn: Turn,
    handle: (call: EngineCall) => Promise<Result<K> | null>,
  ): Promise<void> {
    const call = this.#call(request, turn)
    const ended = call ? call.endReason() : 'lost'
    if (!call || ended) return this.#drop(request, ended ?? 'lost')
    try {
      const result = await this.#context.unlessLost(handle(call))
      const reason = call.endReason()
      if (reason || result === undefined || result === null) this.#drop(request, reason ?? missing(call))
      else this.#post(request, result)
    } catch (error) {
      this.#giveUp(request, call, error)
    }
  }

  /** Each chunk takes a turn after the page has handled the former one: other requests go in between. */
  #stream<K extends RequestKind>(
    request: EngineRequest<K>,
    turn: Turn,
    newest: string | undefined,
    begin: (call: EngineCall) => Stream<K>,
  ): void {
    const { scheduler, post, yieldToEventLoop, unlessLost } = this.#context
    let started: { call: RoutedCall; stream: Stream<K> } | undefined
    const end = (reason: EndReason) => {
      // The stream frees its handles.
      void started?.stream.return(null).catch(() => {})
      this.#drop(request, reason)
    }
    const next = async () => {
      if (!started) {
        const call = this.#call(request, turn)
        started = call && { call, stream: begin(call) }
      }
      const ended = started ? started.call.endReason() : 'lost'
      if (!started || ended) return end(ended ?? 'lost')
      const { call, stream } = started
      try {
        const found = await unlessLost(stream.next())
        // A fast engine never pauses: a `stop` must arrive here, too.
        await yieldToEventLoop()
        const reason = call.endReason()
        if (reason || !found) return end(reason ?? 'lost')
        if (found.done) {
          if (found.value === null) this.#drop(request, missing(call))
          else this.#post(request, found.value)
          return
        }
        post({ type: 'chunk', id: request.id, kind: request.kind, chunk: found.value } as FromWorker)
        const open = this.#open.get(request.id)
        if (open) open.resume = () => scheduler.add(turn, next, newest, () => end('superseded'))
      } catch (error) {
        this.#giveUp(request, call, error)
      }
    }
    scheduler.add(turn, next, newest, () => end('superseded'))
  }

  /** Undefined where there is no engine. */
  #call({ id }: EngineRequest<RequestKind>, turn: Turn): RoutedCall | undefined {
    const { scheduler, yieldToEventLoop } = this.#context
    const engine = this.#context.engine()
    const model = this.#context.model()
    if (!engine) return undefined
    const endReason = () => {
      const open = this.#open.get(id)
      if (!open || open.isSuperseded || this.#hasNewer(id, open)) return 'superseded'
      if (this.#context.engine() !== engine) return 'lost'
      return this.#context.model() === model ? undefined : 'gone'
    }
    const pause = async () => {
      await yieldToEventLoop()
      return endReason() === undefined
    }
    const shouldYield = () => scheduler.waitsBefore(turn)
    return { id, engine, model, surface: () => this.#context.surface(), pause, shouldYield, endReason }
  }

  #hasNewer(id: number, open: OpenRequest): boolean {
    if (open.newest === undefined) return false
    return [...this.#open].some(([other, newer]) => other > id && newer.newest === open.newest && !open.shares(newer))
  }

  #giveUp(request: EngineRequest<RequestKind>, call: RoutedCall, error: unknown): void {
    const dropped = isFailure(error) && (error.code === 'cancelled' || this.#context.engine() !== call.engine)
    if (dropped) return this.#drop(request, call.endReason() ?? 'superseded')
    this.#open.delete(request.id)
    this.#context.report(request.id, error)
  }

  #drop({ id, kind }: EngineRequest<RequestKind>, reason: EndReason): void {
    this.#open.delete(id)
    const { post } = this.#context
    if (reason === 'lost') post({ type: 'failed', id, failure: engineFailure('restarted', {}, true) })
    else post({ type: 'dropped', id, kind, reason })
  }

  #post<K extends RequestKind>({ id, kind }: EngineRequest<K>, result: Result<K>): void {
    this.#open.delete(id)
    // The table of handlers guarantees what the types cannot: kind and result belong together.
    const message = { type: 'result', id, kind, result } as FromWorker
    this.#context.post(message, buffers(result))
  }
}

/** An engine without a model has replaced another one. */
const missing = ({ model }: EngineCall): EndReason => (model ? 'gone' : 'lost')

/** The arrays of a result, which are transferred rather than copied. */
function buffers(result: unknown): Transferable[] {
  if (typeof result !== 'object' || result === null) return []
  const arrays = [result, ...Object.values(result)].filter((value) => ArrayBuffer.isView(value))
  return [...new Set(arrays.map(({ buffer }) => buffer as ArrayBuffer))]
}
