// Which models B can be of: those that the page brings along, and the visitor's own while it is there.
import type { ModelSource } from '../../engine/protocol'
import { bundledModels, bundledSource } from '../../state/bundled'

/** In the link, where a bundled model has its folder. */
const own = 'own'

export interface Offered {
  /** In the link. */
  id: string
  name: string
  isOwn: boolean
}

/** All but A's own. */
export function offeredModels(a: ModelSource | undefined, mine: ModelSource | undefined): Offered[] {
  const bundled = bundledModels
    .filter(({ folder }) => a?.kind !== 'url' || a.name !== folder)
    .map(({ folder }) => ({ id: folder, name: folder, isOwn: false }))
  return mine && mine !== a ? [...bundled, { id: own, name: mine.name, isOwn: true }] : bundled
}

/** The one that is wanted, where it is offered; else the first. */
export function modelOf(wanted: string, offered: readonly Offered[]): Offered | undefined {
  return offered.find(({ id }) => id === wanted) ?? offered[0]
}

export function sourceOf({ id }: Pick<Offered, 'id'>, mine: ModelSource | undefined): ModelSource | undefined {
  return id === own ? mine : bundledSource(id)
}
