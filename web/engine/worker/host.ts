import { isFailure, textOf } from '../protocol/failure'
import type { FromWorker, ToWorker } from '../protocol/messages'
import type { Failure } from '../protocol/protocol'
import { ModelLoader, type LoaderContext } from './loader'
import { Painting } from './painting'
import { RequestRouter } from './router'
import { Scheduler } from './scheduler'
import { EngineSupervisor, type SupervisorContext } from './supervisor'

interface HostContext
  extends
    Pick<SupervisorContext, 'surface' | 'surroundings' | 'threads' | 'build' | 'now'>,
    Pick<LoaderContext, 'memory' | 'yieldToEventLoop'> {
  post(message: FromWorker, transfer?: Transferable[]): void
}

/** The worker's side of the protocol: hands the page's messages on. */
export class Host {
  readonly #context: HostContext
  readonly #scheduler: Scheduler
  readonly #supervisor: EngineSupervisor
  readonly #loader: ModelLoader
  readonly #painting: Painting
  readonly #router: RequestRouter
  /** Steps of work so far: a ping compares them. */
  #steps = 0

  constructor(context: HostContext) {
    this.#context = context
    const post = (message: FromWorker, transfer?: Transferable[]) => this.#post(message, transfer)
    const yieldToEventLoop = () => {
      this.#steps++
      return context.yieldToEventLoop()
    }
    const scheduler = new Scheduler((error) => this.crash(error))
    this.#scheduler = scheduler
    const supervisor = new EngineSupervisor({
      ...context,
      post,
      scheduler,
      fail: (reason) => this.#fail(undefined, reason),
      onOpen: () => this.#painting.engineOpened(),
      onReplace: () => this.#loader.restore(),
    })
    this.#supervisor = supervisor
    this.#loader = new ModelLoader({
      ...context,
      post,
      supervisor,
      yieldToEventLoop,
      fail: (id, error) => (isFailure(error) ? this.#fail(id, error) : this.crash(error)),
    })
    const shared = { scheduler, yieldToEventLoop, surface: () => supervisor.surface(), model: () => this.#loader.model }
    this.#painting = new Painting({
      ...shared,
      supervisor,
      now: () => context.now(),
      report: (left) => post({ type: 'painting', left }),
      fail: (reason) => this.#fail(undefined, reason),
    })
    this.#router = new RequestRouter({
      ...shared,
      post,
      engine: () => supervisor.engine,
      unlessLost: (call) => supervisor.unlessLost(call),
      report: (id, error) => this.#report(id, error),
    })
  }

  /** Reports that the engine is broken: the page replaces this worker. */
  crash(error: unknown): void {
    this.#context.post({ type: 'crashed', message: textOf(error) })
  }

  receive(message: ToWorker): void {
    switch (message.type) {
      case 'start':
        this.#supervisor.start(message)
        return
      case 'prefetch':
        this.#loader.prefetch(message.source)
        return
      case 'load':
        void this.#loader.load(message.id, message.source)
        return
      case 'cancelLoad':
        this.#loader.cancel(message.id)
        return
      case 'request':
        this.#router.request(message)
        return
      case 'more':
        this.#router.more(message.id)
        return
      case 'stop':
        this.#router.stop(message.id)
        return
      case 'canvas':
        this.#painting.mount(message.canvas)
        return
      case 'layout':
        this.#painting.setLayout(message.layout)
        return
      case 'gridView':
        this.#painting.setView(message.view)
        return
      case 'ping':
        this.#context.post({ type: 'pong', open: this.#router.open, steps: this.#steps })
        return
      case 'loseDevice':
        this.#supervisor.loseDevice()
        return
      case 'panic':
        this.#scheduler.add('setup', async () => this.#supervisor.engine?.panic())
    }
  }

  #post(message: FromWorker, transfer?: Transferable[]): void {
    this.#context.post(message, transfer)
    if (message.type !== 'result' || message.kind !== 'run') return
    // The first result does not wait for these.
    this.#painting.repaint()
    void this.#supervisor.checkAdapter()
    void this.#supervisor.startThreads()
  }

  #report(id: number, error: unknown): void {
    if (!isFailure(error)) return this.crash(error)
    this.#fail(id, error)
    void this.#supervisor.checkAdapter()
  }

  #fail(id: number | undefined, { code, message, retryable, parameters }: Failure): void {
    const failure = { code, message, retryable, ...(parameters && { parameters }) }
    this.#context.post({ type: 'failed', ...(id === undefined ? {} : { id }), failure })
  }
}
