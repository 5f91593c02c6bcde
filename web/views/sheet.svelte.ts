import type { NamedTable } from '../ui/table'
import type { Scene } from '../charts/marks'
import { OfRun, type Headline, type Output } from './output'

export type { Headline } from './output'

/** The output of an open view, for its frame and the stage. */
export class Sheet {
  #output: Output | undefined = $state.raw()

  // What follows is set by views that do not return an output yet.
  scene: Scene | undefined = $state.raw()
  tables: readonly NamedTable[] = $state.raw([])
  headline: Headline | undefined = $state.raw()
  file = $state('')
  command = $state('')
  run: number | undefined = $state()

  get output(): Output | undefined {
    const { scene, headline, tables, command, file } = this
    if (this.#output || (!scene && !headline)) return this.#output
    return { scene, published: new OfRun(this.run, { headline, tables, command, file }) }
  }

  set output(to: Output | undefined) {
    this.#output = to
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
