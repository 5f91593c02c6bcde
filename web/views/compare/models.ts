// Which models B can be of: those that the page brings along, the visitor's own while it is there, and A's with its weights kept otherwise.
import type { ModelSource } from '../../engine/protocol/protocol'
import { weightFormats, type StoredFormat, type WeightFormat } from '../../engine/protocol/weights'
import { bundledModels, bundledSource } from '../../services/bundled'

/** In the link, where a bundled model has its folder. */
const own = 'own'

export interface Offered {
  /** In the link. */
  id: string
  name: string
  isOwn: boolean
  /** How the weights of A's own model are kept in B. */
  weights?: WeightFormat
}

/** All but A's own, and that one with its weights kept otherwise. */
export function offeredModels(
  a: ModelSource | undefined,
  mine: ModelSource | undefined,
  kept: StoredFormat | undefined,
): Offered[] {
  const bundled = bundledModels
    .filter(({ folder }) => a?.kind !== 'url' || a.name !== folder)
    .map(({ folder }) => ({ id: folder, name: folder, isOwn: false }))
  const others = mine && mine !== a ? [...bundled, { id: own, name: mine.name, isOwn: true }] : bundled
  const packed = a && kept ? weightFormats.filter((weights) => weights !== kept) : []
  return [...others, ...packed.map((weights) => ({ id: weights, name: a?.name ?? '', isOwn: false, weights }))]
}

/** The one that is wanted, where it is offered; else the first. */
export function modelOf(wanted: string, offered: readonly Offered[]): Offered | undefined {
  return offered.find(({ id }) => id === wanted) ?? offered[0]
}

export function sourceOf({ id }: Pick<Offered, 'id'>, mine: ModelSource | undefined): ModelSource | undefined {
  return id === own ? mine : bundledSource(id)
}
