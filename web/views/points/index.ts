import { sources, statisticIds, type Source, type StatisticId } from '../../session/headStatistics'
import { tex } from '../../ui/formula'
import { oneOf, type ParamsOf } from '../../viewstate/fields'
import type { View } from '../view'

/** The order of the table: by the heads' numbers, or by a statistic, rising or falling. */
export type Sorting = 'head' | StatisticId | `-${StatisticId}`
const sortings: readonly Sorting[] = ['head', ...statisticIds, ...statisticIds.map((id) => `-${id}` as const)]

export const params = {
  from: oneOf<Source>('from', 'text', sources),
  x: oneOf<StatisticId>('x', 'distance', statisticIds),
  y: oneOf<StatisticId>('y', 'entropy', statisticIds),
  shade: oneOf<StatisticId>('shade', 'previous', statisticIds),
  sort: oneOf<Sorting>('sort', 'head', sortings),
}
export type PointsParams = ParamsOf<typeof params>

export const points: View = {
  id: 'points',
  order: 60,
  station: 'heads',
  tab: { en: 'Points' },
  title: { en: 'Heads as points' },
  shape: 'wide',
  minWidth: 320,
  params,
  formula: tex`\displaystyle H = -\frac{1}{L}\sum_m \sum_n a_{mn} \log_2 a_{mn}, \qquad D = \frac{1}{L}\sum_m \sum_n a_{mn} \, |m - n|`,
  keys: {
    en: {
      across: 'the next head along the horizontal axis',
      along: 'the next head along the vertical axis',
      ends: 'the first or last head of the horizontal axis',
    },
  },
  body: () => import('./view'),
}
