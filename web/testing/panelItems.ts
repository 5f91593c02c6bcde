// The items of a view’s rows, as tests look for them.
import type { PanelItem, PanelRow } from '../views/output'

/** The first item of this kind. */
export function itemOf<K extends PanelItem['kind']>(
  rows: readonly PanelRow[] | undefined,
  kind: K,
): Extract<PanelItem, { kind: K }> {
  const items = rows?.flat() ?? []
  const found = items.find(
    (item): item is Extract<PanelItem, { kind: K }> => item !== undefined && item !== false && item.kind === kind,
  )
  if (!found) throw new Error(`no ${kind}`)
  return found
}
