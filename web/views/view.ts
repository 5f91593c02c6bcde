// The declaration of a view. The frame adds title, help, formula, tables, files and link.
import type { KeyWords } from '../ui/keys'
import type { ModelInfo } from '../engine/protocol/protocol'
import type { Choice } from '../viewstate/choice'
import type { AnyParams, Field, Fields, ParamsOf } from '../viewstate/fields'
import { currentLanguage } from '../i18n/messages.svelte'
import type { Language } from '../i18n/language'
import type { ViewModule } from './module'

/** How a view likes to stand: a map is square, a chart wide, several charts above each other tall. */
export type Shape = 'square' | 'tall' | 'wide'

/** The stations of the model, in the order in which a text passes them. */
export const stations = [
  'text',
  'tokens',
  'qk',
  'rotate',
  'score',
  'weight',
  'value',
  'feedForward',
  'layers',
  'guess',
] as const
export type Station = (typeof stations)[number]

/** A text in the languages L and in no other. */
type In<L extends Language, T> = Readonly<Record<L, T> & Partial<Record<Exclude<Language, L>, never>>>

interface Texts<L extends Language> {
  /** On its tab. */
  tab: In<L, string>
  /** Above it. */
  title: In<L, string>
  /** What its own keys do. */
  keyHelp?: Readonly<Record<L, KeyWords>>
}

/** In English, and in another language completely or not at all. */
type ViewTexts = Texts<'en'> | Texts<'en' | 'ko'> | Texts<'en' | 'hu'> | Texts<Language>

export type View = ViewTexts & Declaration

/** A view of Read, which has all languages. */
export type Figure = Texts<Language> & Declaration

interface Declaration<F extends Fields = Fields, M = ViewModule> {
  /** In the link, and the name of its folder. */
  id: string
  /** Of the Explorer's views: the lowest comes first. */
  order?: number
  /** The station of the model that it shows; `heads`: all heads together. A figure of Read has none. */
  station?: Station | 'heads'
  /** Where that depends on its params: the station that it shows. */
  stationOf?: (params: ParamsOf<F>) => Station
  shape: Shape
  /** In CSS px. */
  minWidth: number
  /** Whether its scores turn by every distance, however far: where distances are clamped they are not the model's. */
  assumesAllDistances?: true
  /** Whether it shows something without any model. */
  alone?: true
  /** Whether it shows the rotation: it serves no model that adds its positions, and is not named beside one. */
  needsRotation?: true
  /** Whether it can show anything of this model. */
  serves?: (model: ModelInfo) => boolean
  /** Whether it is named only where it serves the model: few do. */
  rare?: true
  /** Written into the link as `<id>.<name of the field>`. */
  params?: F
  /** MathML, from tex`…`. */
  formula?: string
  /** Fetched when the view is opened. */
  module: () => Promise<M>
}

/** Declares a view, whose module reads the params that are declared here. */
export function defineView<F extends Fields = Record<never, never>, D = unknown, C = unknown>(
  view: Texts<Language> & Declaration<F, ViewModule<ParamsOf<NoInfer<F>>, D, C>>,
): Figure
export function defineView<F extends Fields = Record<never, never>, D = unknown, C = unknown>(
  view: ViewTexts & Declaration<F, ViewModule<ParamsOf<NoInfer<F>>, D, C>>,
): View
export function defineView(view: unknown): View {
  // The frame gives a view's module the values of the fields that are declared, and the data that it returned.
  return view as View
}

/** What the keys of every map with a cursor do. */
export const cursorKeyHelp: Readonly<Record<Language, KeyWords>> = {
  en: {
    across: 'previous or next key',
    along: 'previous or next query',
    ends: 'first or last key',
    pages: 'ten queries back or on',
  },
  ko: {
    across: '키 하나 앞, 뒤로',
    along: '쿼리 하나 앞, 뒤로',
    ends: '첫 키, 마지막 키',
    pages: '쿼리 열 개 앞, 뒤로',
  },
  hu: {
    across: 'egy kulccsal vissza vagy tovább',
    along: 'egy lekérdezéssel vissza vagy tovább',
    ends: 'az első vagy az utolsó kulcs',
    pages: 'tíz lekérdezéssel vissza vagy tovább',
  },
}

/** The language of its texts: the page's, or else English. */
export const languageOf = ({ tab }: Pick<View, 'tab'>): Language => (tab[currentLanguage()] ? currentLanguage() : 'en')

export const tabOf = ({ tab }: Pick<View, 'tab'>): string => tab[languageOf({ tab })] ?? tab.en

export const titleOf = ({ tab, title }: Pick<View, 'tab' | 'title'>): string => title[languageOf({ tab })] ?? title.en

export const keyHelpOf = ({ tab, keyHelp }: Pick<View, 'tab' | 'keyHelp'>): KeyWords | undefined =>
  keyHelp && ((keyHelp as Partial<Record<Language, KeyWords>>)[languageOf({ tab })] ?? keyHelp.en)

/** What has params of its own in the link: a view, or the head grid. */
export type WithParams = Pick<View, 'id' | 'params'>

const linkName = (view: WithParams, field: Field<unknown>) => `${view.id}.${field.name}`

/** A view's params from the link's. A missing or invalid value is the default. */
export function readParams(view: WithParams, viewParams: Choice['viewParams']): Record<string, unknown> {
  const read = Object.entries(view.params ?? {}).map(([name, field]) => {
    const written = viewParams[linkName(view, field)]
    return [name, (written === undefined ? undefined : field.read(written)) ?? field.default] as const
  })
  return Object.fromEntries(read)
}

/** The link's params with some of one view's changed. Default values are left out. */
export function writeParams(
  view: WithParams,
  change: AnyParams,
  viewParams: Choice['viewParams'],
): Record<string, string> {
  const written = { ...viewParams }
  for (const [name, value] of Object.entries(change)) {
    const field = view.params?.[name]
    if (!field) continue
    const [now, usual] = [field.write(value), field.write(field.default)]
    if (now === usual) delete written[linkName(view, field)]
    else written[linkName(view, field)] = now
  }
  return written
}

/** Whether a model rotates queries and keys by their positions. */
export const isRotary = (model: ModelInfo): boolean => !model.adds_positions

/** Whether a view can show anything of a model. */
export const servesModel = (
  { needsRotation, serves }: Pick<View, 'needsRotation' | 'serves'>,
  model: ModelInfo,
): boolean => (!needsRotation || isRotary(model)) && (serves?.(model) ?? true)
