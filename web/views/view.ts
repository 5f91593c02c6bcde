// What a view declares of itself. The frame around it gives title, help, formula, table twin, export and link, once for all.
import type { Component } from 'svelte'
import type { KeyWords } from '../i18n/keyGroups'
import type { ModelInfo } from '../engine/protocol/protocol'
import type { Bench } from '../session/bench.svelte'
import type { Fields, SettingsOf } from '../viewstate/fields'
import { currentLanguage } from '../i18n/messages.svelte'
import type { Language } from '../i18n/language'
import type { Words } from '../i18n/words'
import type { AnyBody } from './body'
import type { Sheet } from './sheet.svelte'

export type { SettingsOf }

/** What a view's component is given. */
export interface ViewProps<Settings = Readonly<Record<string, unknown>>> {
  bench: Bench
  /** The view's own settings, as the link holds them. */
  settings: Settings
  set: (change: Partial<Settings>) => void
  /** Room in CSS px. On a phone the height is what a screen has; a view may be taller. */
  width: number
  height: number
  /** Whether there is room for its picture alone: what else belongs to it is where it is opened. */
  brief?: boolean
  /** Where the view puts what the frame and the stage show of it: picture, tables, headline. */
  sheet: Sheet
}

/** How a view likes to stand: a map is square, a chart wide, several charts above each other tall. */
export type Shape = 'square' | 'tall' | 'wide'

/** A few words in each language; English where there are none. */
export type Translated<T = string> = Readonly<{ en: T } & Partial<Record<Language, T>>>

export interface View {
  /** In the link, and the name of its folder. */
  id: ViewId
  /** Of the Explorer's tabs: the lowest comes first. */
  order?: number
  /** On its tab. */
  tab?: Translated
  /** Above it. */
  title?: Translated
  words?: (words: Words) => ViewWords
  shape: Shape
  /** In CSS px. */
  minWidth: number
  /** Whether its scores turn by every distance, however far: where distances are clamped they are not the model's. */
  turnsByAll?: true
  /** Whether it shows something without any model. */
  alone?: true
  /** Whether it can show anything of this model. */
  serves?: (model: ModelInfo) => boolean
  /** Whether it is named only where it serves the model: few do. */
  rare?: true
  /** Written into the link as `<id>.<name>`. */
  settings?: Fields
  /** MathML, from tex`…`. */
  formula?: string
  /** Its own keys, in words. */
  keys?: Translated<KeyWords> | ((words: Words) => KeyWords)
  component?: () => Promise<{ default: Component<ViewProps> }>
  /** Its code, fetched when the view is opened. */
  body?: () => Promise<{ default: AnyBody }>
}

/** A view of Read, which speaks all languages. */
export interface Figure extends View {
  tab: Readonly<Record<Language, string>>
  title: Readonly<Record<Language, string>>
  keys?: Readonly<Record<Language, KeyWords>>
}

/** A view with settings: its component is given what its fields read. */
export function view<F extends Fields>(
  declared: Omit<View, 'settings' | 'component'> & {
    settings: F
    component: () => Promise<{ default: Component<ViewProps<SettingsOf<F>>> }>
  },
): View {
  return declared as unknown as View
}

export interface ViewWords {
  /** On its tab. */
  tab: string
  title: string
  /** One line that a newcomer understands. */
  help: string
  /** Where the formula comes from, and what the picture does not show. */
  source: string
}

const inLanguage = <T>(text: Translated<T> | undefined): T | undefined => text?.[currentLanguage()] ?? text?.en

export const tabOf = (view: Pick<View, 'tab' | 'words'>, words: Words): string =>
  inLanguage(view.tab) ?? view.words?.(words).tab ?? ''

export const titleOf = (view: Pick<View, 'title' | 'words'>, words: Words): string =>
  inLanguage(view.title) ?? view.words?.(words).title ?? ''

export const keysOf = ({ keys }: Pick<View, 'keys'>, words: Words): KeyWords | undefined =>
  typeof keys === 'function' ? keys(words) : inLanguage(keys)

export type ViewId = string

/** What has settings of its own in the link: a view, or the dock. */
export type WithSettings = Pick<View, 'id' | 'settings'>

/** A view's settings of what the link holds; what is missing or makes no sense is as by default. */
export function readSettings(view: WithSettings, rest: Readonly<Record<string, string>>): Record<string, unknown> {
  const read = Object.entries(view.settings ?? {}).map(([name, field]) => {
    const written = rest[`${view.id}.${name}`]
    return [name, (written === undefined ? undefined : field.read(written)) ?? field.default] as const
  })
  return Object.fromEntries(read)
}

/** What the link holds, with some of a view's settings changed. What is as by default is left out. */
export function writeSettings(
  view: WithSettings,
  change: Readonly<Record<string, unknown>>,
  rest: Readonly<Record<string, string>>,
): Record<string, string> {
  const written = { ...rest }
  for (const [name, value] of Object.entries(change)) {
    const field = view.settings?.[name]
    if (!field) continue
    const [now, usual] = [field.write(value), field.write(field.default)]
    if (now === usual) delete written[`${view.id}.${name}`]
    else written[`${view.id}.${name}`] = now
  }
  return written
}

/** Whether a model turns queries and keys by their positions. */
export const turns = (model: ModelInfo): boolean => !model.adds_positions
