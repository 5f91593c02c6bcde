import type { ModelInfo } from '../../engine/protocol/protocol'
import { adapterName, backendWords } from '../../engine/client/words'
import { machine } from '../../i18n/en/rooms/machine'
import type { Measure, OfBackend } from './measuring'

export interface Surroundings {
  model: ModelInfo
  cores: number
  isolated: boolean
  browser: string
  date: string
}

const said = machine.report

/** What was measured, as plain text. */
export function writeMachineReport(backends: readonly OfBackend[], around: Surroundings): string {
  const { model, cores, isolated, browser, date } = around
  const told = said.model(
    model.architecture,
    model.num_hidden_layers,
    model.num_attention_heads,
    model.hidden_size,
    model.parameters,
    model.weights.kept,
  )
  const lines = [said.title, told, said.offered(cores, isolated), said.browser(browser), said.when(date)]
  for (const { backend, info, threads, measures, failed } of backends) {
    const name = machine.backends[backend]
    if (info && info.backend !== backend) {
      lines.push(said.missing(name, backendWords(info).why))
      continue
    }
    const what = backend === 'cpu' ? said.threads(threads) : ((info && adapterName(info)) ?? '')
    lines.push(said.backend(name, what), ...measures.map(lineOf))
    if (failed !== undefined) lines.push(said.failed(name, failed))
  }
  return lines.join('\n')
}

function lineOf(measure: Measure): string {
  switch (measure.kind) {
    case 'product':
      return said.product(measure.rows, measure.inner, measure.columns, measure.gigaflops.toFixed(1))
    case 'run': {
      const runs = measure.runs.toSorted((a, b) => a - b)
      return said.run(
        measure.tokens,
        (runs[runs.length >> 1] ?? NaN).toFixed(2),
        (runs[0] ?? NaN).toFixed(2),
        runs.length,
      )
    }
    case 'writing':
      return said.writing(measure.perSecond.toFixed(1), measure.tokens)
  }
}
