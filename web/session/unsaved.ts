import type { Bench } from './bench.svelte'
import { hasMeasured } from './measuredModels'

/** What only this tab has. */
export type Unsaved = 'files' | 'writing' | 'losses' | 'undo'

/** What a reload would lose: the link restores all else. */
export function unsavedOf({ engine: { model }, generation, undoable }: Bench): Unsaved[] {
  const found: Record<Unsaved, boolean> = {
    files: model?.source.kind === 'files',
    writing: generation.writing,
    losses: model !== undefined && hasMeasured(model),
    undo: undoable.undo || undoable.redo,
  }
  return (Object.keys(found) as Unsaved[]).filter((what) => found[what])
}
