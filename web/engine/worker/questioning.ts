import { answers } from './answers'
import type { AtWork, ModelAtWork, Row, Stream } from './atWork'
import { engineFailure, isFailure } from '../protocol/failure'
import type { EngineRequest, FromWorker, DropReason } from '../protocol/messages'
import type { Result, Kind } from '../protocol/requests'
import type { Surface, WasmEngine } from './surface'
import type { Turn, Turns } from './turns'

/** What questions need of the desk. */
export interface Office {
  world: { post(message: FromWorker, transfer?: Transferable[]): void; breathe(): Promise<void> }
  turns: Turns
  /** Undefined where the WASM did not start. */
  surface(): Promise<Surface | undefined>
  engine(): WasmEngine | undefined
  /** The model in that engine. */
  model(): ModelAtWork | undefined
  /** Undefined where the device is lost before the call comes back. */
  unlessLost<T>(call: Promise<T>): Promise<T | undefined>
  report(id: number, error: unknown): void
}

/** `lost`: with its engine, in whose place another reads the model again. */
type Ended = DropReason | 'lost'

/** What an answer works with. */
interface Wanted extends AtWork {
  /** Why it is not wanted any more; undefined while it is. */
  unwanted(): Ended | undefined
}

interface Open {
  newest: string | undefined
  /** Why it is not to be answered any further. */
  ended?: 'superseded' | 'stopped'
  /** Goes on with an answer that streams; there while its last part is with the page. */
  goOn?: (() => void) | undefined
}

/** Answers what the page asks, by the table: at once, in a turn of the engine's, or part by part. */
export class Questioning {
  readonly #office: Office
  /** What takes its turns and is not answered yet. */
  readonly #open = new Map<number, Open>()

  constructor(office: Office) {
    this.#office = office
  }

  ask<K extends Kind>(question: EngineRequest<K>): void {
    const { id, kind, params } = question
    const row: Row<K> = answers[kind]
    if (row.needs === 'mathematics') {
      void this.#calculate(question, (surface) => row.answer(surface, params))
      return
    }
    const { slot } = question
    // Of one requester: what another one asks does not take its place.
    const newest = row.newestOnly && slot !== undefined ? `${kind} for ${slot}` : undefined
    if ('stream' in row && newest !== undefined) {
      for (const [older, open] of this.#open) if (open.newest === newest) this.#end(older, 'superseded')
    }
    this.#open.set(id, { newest })
    if ('stream' in row) {
      this.#stream(question, row.turn, newest, (at) => row.stream(at, params))
    } else {
      const work = () => this.#work(question, row.turn, newest, (at) => row.answer(at, params))
      this.#office.turns.add(row.turn, work, newest, () => this.#drop(question, 'superseded'))
    }
  }

  /** How many questions take their turns and are not answered yet. */
  get open(): number {
    return this.#open.size
  }

  /** The page does not want the rest of it. */
  stop(id: number): void {
    this.#end(id, 'stopped')
  }

  #end(id: number, why: 'superseded' | 'stopped'): void {
    const open = this.#open.get(id)
    if (!open) return
    open.ended ??= why
    this.more(id)
  }

  /** The page has taken in a part. */
  more(id: number): void {
    const open = this.#open.get(id)
    const goOn = open?.goOn
    if (open) open.goOn = undefined
    goOn?.()
  }

  /** Answered at once, whatever else goes on. */
  async #calculate<K extends Kind>(question: EngineRequest<K>, answer: (surface: Surface) => Result<K>): Promise<void> {
    const surface = await this.#office.surface()
    try {
      if (!surface) throw engineFailure('no-engine', {}, true)
      this.#answer(question, answer(surface))
    } catch (error) {
      this.#office.report(question.id, error)
    }
  }

  /** Answered by the engine, whose turn it is. What was overtaken meanwhile, or belonged to an engine that is gone, has no answer. */
  async #work<K extends Kind>(
    question: EngineRequest<K>,
    turn: Turn,
    newest: string | undefined,
    answer: (at: AtWork) => Promise<Result<K> | null>,
  ): Promise<void> {
    const at = this.#atWork(question, turn, newest)
    const unwanted = this.#unwanted(at)
    if (!at || unwanted) return this.#drop(question, unwanted ?? 'lost')
    try {
      const found = await this.#office.unlessLost(answer(at))
      const why = at.unwanted()
      if (why || found === undefined || found === null) this.#drop(question, why ?? missing(at))
      else this.#answer(question, found)
    } catch (error) {
      this.#giveUp(question, at, error)
    }
  }

  /**
   * As `#work`, but part by part, each in a turn of its own once the page has taken in the one before, so that whatever else is asked for goes
   * in between.
   */
  #stream<K extends Kind>(
    question: EngineRequest<K>,
    turn: Turn,
    newest: string | undefined,
    begin: (at: AtWork) => Stream<K>,
  ): void {
    const { turns, world, unlessLost } = this.#office
    let begun: { at: Wanted; stream: Stream<K> } | undefined
    const end = (why: Ended) => {
      // What it holds of the engine is given back.
      void begun?.stream.return(null).catch(() => {})
      this.#drop(question, why)
    }
    const next = async () => {
      if (!begun) {
        const at = this.#atWork(question, turn, newest)
        begun = at && { at, stream: begin(at) }
      }
      const unwanted = this.#unwanted(begun?.at)
      if (!begun || unwanted) return end(unwanted ?? 'lost')
      try {
        const part = await unlessLost(begun.stream.next())
        // An engine that is quick never pauses: here, too, a message to stop must get in.
        await world.breathe()
        const why = begun.at.unwanted()
        if (why || !part) return end(why ?? 'lost')
        if (part.done) {
          if (part.value === null) this.#drop(question, missing(begun.at))
          else this.#answer(question, part.value)
          return
        }
        world.post({ type: 'chunk', id: question.id, kind: question.kind, chunk: part.value } as FromWorker)
        const open = this.#open.get(question.id)
        if (open) open.goOn = () => turns.add(turn, next, newest, () => end('superseded'))
      } catch (error) {
        this.#giveUp(question, begun.at, error)
      }
    }
    turns.add(turn, next, newest, () => end('superseded'))
  }

  #unwanted(at: Wanted | undefined): Ended | undefined {
    return at ? at.unwanted() : 'lost'
  }

  /** What there is to answer from now. It is wanted until it is stopped or overtaken, or the engine or its model is another. */
  #atWork({ id }: EngineRequest<Kind>, turn: Turn, newest: string | undefined): Wanted | undefined {
    const { turns, world } = this.#office
    const engine = this.#office.engine()
    const model = this.#office.model()
    if (!engine) return undefined
    const unwanted = () => {
      const open = this.#open.get(id)
      if (!open || open.ended) return open?.ended ?? 'stopped'
      if (newest !== undefined && turns.waits(newest)) return 'superseded'
      if (this.#office.engine() !== engine) return 'lost'
      return this.#office.model() === model ? undefined : 'gone'
    }
    const pause = async () => {
      await world.breathe()
      return unwanted() === undefined
    }
    const overtaken = () => turns.waitsBefore(turn)
    return { id, engine, model, surface: () => this.#office.surface(), pause, overtaken, unwanted }
  }

  #giveUp(question: EngineRequest<Kind>, at: Wanted, error: unknown): void {
    const dropped = isFailure(error) && (error.code === 'cancelled' || this.#office.engine() !== at.engine)
    if (dropped) return this.#drop(question, at.unwanted() ?? 'superseded')
    this.#open.delete(question.id)
    this.#office.report(question.id, error)
  }

  #drop({ id, kind }: EngineRequest<Kind>, why: Ended): void {
    this.#open.delete(id)
    const { world } = this.#office
    if (why === 'lost') world.post({ type: 'failed', id, failure: engineFailure('restarted', {}, true) })
    else world.post({ type: 'dropped', id, kind, reason: why })
  }

  #answer<K extends Kind>({ id, kind }: EngineRequest<K>, answer: Result<K>): void {
    this.#open.delete(id)
    // The table holds together what the types cannot: a question's kind and its answer's.
    const message = { type: 'result', id, kind, result: answer } as FromWorker
    this.#office.world.post(message, buffers(answer))
  }
}

/** An engine without a model reads it again: its questions are lost with the one before. */
const missing = ({ model }: AtWork): Ended => (model ? 'gone' : 'lost')

/** The arrays of an answer, which are handed over rather than copied. */
function buffers(answer: unknown): Transferable[] {
  if (typeof answer !== 'object' || answer === null) return []
  const arrays = [answer, ...Object.values(answer)].filter((value) => ArrayBuffer.isView(value))
  return [...new Set(arrays.map(({ buffer }) => buffer as ArrayBuffer))]
}
