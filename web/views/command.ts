// The command line that gives a view's numbers.
import type { ModelInfo, PairIntervention } from '../engine/protocol/protocol'
import type { TextRun } from '../engine/protocol/requests'
import type { Tap } from '../engine/protocol/site'
import { runOf } from '../session/reading'
import type { Run } from '../session/runs.svelte'
import { neuronWritten } from '../viewstate/fields'

/** A text, the model that it runs in, and what is changed in that. */
export type CommandInput = Pick<Run, 'model' | 'text' | 'reading' | 'interventions'>

/** `ropescope run` on the text and with the changes of this result; `taps` in the command line's words. */
export function runCommand(run: CommandInput, taps: readonly Tap[], output = 'out.safetensors'): string {
  const params = runOf(run)
  const { positionOffset: offset } = params
  return [
    ...program('run', run),
    ...subject(run, params),
    ...(offset === 0 ? [] : [`--position-offset ${offset}`]),
    ...changes(params, run.model.info),
    ...(taps.length === 0 ? [] : [`--taps ${taps.join(',')}`]),
    `--output ${output}`,
  ].join(' ')
}

/** `ropescope explain`: the number at this site of the text, with the changes that numbers of a run have explanations under. */
export function explainCommand(run: CommandInput, site: string): string {
  const params = runOf(run)
  const { positionOffset: offset } = params
  return [
    ...program('explain', run),
    ...subject(run, params),
    ...(offset === 0 ? [] : [`--position-offset ${offset}`]),
    ...changes(params, run.model.info),
    option('--at', site),
  ].join(' ')
}

/** `ropescope neurons`: the strongest neurons of a layer at a row of the text, with the tokens that each reads and writes. */
export function neuronsCommand(run: CommandInput, layer: number, row: number, top = 10): string {
  const params = runOf(run)
  const { positionOffset: offset, pair } = params
  return [
    ...program('neurons', run),
    ...subject(run, params),
    ...(offset === 0 ? [] : [`--position-offset ${offset}`]),
    ...changes(params, run.model.info),
    ...(pair?.part === 'encoder' ? ['--part encoder'] : []),
    `--layer ${layer} --row ${row} --top ${top}`,
  ].join(' ')
}

/** `ropescope decay`: a curve over distances by itself, for one plain rope. */
export const decayCommand = (headSize: number, base: number, maxDistance: number, curve: 'bound' | 'cosines'): string =>
  `ropescope decay --head-dim ${headSize} --base ${base} --max-distance ${maxDistance} --curve ${curve}`

/** `ropescope rope`: the frequencies of a plain rope. */
export const ropeCommand = (headSize: number, base: number): string =>
  `ropescope rope --head-dim ${headSize} --base ${base}`

/** `ropescope fill-mask` on the same; it takes no offset. `most`: how many fills; undefined: as many as it gives by itself. */
export function fillMaskCommand(run: Run, most?: number): string {
  // It takes no ids.
  if (run.reading.truncated) return runCommand(run, [])
  const many = most === undefined ? [] : [`--top-k ${most}`]
  const params = runOf(run)
  return [...program('fill-mask', run), ...subject(run, params), ...changes(params, run.model.info), ...many].join(' ')
}

/** The three ways to rotate, timed; it needs no model. */
export const rotationCommand = 'ropescope bench-rotation'

/** The text `-` stands for standard input. */
const program = (name: string, { text, reading }: CommandInput): string[] =>
  text === '-' && !reading.pair ? ['printf %s - |', `ropescope ${name}`] : [`ropescope ${name}`]

function subject({ model, text, reading }: CommandInput, { ids, pair, beyondLength }: TextRun): string[] {
  const { source, info } = model
  // A model of the hub lies where it was cloned to.
  const [folder = ''] = source.kind === 'url' ? [`models/${source.name}`] : source.name.split('/').slice(-1)
  const { format } = info.weights
  // As stored and as f32 the numbers are the same.
  const weights = format === 'stored' || format === 'f32' ? [] : [`--weights ${format}`]
  const more = [...(beyondLength ? ['--beyond-length'] : []), ...weights]
  const named = option('--model', folder)
  const list = (tokens: Uint32Array) => Array.from(tokens).join()
  // Both as ids: the command line puts no text behind a source.
  if (pair) return [named, option('--ids', list(pair.source)), option('--decoder-ids', list(pair.text)), ...more]
  // Only the beginning of the text was read: the command line would read all of it.
  if (reading.truncated) return [named, option('--ids', list(ids)), ...more]
  return [named, option('--text', text), ...more]
}

function changes({ change = {} }: TextRun, model: ModelInfo): string[] {
  const {
    muted = [],
    ablatedHeads = [],
    headReplacement,
    neuronsOff = [],
    numbers = [],
    ropeScaling,
    rotaryValue,
    rotatesValues,
    logN,
    distanceClamp,
    attention,
  } = change
  const pairs = (kind: 'frozen' | 'ablated') =>
    muted.filter((entry) => entry.kind === kind).flatMap((entry) => spansOf(entry, model))
  const flag = (name: string, values: readonly string[]) => (values.length === 0 ? [] : [`${name} ${values.join(',')}`])
  return [
    ...flag('--freeze-pairs', pairs('frozen')),
    ...flag('--ablate-pairs', pairs('ablated')),
    ...flag(
      headReplacement === 'mean' ? '--ablate-heads-mean' : '--ablate-heads',
      ablatedHeads.map(({ layer, head }) => `${layer}.${head}`),
    ),
    ...flag('--neurons-off', neuronsOff.map(neuronWritten)),
    ...numbers.map((text) => `--intervene ${quoted(text)}`),
    ...(ropeScaling === undefined ? [] : [`--rope-scaling ${quoted(ropeScaling)}`]),
    ...(rotaryValue ? ['--rotary-value'] : []),
    ...(rotatesValues ? ['--rove'] : []),
    ...(logN === undefined ? [] : [`--log-n ${logN}`]),
    ...(distanceClamp === undefined ? [] : [`--rerope ${distanceClamp}`]),
    ...(attention === undefined ? [] : [`--attention ${attention.replaceAll('_', '-')}`]),
  ]
}

/** Pairs 0, 1, 2, 5 of head 2.6 as 2.6:0-2 and 2.6:5; of all heads each by itself, as the command line takes them. */
function spansOf({ layer, head, pairs }: PairIntervention, model: ModelInfo): string[] {
  const heads = head === null ? Array.from({ length: model.num_attention_heads }, (_, index) => index) : [head]
  const spans: [number, number][] = []
  for (const pair of pairs) {
    const last = spans.at(-1)
    if (last && last[1] === pair - 1) last[1] = pair
    else spans.push([pair, pair])
  }
  return heads.flatMap((head) =>
    spans.map(([first, last]) => `${layer}.${head}:${first === last ? first : `${first}-${last}`}`),
  )
}

/** What begins with a hyphen would be another option; a hyphen alone is standard input. */
const option = (name: string, value: string): string =>
  value.length > 1 && value.startsWith('-') ? `${name}=${quoted(value)}` : `${name} ${quoted(value)}`

/** As a shell takes it word for word. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
