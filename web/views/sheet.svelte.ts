import type { Table } from '../elements/table'
import type { Scene } from '../marks/marks'

/** A table of a view, with what its numbers are. */
export interface NamedTable {
  name: string
  table: Table
}

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
}
