// The command line that gives the numbers of a view, for a POSIX shell.
import type { ModelInfo } from '../engine/protocol'
import { headsOff, runChange, type Changing } from '../state/change'

/** What was run. */
export interface Told {
  /** The folder of a bundled model; empty: one of the visitor's own. */
  folder: string
  model: ModelInfo
  text: string
  change: Changing
}

/** The likeliest words for each mask. */
export function fillMaskLine(told: Told): string {
  return ['ropescope fill-mask', ...subject(told), ...changes(told)].join(' ')
}

/** A run that writes what is tapped besides its result. */
export function runLine(told: Told, ...taps: readonly string[]): string {
  const { offset } = told.change
  return [
    'ropescope run',
    ...subject(told),
    ...(offset > 0 ? [`--position-offset ${offset}`] : []),
    ...changes(told),
    ...(taps.length > 0 ? [`--taps ${taps.join(',')}`] : []),
    '--output out.safetensors',
  ].join(' ')
}

function subject({ folder, model, text }: Told): string[] {
  return [`--model ${quoted(folder === '' ? model.name : `models/${folder}`)}`, `--text ${quoted(text)}`]
}

function changes({ change, model }: Told): string[] {
  const { muted } = runChange(change, model)
  const off = headsOff(change.off, model).map(({ layer, head }) => `${layer}.${head}`)
  const pairs = (fate: 'stop' | 'cut') =>
    muted
      .filter((entry) => entry.fate === fate)
      .flatMap(({ layer, head, pairs }) => {
        const heads = head === null ? Array.from({ length: model.num_attention_heads }, (_, index) => index) : [head]
        return heads.flatMap((head) => spans(pairs).map((span) => `${layer}.${head}:${span}`))
      })
  const flag = (name: string, values: readonly string[]) => (values.length > 0 ? [`${name} ${values.join(',')}`] : [])
  return [...flag('--stop-pairs', pairs('stop')), ...flag('--cut-pairs', pairs('cut')), ...flag('--heads-off', off)]
}

/** 0, 1, 2, 5 as 0-2 and 5. */
function spans(pairs: readonly number[]): string[] {
  const found: [number, number][] = []
  for (const pair of pairs) {
    const last = found.at(-1)
    if (last && pair === last[1] + 1) last[1] = pair
    else found.push([pair, pair])
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
