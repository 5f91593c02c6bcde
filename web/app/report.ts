import type { EngineInfo, ModelInfo, RunReport } from '../engine/protocol/protocol'
import { adapterName, backendWords, threadsText, pageTrouble, type Trouble } from '../engine/client/words'
import type { Bench } from '../session/bench.svelte'
import { byteCount, decimal, integer } from '../i18n/numbers'
import { t } from './messages.en'

/** The facts of a bug report. Of the text it has the length alone. */
export interface Facts {
  info: EngineInfo | undefined
  /** The number of CPU threads, in words. */
  threads: string
  model: ModelInfo | undefined
  report: RunReport | undefined
  /** The number of tokens of the last run. */
  length: number
  troubles: readonly string[]
  browser: string
  screen: { width: number; height: number; ratio: number }
}

/** The current report of this page. `isolates`: whether the visitor asked for cross-origin isolation, for threads. */
export function reportHere({ engine, run }: Bench, isolates: boolean | undefined): string {
  return writeReport({
    info: engine.info,
    model: engine.model?.info,
    threads: threadsText(engine.threads, isolates),
    report: run?.result.report,
    length: run?.result.length ?? 0,
    troubles: Object.values(engine.troubles).map((trouble) => {
      const { title, text, details } = trouble()
      return [`${title}: ${text}`, ...(details === undefined ? [] : [details])].join('\n')
    }),
    browser: navigator.userAgent,
    screen: { width: innerWidth, height: innerHeight, ratio: devicePixelRatio },
  })
}

/** The facts as plain text, one a line. */
export function writeReport({ info, threads, model, report, length, troubles, browser, screen }: Facts): string {
  const lines = ['ropescope report']
  if (info) {
    const { name, why } = backendWords(info)
    lines.push(
      `backend: ${name} (${why}; ${info.reason})`,
      `adapter: ${adapterName(info) ?? 'not named by the browser'}`,
    )
    if (info.backend === 'cpu') lines.push(`threads: ${threads}`)
    if (info.detail) lines.push(`the browser said: ${info.detail}`)
  } else {
    lines.push('backend: none')
  }
  if (model) {
    lines.push(
      `model: ${model.architecture}, ${model.num_hidden_layers} layers × ${model.num_attention_heads} heads, hidden size ${model.hidden_size}, vocabulary ${integer(model.vocab_size)}, ${integer(model.parameters)} parameters`,
    )
  }
  if (report) {
    lines.push(
      `last run: ${length} tokens in ${report.milliseconds.toFixed(2)} ms on the ${report.backend.toUpperCase()}`,
      `dispatches: ${report.dispatches}, for painting ${report.paintDispatches}; created: ${report.created}`,
      `held: ${byteCount(report.bytesAllocated)}; read back: ${byteCount(report.bytesReadBack)}`,
    )
  }
  for (const trouble of troubles) lines.push(`trouble: ${trouble}`)
  lines.push(`browser: ${browser}`, `page: ${screen.width} × ${screen.height} at ${screen.ratio}`)
  return lines.join('\n')
}

// Reports errors and rejected promises that no code catches.

/** A ResizeObserver that causes another layout is delayed to the next frame: not a failure. */
const putOff = /^ResizeObserver loop/

/** Returns how to stop. */
export function hearUncaught(page: EventTarget, report: (trouble: () => Trouble) => void): () => void {
  const failed = (event: Event) => {
    const { error, message } = event as ErrorEvent
    if (error == null && (!message || putOff.test(message))) return
    report(() => pageTrouble(error ?? message))
  }
  const rejected = (event: Event) => report(() => pageTrouble((event as PromiseRejectionEvent).reason))
  page.addEventListener('error', failed)
  page.addEventListener('unhandledrejection', rejected)
  return () => {
    page.removeEventListener('error', failed)
    page.removeEventListener('unhandledrejection', rejected)
  }
}

export function duration(milliseconds: number): string {
  if (milliseconds >= 10_000) return t().seconds(decimal(milliseconds / 1000, 1))
  return t().milliseconds(decimal(milliseconds, milliseconds < 10 ? 1 : 0))
}
