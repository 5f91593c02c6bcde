// How the dock shows the heads, as the link holds it: `heads.by=previous`.
import { flag, oneOf } from '../../viewstate/fields'
import { statisticIds, type StatisticId } from '../../session/headStatistics'
import type { ParamsOf } from '../../views/view'

export const glyphs = ['maps', 'distance', 'pairs'] as const
export type Glyph = (typeof glyphs)[number]

export type By = 'head' | StatisticId

const params = {
  /** What the heads of a layer are marked by; `head`: nothing. */
  by: oneOf<By>('by', 'head', ['head', ...statisticIds]),
  /** Whether they stand in that order. */
  sorted: flag('sorted', true),
  show: oneOf<Glyph>('show', 'maps', glyphs),
}

export const dockParams = { id: 'heads', params }
export type DockParams = ParamsOf<typeof params>
