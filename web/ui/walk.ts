// Where an action leads: on a map, along a row, on a scale, among the heads. Undefined: nowhere.
import { clamp, clampIndex } from '../engine/protocol/range'
import type { HeadPlace, QueryAndKey } from '../viewstate/choice'
import type { Action } from './keys'

const usualPage = 10

/** On a map of queries (down) and keys (across): Home and End along the row, Page keys over rows. */
export function walkCell(
  { query, key }: QueryAndKey,
  action: Action | undefined,
  { queries, keys }: { queries: number; keys: number },
): QueryAndKey | undefined {
  const down = action === 'up' || action === 'down' || action === 'pageUp' || action === 'pageDown'
  const to = walkRow(down ? query : key, action, (down ? queries : keys) - 1)
  if (to === undefined) return undefined
  return down ? { query: to, key } : { query, key: to }
}

/** Along a row or a list: left, up and Page Up lead back. */
export function walkRow(
  at: number,
  action: Action | undefined,
  last: number,
  page: number = usualPage,
): number | undefined {
  return stepped(at, action, last, { up: -1, down: 1, pageUp: -page, pageDown: page })
}

/** On a scale: up and Page Up are more, as on every slider. */
export function slide(
  at: number,
  action: Action | undefined,
  last: number,
  page: number = usualPage,
): number | undefined {
  return stepped(at, action, last, { up: 1, down: -1, pageUp: page, pageDown: -page })
}

function stepped(
  at: number,
  action: Action | undefined,
  last: number,
  upright: Record<'up' | 'down' | 'pageUp' | 'pageDown', number>,
): number | undefined {
  const steps: Partial<Record<Action, number>> = { left: -1, right: 1, ...upright, first: -at, last: last - at }
  const step = action && steps[action]
  return step === undefined ? undefined : clamp(at + step, 0, last)
}

/** On the grid of all heads: layers down, heads across, Page keys to the first and the last layer. */
export function walkGrid(
  { layer, head }: HeadPlace,
  action: Action | undefined,
  layers: number,
  heads: number,
): HeadPlace | undefined {
  switch (action) {
    case 'up':
      return { layer: clampIndex(layer - 1, layers), head }
    case 'down':
      return { layer: clampIndex(layer + 1, layers), head }
    case 'pageUp':
      return { layer: 0, head }
    case 'pageDown':
      return { layer: layers - 1, head }
    default: {
      const across = walkRow(head, action, heads - 1)
      return across === undefined ? undefined : { layer, head: across }
    }
  }
}

/** Brackets: from head to head, on into the next layer; braces: from layer to layer. */
export function walkHeads(
  { layer, head }: HeadPlace,
  action: Action | undefined,
  layers: number,
  heads: number,
): HeadPlace | undefined {
  const nth = (at: number) => ({ layer: Math.floor(at / heads), head: at % heads })
  const at = layer * heads + head
  switch (action) {
    case 'headBack':
      return nth(clampIndex(at - 1, layers * heads))
    case 'headOn':
      return nth(clampIndex(at + 1, layers * heads))
    case 'layerBack':
      return { layer: clampIndex(layer - 1, layers), head }
    case 'layerOn':
      return { layer: clampIndex(layer + 1, layers), head }
    default:
      return undefined
  }
}
