import type { Bench } from './bench.svelte'
import { hasMeasured } from './measuredModels'

/** What is in this tab alone: a reload loses it. */
export type Unsaved = 'files' | 'writing' | 'losses' | 'undo'

/** What a reload of this tab would lose: the link brings all else back. */
export function unsavedOf({ engine: { model }, generation, undoable }: Bench): Unsaved[] {
  const found: Record<Unsaved, boolean> = {
    files: model?.source.kind === 'files',
    writing: generation.writing,
    losses: model !== undefined && hasMeasured(model),
    undo: undoable.undo || undoable.redo,
  }
  return (Object.keys(found) as Unsaved[]).filter((what) => found[what])
}
