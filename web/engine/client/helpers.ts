// The helpers of an engine's worker. The page creates them: in Firefox a worker that creates a worker may hang.
import type { HelperRequest, HelpersMessage, HelperStart } from '../protocol/messages'

/** Workers that compute for one engine. */
export class HelperPool {
  readonly #createHelper: () => Worker
  #helpers: Worker[] = []

  constructor(createHelper: () => Worker) {
    this.#createHelper = createHelper
  }

  /** Resolves when all of them run their code; to false where one does not, and there is none. */
  async create(count: number): Promise<boolean> {
    try {
      for (let index = 0; index < count; index++) this.#helpers.push(this.#createHelper())
      await Promise.all(this.#helpers.map(untilReady))
      return true
    } catch {
      this.end()
      return false
    }
  }

  /** Gives each helper its message. */
  start(starts: readonly HelperStart[]): void {
    starts.forEach((start, index) => this.#helpers[index]?.postMessage(start))
  }

  end(): void {
    for (const helper of this.#helpers) helper.terminate()
    this.#helpers = []
  }
}

/** Creates the helpers that the engine's worker requests, and ends them with it. */
export function provideHelpers(worker: Worker, createHelper: () => Worker): Worker {
  const pool = new HelperPool(createHelper)
  worker.addEventListener('message', async ({ data }: MessageEvent<HelperRequest>) => {
    if (data.type === 'createHelpers') {
      const created = await pool.create(data.count)
      worker.postMessage({ type: 'helpers', created } satisfies HelpersMessage)
    } else if (data.type === 'startHelpers') pool.start(data.starts)
    else if (data.type === 'endHelpers') pool.end()
  })
  const terminate = worker.terminate.bind(worker)
  worker.terminate = () => {
    pool.end()
    terminate()
  }
  return worker
}

/** Resolves when the helper's code runs. */
function untilReady(helper: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    helper.onmessage = () => resolve()
    helper.onerror = (event) => {
      // The engine's thread notices a helper that fails later: the page has nothing to report.
      event.preventDefault()
      reject(new Error(event.message))
    }
  })
}
