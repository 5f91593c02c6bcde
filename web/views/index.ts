// The views of the Explorer, in the order of their tabs: every folder here whose index.ts exports a view under the folder's name.
import type { ModelInfo } from '../engine/protocol/protocol'
import { turns, type View } from './view'

const declarations = import.meta.glob<Readonly<Record<string, View>>>('./*/index.ts', { eager: true })

export const views: readonly View[] = Object.entries(declarations)
  .map(([path, exports]) => {
    const id = path.split('/')[1] ?? ''
    const view = exports[id]
    if (view?.id !== id || view.order === undefined) throw new Error(`${path} declares no view ${id} with its order`)
    return { view, order: view.order }
  })
  .sort((one, other) => one.order - other.order)
  .map(({ view }) => view)

/** Those that are named beside a model: rare ones, and those about rotation, only where it has something for them. */
export const viewsFor = (model: ModelInfo | undefined): readonly View[] =>
  views.filter(({ rare, serves }) => {
    if (rare) return model !== undefined && serves?.(model)
    return serves !== turns || model === undefined || turns(model)
  })

export function viewOf(id: string): View | undefined {
  return views.find((view) => view.id === id)
}
