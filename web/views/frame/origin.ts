// Where a view's numbers come from: in the names of its files and in what they say.
import { headName } from '../../i18n/numbers'
import { parseInterventions, changeInWords } from '../../session/interventions'
import type { Bench } from '../../session/bench.svelte'
import type { Run } from '../../session/runs.svelte'
import type { Facts } from '../../ui/table'
import type { HeadPlace } from '../../viewstate/choice'
import type { Output, Published } from '../output'
import type { View } from '../view'
import { t } from './messages.en'

/** Of what a view's numbers are. */
export interface Origin {
  /** Undefined: of no model. */
  model: Run['model'] | undefined
  /** Undefined: of no text. A model's heads over a book are of the model alone. */
  run: Run | undefined
  /** Undefined: of no single head. */
  head: HeadPlace | undefined
  view: string
  published: Published
}

export function originOf(
  { id, alone }: Pick<View, 'id' | 'alone'>,
  output: Output | undefined,
  { run, head }: Pick<Bench, 'run' | 'head'>,
): Origin | undefined {
  const { published, stale = false } = output?.pictureFor(run) ?? {}
  // Numbers of a head that is still loading would have the name of the next.
  if (!output || !published || stale) return undefined
  const isOfModel = output.isOfRun || !alone
  return {
    model: isOfModel ? run?.model : undefined,
    run: output.isOfRun ? run : undefined,
    head: isOfModel && published.subject === undefined ? head : undefined,
    view: id,
    published,
  }
}

/** `ropescope-roformer-english-L2H6-map.csv` */
export function fileName({ model, run, head, view, published: { subject, kind } }: Origin, ending: string): string {
  const of = head ? `L${head.layer}H${head.head}` : subject
  return named([model?.info.name, run?.reading.pair?.part, of, view, kind], ending)
}

/** The name of a file that has all activations of a model. */
export const activationsName = (model: string): string => named([model, 'activations'], 'safetensors')

function named(parts: readonly (string | undefined)[], ending: string): string {
  const plain = parts.map((part) => part?.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-'))
  return `${['ropescope', ...plain.filter(Boolean)].join('-')}.${ending}`
}

/** Characters of a text in a caption. */
const mostText = 120

/** “roformer-english · L2·H6 · attention weight · “the little dog …”” @param title of the view, where its numbers have no name of their own */
export function captionOf({ model, run, head, published }: Origin, title: string): string {
  const part = run?.reading.pair?.part
  const parts = [
    model?.info.name,
    part && t().parts[part],
    head && headName(head),
    published.quantity ?? title,
    run && changeInWords(parseInterventions(run.interventions), run.model.info.num_attention_heads),
    run && t().quoted(shortened(run.text)),
  ]
  return parts.filter(Boolean).join(' · ')
}

function shortened(text: string): string {
  const letters = [...text.replaceAll(/\s+/g, ' ').trim()]
  return letters.length > mostText ? `${letters.slice(0, mostText).join('').trimEnd()}…` : letters.join('')
}

/** For programs and reviewers: the model, the text, the head and what was changed, and the commit of the page. */
export function factsOf({ model, run, head, published }: Origin): Facts {
  const source = model?.source
  const facts = {
    commit: import.meta.env.COMMIT || undefined,
    model: model?.info.name,
    revision: source?.kind === 'hub' ? source.revision : undefined,
    text: run?.text,
    part: run?.reading.pair?.part,
    head: head && headName(head),
    changes: run?.interventions ? (JSON.parse(run.interventions) as unknown) : undefined,
    command: published.command,
  }
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined))
}
