// What a view computes: its picture, and what the page says and saves of it.
import type { Scene } from '../charts/marks'
import type { Run } from '../session/runs.svelte'
import type { Action } from '../ui/keys'
import type { Headline, NamedTable } from '../ui/table'
import type { Cursor } from '../viewstate/clamp'
import type { Choice, HeadPlace } from '../viewstate/choice'

export type { Headline }

/** What leaves a view: the stage shows its headline, the frame saves its picture and tables. */
export interface Published {
  headline?: Headline | undefined
  /** For the table twin, CSV and JSON. */
  tables?: readonly NamedTable[] | undefined
  /** The command line that computes the same numbers. */
  command?: string | undefined
  /** The subject in the names of saved files; by default the selected head. */
  file?: string | undefined
}

/** An answer of the engine, or what is computed of one: it names its run. */
export interface OfOneRun {
  readonly run: Run | number
}

/** What is published of one run. It can be read only by naming the run on show, so no run's numbers stand for another's. */
export class OfRun {
  readonly #run: number | undefined
  readonly #published: Published

  private constructor(run: number | undefined, published: Published) {
    this.#run = run
    this.#published = published
  }

  /** @param answer that all of it is computed of */
  static from({ run }: OfOneRun, published: Published): OfRun {
    return new OfRun(typeof run === 'number' ? run : run.result.run, published)
  }

  /** Of numbers that no run is needed for. */
  static none(published: Published): OfRun {
    return new OfRun(undefined, published)
  }

  /** What is published, if it is of this run or of none. */
  of(run: number | undefined): Published | undefined {
    return this.#run === undefined || this.#run === run ? this.#published : undefined
  }
}

/** Where a click or a key leads, and the sentence that announces it. */
export interface Target<P = Readonly<Record<string, unknown>>> {
  cursor?: Partial<Cursor>
  /** What the ruler of Read's figures sets. */
  choice?: Partial<Choice>
  /** The view's own parameters. */
  params?: Partial<P>
  say?: string
}

/** A control below the view's header, which sets one parameter. */
export type Control<P = Readonly<Record<string, unknown>>> =
  | { kind: 'segmented'; param: keyof P & string; label: string; options: readonly { value: string; text: string }[] }
  | {
      kind: 'slider'
      param: keyof P & string
      label: string
      stops: readonly number[]
      format: (value: number) => string
    }
  | { kind: 'toggle'; param: keyof P & string; label: string; help?: string; on: unknown; off: unknown }

/** A view's output. It is computed from the inputs alone. */
export interface Output<P = Readonly<Record<string, unknown>>> {
  /** Text in place of a picture: why there is none, or that it is loading. */
  note?: string | undefined
  scene?: Scene | undefined
  /** The picture's description for screen readers. */
  label?: string | undefined
  /** A sentence below the picture. */
  caption?: string
  /** Whether the picture is of an earlier request and a newer one is loading. */
  stale?: boolean
  published?: OfRun | undefined
  controls?: readonly Control<P>[]
  /** What a click at this place of the scene, in CSS px, selects. */
  hit?: ((x: number, y: number) => Target<P> | undefined) | undefined
  /** The head below the pointer, which all views preview. */
  preview?: ((x: number, y: number) => HeadPlace | undefined) | undefined
  /** Where an action of the keyboard leads. */
  keys?: ((action: Action) => Target<P> | undefined) | undefined
}
