// What the page says of the engine: its backend, its troubles and its failures.
import { t } from './messages.en'
import { textOf, type FailureCode } from '../protocol/failure'
import type { EngineInfo, Failure } from '../protocol/protocol'
import { t as failures } from './failures.en'

interface BackendWords {
  name: 'GPU' | 'CPU'
  /** Completes "GPU: …". */
  why: string
  /** What to do, or what it means; may be empty. */
  advice: string
}

export function backendWords(info: EngineInfo): BackendWords {
  const { reasons, software, browserSaid } = t()
  const { why, advice } = reasons[info.reason]
  const name = info.backend === 'gpu' ? 'GPU' : 'CPU'
  const sentences = [
    advice,
    name === 'GPU' && info.fallbackAdapter ? software : '',
    info.detail ? browserSaid(info.detail) : '',
  ]
  return { name, why, advice: sentences.filter(Boolean).join(' ') }
}

/** How many threads multiply matrices, and why no more. `byVisitor`: the visitor chose an isolated page. */
export function threadsText(threads: number, byVisitor = false): string {
  if (globalThis.crossOriginIsolated) return t().threads(threads)
  return byVisitor ? t().refused : t().notIsolated
}

/** Undefined where the browser tells nothing. */
export function adapterName(info: EngineInfo): string | undefined {
  const names = info.adapter ? [info.adapter] : [info.vendor, info.architecture]
  return names.filter(Boolean).join(' ') || undefined
}

/** A problem for people to read: what it is, and what happens now or what to do. */
export interface Trouble {
  title: string
  text: string
  /** Whether to offer another try. */
  retryable: boolean
  /** The place in the code, for a report. Only a trouble with details offers a report. */
  details?: string
}

/** Of an error that no code of the page has caught. */
export function pageTrouble(error: unknown): Trouble {
  const { title, text } = t().troubles.page
  const details = error instanceof Error ? (error.stack ?? String(error)) : textOf(error)
  return { title, text: text(textOf(error)), retryable: false, details }
}

export function loadTrouble(failure: Failure, before: string | undefined): Trouble {
  const { cancelled, failed, stays } = t().troubles.load
  const text = before === undefined ? failure.message : `${failure.message} ${stays(before)}`
  return { title: failure.code === 'cancelled' ? cancelled : failed, text, retryable: failure.retryable }
}

/** `ofChange`: the text ran, but not with the interventions. */
export function runTrouble(failure: Failure, ofChange = false): Trouble {
  const { run, changedRun } = t().troubles
  return { title: ofChange ? changedRun : run, text: failure.message, retryable: failure.retryable }
}

/** `loading`: only a load waits. */
export function silentTrouble(seconds: number, loading: boolean): Trouble {
  const { title, text } = loading ? t().troubles.silentLoad : t().troubles.silent
  return { title, text: text(seconds), retryable: true }
}

/** The engine no longer holds the result on show. */
export function goneTrouble(): Trouble {
  const { title, result } = t().troubles.gone
  return { title, text: result, retryable: true }
}

export function writingTrouble(failure: Failure): Trouble {
  return { title: t().troubles.writing, text: failure.message, retryable: failure.retryable }
}

export function engineTrouble(failure: Failure): Trouble {
  const { notStarted, notPainted, noWebAssembly } = t().troubles.engine
  const text = typeof WebAssembly === 'undefined' ? `${failure.message} ${noWebAssembly}` : failure.message
  return { title: failure.code === 'wasm' ? notStarted : notPainted, text, retryable: failure.retryable }
}

export function lossTrouble(message: string): Trouble {
  const { title, text } = t().troubles.lost
  return { title, text: message ? `${text} ${t().browserSaid(message)}` : text, retryable: false }
}

export function crashTrouble(message: string, restarting: boolean): Trouble {
  const { title, text } = t().troubles.crash[restarting ? 'restarting' : 'repeated']
  return { title, text: text(message), retryable: !restarting }
}

/** The message of a crash without one. */
export const noWorker = () => failures().noWorker

/**
 * A failure with a message for people, in the language of the page when it is read. The engine's failures are a code with parameters; others
 * have a message already.
 */
export function withMessage(failure: Failure): Failure {
  const { code, parameters } = failure
  if (!parameters || !isCode(code)) return failure
  return {
    ...failure,
    get message() {
      try {
        return failures()[code](parameters as never)
      } catch {
        // The engine is of another build, and has other parameters: a getter that throws would stop the page.
        return failures().unworded(code)
      }
    },
  }
}

const isCode = (code: string): code is FailureCode =>
  code !== 'noWorker' && code !== 'unworded' && Object.hasOwn(failures(), code)
