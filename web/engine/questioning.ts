import { answers, type AtWork, type ModelAtWork, type Row, type Stream } from './answers'
import { isFailure } from './failure'
import type { Asked, FromWorker } from './messages'
import type { Answer, Kind } from './questions'
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

/** What an answer works with, as long as it is wanted. */
interface Wanted extends AtWork {
  wanted(): boolean
}

interface Open {
  kind: Kind
  stopped: boolean
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

  ask<K extends Kind>(question: Asked<K>): void {
    const { id, kind, asks } = question
    const row: Row<K> = answers[kind]
    if (row.needs === 'mathematics') {
      void this.#calculate(question, (surface) => row.answer(surface, asks))
      return
    }
    if ('stream' in row && row.newestOnly) {
      for (const [older, open] of this.#open) if (open.kind === kind) this.stop(older)
    }
    this.#open.set(id, { kind, stopped: false })
    // Two runs may be asked about side by side: each has a newest question.
    const newest = !row.newestOnly ? undefined : 'run' in asks ? `${kind} of ${asks.run}` : kind
    if ('stream' in row) {
      this.#stream(question, row.turn, newest, (at) => row.stream(at, asks))
    } else {
      const work = () => this.#work(question, row.turn, newest, (at) => row.answer(at, asks))
      this.#office.turns.add(row.turn, work, newest, () => this.#answer(question, null))
    }
  }

  /** The page does not want the rest of it. */
  stop(id: number): void {
    const open = this.#open.get(id)
    if (!open) return
    open.stopped = true
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
  async #calculate<K extends Kind>(question: Asked<K>, answer: (surface: Surface) => Answer<K>): Promise<void> {
    const surface = await this.#office.surface()
    if (!surface) return
    try {
      this.#answer(question, answer(surface))
    } catch (error) {
      this.#office.report(question.id, error)
    }
  }

  /** Answered by the engine, whose turn it is. What was overtaken meanwhile, or belonged to an engine that is gone, is null. */
  async #work<K extends Kind>(
    question: Asked<K>,
    turn: Turn,
    newest: string | undefined,
    answer: (at: AtWork) => Promise<Answer<K> | null>,
  ): Promise<void> {
    const at = this.#atWork(question, turn, newest)
    if (!at?.wanted()) return this.#answer(question, null)
    try {
      const found = await this.#office.unlessLost(answer(at))
      this.#answer(question, found !== undefined && at.wanted() ? found : null)
    } catch (error) {
      this.#giveUp(question, at, error)
    }
  }

  /**
   * As `#work`, but part by part, each in a turn of its own once the page has taken in the one before, so that whatever else is asked for goes
   * in between.
   */
  #stream<K extends Kind>(
    question: Asked<K>,
    turn: Turn,
    newest: string | undefined,
    begin: (at: AtWork) => Stream<K>,
  ): void {
    const { turns, world, unlessLost } = this.#office
    let begun: { at: Wanted; stream: Stream<K> } | undefined
    const end = () => {
      // What it holds of the engine is given back.
      void begun?.stream.return(null).catch(() => {})
      this.#answer(question, null)
    }
    const next = async () => {
      if (!begun) {
        const at = this.#atWork(question, turn, newest)
        begun = at && { at, stream: begin(at) }
      }
      if (!begun?.at.wanted()) return end()
      try {
        const part = await unlessLost(begun.stream.next())
        // An engine that is quick never pauses: here, too, a message to stop must get in.
        await world.breathe()
        if (!part || !begun.at.wanted()) return end()
        if (part.done) return this.#answer(question, part.value)
        world.post({ type: 'part', id: question.id, kind: question.kind, part: part.value } as FromWorker)
        const open = this.#open.get(question.id)
        if (open) open.goOn = () => turns.add(turn, next, newest, end)
      } catch (error) {
        this.#giveUp(question, begun.at, error)
      }
    }
    turns.add(turn, next, newest, end)
  }

  /** What there is to answer from now. It is wanted until it is stopped or overtaken, or the engine or its model is another. */
  #atWork({ id }: Asked<Kind>, turn: Turn, newest: string | undefined): Wanted | undefined {
    const { turns, world } = this.#office
    const engine = this.#office.engine()
    const model = this.#office.model()
    if (!engine) return undefined
    const wanted = () =>
      this.#office.engine() === engine &&
      this.#office.model() === model &&
      this.#open.get(id)?.stopped === false &&
      (newest === undefined || !turns.waits(newest))
    const pause = async () => {
      await world.breathe()
      return wanted()
    }
    const overtaken = () => turns.waitsBefore(turn)
    return { id, engine, model, surface: () => this.#office.surface(), pause, overtaken, wanted }
  }

  #giveUp(question: Asked<Kind>, at: Wanted, error: unknown): void {
    const dropped = isFailure(error) && (error.code === 'overtaken' || this.#office.engine() !== at.engine)
    if (dropped) return this.#answer(question, null)
    this.#open.delete(question.id)
    this.#office.report(question.id, error)
  }

  #answer<K extends Kind>({ id, kind }: Asked<K>, answer: Answer<K> | null): void {
    this.#open.delete(id)
    // The table holds together what the types cannot: a question's kind and its answer's.
    const message = { type: 'answer', id, kind, answer } as FromWorker
    this.#office.world.post(message, buffers(answer))
  }
}

/** The arrays of an answer, which are handed over rather than copied. */
function buffers(answer: unknown): Transferable[] {
  if (typeof answer !== 'object' || answer === null) return []
  const arrays = [answer, ...Object.values(answer)].filter((value) => ArrayBuffer.isView(value))
  return [...new Set(arrays.map(({ buffer }) => buffer as ArrayBuffer))]
}
