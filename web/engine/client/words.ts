import { t } from './messages.en'
import { textOf } from '../protocol/failure'
import type { EngineInfo, Failure } from '../protocol/protocol'

/** What runs and why, for people. */
export interface BackendWords {
  name: 'GPU' | 'CPU'
  /** Completes "GPU: …". */
  why: string
  /** What to do about it, or what it means; may be empty. */
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

/** On how many threads products are made, and why on no more. `chosen`: the visitor wants the page isolated. */
export function threadsText(threads: number, byVisitor = false): string {
  if (globalThis.crossOriginIsolated) return t().threads(threads)
  return byVisitor ? t().refused : t().notIsolated
}

/** The adapter's name from what the browser tells of it; undefined where it tells nothing. */
export function adapterName(info: EngineInfo): string | undefined {
  const names = info.adapter ? [info.adapter] : [info.vendor, info.architecture]
  return names.filter(Boolean).join(' ') || undefined
}

/** Something that went wrong: what, and what happens now or what to do. */
export interface Trouble {
  title: string
  text: string
  /** Whether the same thing may work when tried again. */
  retryable: boolean
  /** What a report says beside title and text: where in the code it happened. There is a report to be copied where there is this. */
  details?: string
}

/** An error that no code of the page has caught. */
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

/** `ofChange`: the text has run, but not with what is changed in the model. */
export function runTrouble(failure: Failure, ofChange = false): Trouble {
  const { run, changedRun } = t().troubles
  return { title: ofChange ? changedRun : run, text: failure.message, retryable: failure.retryable }
}

/** `loading`: only a model was asked for. */
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
