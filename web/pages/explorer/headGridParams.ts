// Parameters of the grid of heads, in the link as `heads.by=previous`.
import { flag, oneOf } from '../../viewstate/fields'
import { ofPlace, statisticIds, type StatisticId } from '../../session/headStatistics'
import type { GridWidth } from '../../viewstate/choice'
import { aspectOf } from '../../charts/head-grid/gridGeometry'
import { sourceOf } from '../../engine/protocol/parts'
import type { Run } from '../../session/runs.svelte'
import type { ParamsOf } from '../../views/view'

export const glyphs = ['maps', 'distance', 'pairs'] as const
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

/** The widths of the grid, the least first: on a small screen the usual one is none, a strip that opens it. */
export const gridWidthsOf = (small: boolean): readonly GridWidth[] =>
  small ? ['usual', 'narrow', 'wide'] : ['narrow', 'usual', 'wide']

export const isFolded = (width: GridWidth, small: boolean): boolean => small && width === 'usual'

/** Height by width of a map of this text: cross-attention has the text down and its source across. */
export const aspectIn = (pair: Run['reading']['pair']): number =>
  pair && sourceOf(pair) !== undefined ? aspectOf(pair.text.length, pair.source.length) : 1

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
