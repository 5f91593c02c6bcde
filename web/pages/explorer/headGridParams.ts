// Parameters of the grid of heads, in the link as `heads.by=previous`.
import { flag, oneOf } from '../../viewstate/fields'
import { ofPlace, statisticIds, type StatisticId } from '../../session/headStatistics.svelte'
import type { GridWidth } from '../../viewstate/choice'
import type { ParamsOf } from '../../views/view'

const glyphs = ['maps', 'distance', 'pairs'] as const
export type Glyph = (typeof glyphs)[number]

/** What the cells of a part can show: distances within one text, frequency pairs of a model that rotates. */
export const glyphsOf = (rotates: boolean, cross: boolean): readonly Glyph[] =>
  cross ? ['maps'] : rotates ? glyphs : ['maps', 'distance']

export type By = 'head' | StatisticId

/** The statistics of a part. */
export const bysOf = (cross: boolean): readonly By[] => [
  'head',
  ...statisticIds.filter((id) => !cross || !ofPlace.includes(id)),
]

/** The widths of the grid, the least first. */
export const gridWidthsOf = (small: boolean): readonly GridWidth[] =>
  small ? ['auto', 'narrow', 'wide'] : ['narrow', 'auto', 'wide']

/** Whether the grid is a strip that opens it. */
export const isFolded = (width: GridWidth, small: boolean): boolean => small && width === 'auto'

const params = {
  /** The statistic that marks a layer's heads; `head`: none. */
  by: oneOf<By>('by', 'head', ['head', ...statisticIds]),
  /** Whether the statistic sorts them. */
  sorted: flag('sorted', true),
  /** What a cell of the grid shows of its head: its map, its weights by distance, or its pairs. */
  show: oneOf<Glyph>('show', 'maps', glyphs),
}

export const headGridParams = { id: 'heads', params }
export type HeadGridParams = ParamsOf<typeof params>
