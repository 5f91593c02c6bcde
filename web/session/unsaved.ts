import type { Bench } from './bench.svelte'

const measuredModels = new WeakSet<object>()

/** Notes that losses of this model were measured: a reload loses them. */
export function noteMeasured(model: object): void {
  measuredModels.add(model)
}

/** What only this tab has. */
export type Unsaved = 'files' | 'writing' | 'losses' | 'undo'

/** What a reload would lose: the link restores all else. */
export function unsavedOf({ engine: { model }, generation, undoable }: Bench): Unsaved[] {
  const found: Record<Unsaved, boolean> = {
    files: model?.source.kind === 'files',
    writing: generation.writing,
    losses: model !== undefined && measuredModels.has(model),
    undo: undoable.undo || undoable.redo,
  }
  return (Object.keys(found) as Unsaved[]).filter((what) => found[what])
}
