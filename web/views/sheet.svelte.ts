import type { NamedTable } from '../ui/table'
import type { Scene } from '../charts/marks'

/** What was measured in one sentence, and its numbers in another. */
export interface Headline {
  title: string
  line: string
}

/** What a view shows besides itself: a view sets it, its frame and the stage read it. */
export class Sheet {
  /** The picture, for SVG and PNG. */
  scene: Scene | undefined = $state.raw()
  /** The picture's numbers, for the table twin, CSV and JSON. */
  tables: readonly NamedTable[] = $state.raw([])
  headline: Headline | undefined = $state.raw()
  /** What it is of, in the name of its files; empty: the head that is looked at. */
  file = $state('')
  /** The command line that gives the same numbers; empty: there is none. */
  command = $state('')
  /** The run that all of it is of; undefined: it is of none. */
  run: number | undefined = $state()

  /** Whether it is of this run, which is on show. Of another one it is neither said nor handed over. */
  isOf(run: number | undefined): boolean {
    return this.run === undefined || this.run === run
  }

  /** For when its view goes. */
  clear(): void {
    this.scene = undefined
    this.tables = []
    this.headline = undefined
    this.file = ''
    this.command = ''
    this.run = undefined
  }
}
