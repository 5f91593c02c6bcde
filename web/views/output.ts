// What a view computes: its picture, and what the page says and saves of it.
import type { Box, Scene } from '../charts/marks'
import type { Sentence } from '../i18n/rich'
import type { Action } from '../ui/keys'
import type { Headline, NamedTable } from '../ui/table'
import type { Choice, HeadPlace, Cursor } from '../viewstate/choice'
import type { Bench } from '../session/bench.svelte'
import type { Run } from '../session/runs.svelte'
import type { AnyParams } from '../viewstate/fields'
import type { Part } from './sites'

export type { Headline }

/** What leaves a view: the stage shows its headline, the frame saves its picture and tables. */
export interface Published {
  headline?: Headline | undefined
  /** Why the numbers of the headline are as they are, in a sentence; under the headline of any view that is open. */
  why?: Sentence | undefined
  /** The largest parts of the headline's number, where it is an aggregate: numbers that have explanations. */
  parts?: readonly Part[] | undefined
  /** What the key's walk shows at its present place. */
  caption?: Sentence | undefined
  /** For the table twin, CSV and JSON. */
  tables?: readonly NamedTable[] | undefined
  /** The command line that computes the same numbers. */
  command?: string | undefined
  /** What the numbers are of, as a part of a file's name: by default the selected head; empty: of the text, whatever head is selected. */
  subject?: string | undefined
  /** The heads that the numbers are of, for readers, where they are other than the selected one. */
  heads?: string | undefined
  /** Which of the view's numbers they are, where it has several kinds: a part of a file's name. */
  kind?: string | undefined
  /** What the picture is of, in a figure's caption; by default the view's title. */
  quantity?: string | undefined
}

/** Where a click, a key or a control leads, and the sentence that announces it. */
export interface Target<P = AnyParams> {
  cursor?: Partial<Cursor>
  /** What else of the state changes: an intervention, the head to compare with, the ruler of Read. */
  choice?: Partial<Choice>
  /** The view's own parameters. */
  params?: Partial<P>
  /** The site of a number whose explanation opens. */
  explain?: string
  /** The distance (query − key) to which the key's vector is moved; null puts it back. */
  walk?: number | null
  /** What else happens: a measurement starts, or stops. */
  act?: () => void
  say?: string
}

/** Sets a parameter of the view, or follows a target. */
type Selects<P> = { param: keyof P & string } | { value: string; to: (value: string) => Target<P> }

export interface Button<P> {
  label: string
  help?: string
  disabled?: boolean
  /** Of a switch: whether it is on. */
  pressed?: boolean
  to: Target<P>
}

interface NumberField<P> {
  kind: 'number'
  label: string
  value: number
  min?: number
  max?: number
  step?: number
  /** @param value NaN where what is typed is no number */
  to: (value: number) => Target<P> | undefined
}

interface TextField<P> {
  kind: 'textField'
  label: string
  value: string
  placeholder: string
  /** Characters. */
  longest: number
  to: (text: string) => Target<P>
}

/** What a visitor sets. */
type Control<P = AnyParams> =
  /** One option: of a few that are all visible, or of many. `labelled`: with a visible label, as a select has by default. */
  | ({
      kind: 'segmented' | 'select'
      label: string
      labelled?: boolean
      help?: string
      options: readonly { value: string; text: string; disabled?: boolean }[]
    } & Selects<P>)
  | {
      kind: 'slider'
      label: string
      value: number
      stops: readonly number[]
      format: (value: number) => string
      to: (value: number) => Target<P>
    }
  | NumberField<P>
  | TextField<P>
  | ({ kind: 'button' } & Button<P>)
  /** Switches that belong together. */
  | { kind: 'buttons'; label: string; labelled?: true; buttons: readonly Button<P>[] }

/** Of a table: text, a number that can be changed, or a button. */
export type Cell<P = AnyParams> =
  string | { kind: 'text'; text: Sentence } | NumberField<P> | ({ kind: 'button' } & Button<P>)

/** What a row above or below the picture consists of. `name` is that of tests: `<view>-<name>`. */
export type PanelItem<P = AnyParams> =
  | Control<P>
  /** `lines`: its least height. `look`: of a text that visitors read like a book's, not beside a control. */
  | {
      kind: 'text'
      text: string | Sentence
      name?: string
      role?: 'status' | 'alert'
      lines?: number
      look?: 'reading'
    }
  | { kind: 'list'; items: readonly string[]; name?: string }
  | { kind: 'progress'; label: string; value: number; max: number }
  /** MathML, from tex`…`. */
  | { kind: 'formula'; label: string; formula: string }
  | { kind: 'picture'; scene: Scene }
  | {
      kind: 'table'
      caption: string | Sentence
      header?: readonly (string | { kind: 'text'; text: Sentence })[]
      /** The first cell of each is its header. */
      rows: readonly (readonly Cell<P>[])[]
      /** The row that stands out. */
      current?: number
      /** Of a wide table, which takes all of the width and scrolls. */
      label?: string
    }

/** False and undefined parts are left out. */
export type PanelRow<P = AnyParams> = readonly (PanelItem<P> | false | undefined)[]

/** A slider on the picture. */
export interface SceneSlider<P = AnyParams> {
  label: string
  /** 0 by default. */
  min?: number
  max: number
  now: number
  /** Its value in words. */
  text: string
  /** What moves it: a click, a press and the pointer until it is released, or the pointer alone. */
  follows: 'click' | 'drag' | 'pointer'
  /** What it takes of the picture; by default all of it. */
  box?: Box
  /** Whether it is a handle that is moved both ways. */
  round?: true
  /** Where this place of the scene, in CSS px, leads. */
  hit: (x: number, y: number) => Target<P> | undefined
  onAction: (action: Action) => Target<P> | undefined
}

/** What a view draws, says and saves. `C`: what its component draws. */
export interface Picture<P = AnyParams, C = unknown> {
  /** A sentence in place of a picture: why there is none, or that it is loading. */
  message?: string | undefined
  scene?: Scene | undefined
  /** What the view's component draws: numbers, words, and where they lead. */
  drawing?: C | undefined
  /** The picture's description for screen readers. */
  label?: string | undefined
  /** The view's line of help, where it depends on what the picture shows. */
  help?: string | undefined
  /** The view's formula (MathML, from tex`…`), where it depends on what the picture shows. */
  formula?: string | undefined
  /** Where the formula comes from, where it depends on what the picture shows. */
  source?: string | undefined
  /** Places of the picture that the captions of a story point at, by name. */
  anchors?: Readonly<Record<string, Box>> | undefined
  /** Whether a newer request of the same run is loading. An output of another run is stale by itself. */
  stale?: boolean
  /** Why no newer picture comes, where a request of this view failed. A failure of the run itself is the frame's to say. */
  failure?: string | undefined
  published?: Published | undefined
  /** The site of the selected number, or else of the one that the picture is of: the frame leads to its explanation. */
  explains?: string | undefined
  /** Controls beside the view's title. */
  tools?: PanelRow<P>
  /** Controls, sentences and tables above the picture, row by row; also above the message. */
  above?: readonly PanelRow<P>[]
  below?: readonly PanelRow<P>[]
  /** What a click at this place of the scene, in CSS px, selects. */
  hit?: ((x: number, y: number) => Target<P> | undefined) | undefined
  /** The head below the pointer, which all views preview. */
  preview?: ((x: number, y: number) => HeadPlace | undefined) | undefined
  /** Where an action of the keyboard leads. */
  onAction?: ((action: Action) => Target<P> | undefined) | undefined
  /** In place of `hit` and `onAction`. */
  sliders?: readonly SceneSlider<P>[]
}

/** An answer of the engine, or the parameters of a request to it: both name their run. */
interface AnswerOfRun {
  readonly run: number
}

/** What a picture is computed of. */
type OfRun = Pick<Run, 'id'> | AnswerOfRun

/** The run on show; undefined while there is none. */
type RunOnShow = Pick<Run, 'id'> | undefined

/** A view's output: a picture that can be opened only by naming the run on show, so no run's numbers stand for another's. */
export class Output<P = AnyParams, C = unknown> {
  readonly #runs: readonly number[]
  readonly #picture: Picture<P, C>

  private constructor(runs: readonly number[], picture: Picture<P, C>) {
    this.#runs = runs
    this.#picture = picture
  }

  /** @param runs the run that the picture is computed of, or an answer about it; of several runs, all */
  static of<P = unknown, C = unknown>(
    runs: OfRun | readonly [OfRun, ...OfRun[]],
    picture: NoInfer<Picture<P, C>>,
  ): Output<P, C> {
    const all = 'id' in runs || 'run' in runs ? [runs] : runs
    return new Output(
      all.map((one) => ('id' in one ? one.id : one.run)),
      picture,
    )
  }

  /** A picture that no run is needed for. */
  static ofNoRun<P = unknown, C = unknown>(picture: NoInfer<Picture<P, C>>): Output<P, C> {
    return new Output([], picture)
  }

  /** A sentence in place of a picture. */
  static message<P = unknown, C = unknown>(message: string): Output<P, C> {
    return new Output<P, C>([], { message })
  }

  /** Nothing yet: the first answer comes in a moment. */
  static empty<P = unknown, C = unknown>(): Output<P, C> {
    return new Output<P, C>([], {})
  }

  /** Whether it is of a run, and so of its model and text. */
  get isOfRun(): boolean {
    return this.#runs.length > 0
  }

  /** The picture. That of another run is stale, and has nothing to say or save. */
  pictureFor(run: RunOnShow): Picture<P, C> {
    return this.#fits(run)
      ? this.#picture
      : { ...this.#picture, stale: true, published: undefined, explains: undefined }
  }

  /** The part of a target of this picture that leads anywhere: positions of another run are of another text. */
  reachable(target: Target<P> | undefined, run: RunOnShow): Target<P> | undefined {
    if (!target || this.#fits(run)) return target
    if (target.walk !== undefined) return undefined
    const { cursor, explain: _explain, say: _say, ...settings } = target
    const { query: _query, key: _key, ...place } = cursor ?? {}
    const rest = Object.keys(place).length > 0 ? { ...settings, cursor: place } : settings
    return Object.keys(rest).length > 0 ? rest : undefined
  }

  /** Whether all of it is of this run, or of none. */
  #fits(run: RunOnShow): boolean {
    return this.#runs.every((one) => one === run?.id)
  }
}

/** Does what a click, a key or a control leads to. @param set changes the view's parameters */
export function followTarget(target: Target, bench: Bench, set: (change: AnyParams) => void): void {
  if (target.cursor) bench.chooseForRun(target.cursor)
  if (target.choice) bench.choose(target.choice)
  if (target.params) set(target.params)
  if (target.explain !== undefined) bench.explain(target.explain)
  if (target.walk !== undefined) {
    bench.walk.pause()
    bench.walk.moveTo(target.walk ?? undefined, false)
  }
  target.act?.()
}
