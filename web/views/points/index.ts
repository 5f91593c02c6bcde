import { tex } from '../../ui/formula'
import { oneOf } from '../../viewstate/fields'
import { view, type SettingsOf } from '../view'
import { sources, statisticIds, type Source, type StatisticId } from '../../session/headStatistics'

/** What the table is sorted by: heads as they are numbered, or a statistic, rising or falling. */
export type Sorting = 'head' | StatisticId | `-${StatisticId}`
const sortings: readonly Sorting[] = ['head', ...statisticIds, ...statisticIds.map((id) => `-${id}` as const)]

const settings = {
  from: oneOf<Source>('from', 'text', sources),
  x: oneOf<StatisticId>('x', 'distance', statisticIds),
  y: oneOf<StatisticId>('y', 'entropy', statisticIds),
  shade: oneOf<StatisticId>('shade', 'previous', statisticIds),
  sort: oneOf<Sorting>('sort', 'head', sortings),
}

export type PointsSettings = SettingsOf<typeof settings>

export const points = view({
  id: 'points',
  words: ({ points }) => points,
  shape: 'wide',
  minWidth: 320,
  settings,
  formula: tex`\displaystyle H = -\frac{1}{L}\sum_m \sum_n a_{mn} \log_2 a_{mn}, \qquad D = \frac{1}{L}\sum_m \sum_n a_{mn} \, |m - n|`,
  keys: ({ points }) => points.keys,
  component: () => import('./Points.svelte'),
})
