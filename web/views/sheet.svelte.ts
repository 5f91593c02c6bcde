import type { NamedTable } from '../ui/table'
import type { Scene } from '../charts/marks'
import type { Headline, Output, Published } from './output'

export type { Headline } from './output'

/** The output of an open view, for its frame and the stage. */
export class Sheet {
  output: Output | undefined = $state.raw()

  // What follows is set by views that do not return an output yet.
  scene: Scene | undefined = $state.raw()
  tables: readonly NamedTable[] = $state.raw([])
  headline: Headline | undefined = $state.raw()
  file = $state('')
  command = $state('')
  run: number | undefined = $state()

  /** The picture on show, whatever run it is of. */
  get picture(): Scene | undefined {
    return this.output ? this.output.scene : this.scene
  }

  get isEmpty(): boolean {
    return this.output === undefined && this.headline === undefined
  }

  /** What is published, if it is of the run on show or of none. */
  published(run: number | undefined): Published | undefined {
    if (this.output) return this.output.published?.of(run)
    if (this.run !== undefined && this.run !== run) return undefined
    const { headline, tables, command, file } = this
    return { headline, tables, command, file }
  }

  /** For when its view closes. */
  clear(): void {
    this.output = undefined
    this.scene = undefined
    this.tables = []
    this.headline = undefined
    this.file = ''
    this.command = ''
    this.run = undefined
  }
}
