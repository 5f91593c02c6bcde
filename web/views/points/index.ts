import { sources, statisticIds, type Source, type StatisticId } from '../../session/headStatistics.svelte'
import { tex } from '../../i18n/rich'
import { oneOf, type ParamsOf } from '../../viewstate/fields'
import { defineView } from '../view'

/** The order of the table: by the heads' numbers, or by a statistic, rising or falling. */
export type Sorting = 'head' | StatisticId | `-${StatisticId}`
const sortings: readonly Sorting[] = ['head', ...statisticIds, ...statisticIds.map((id) => `-${id}` as const)]

export const params = {
  /** What the statistics are of: the text, or held-out text of a book. */
  from: oneOf<Source>('from', 'text', sources),
  /** The statistic of the horizontal axis. */
  x: oneOf<StatisticId>('x', 'distance', statisticIds),
  /** The statistic of the vertical axis. */
  y: oneOf<StatisticId>('y', 'entropy', statisticIds),
  /** The statistic that shades a point. */
  shade: oneOf<StatisticId>('shade', 'previous', statisticIds),
  /** The order of the table: by the heads' numbers, or by a statistic, rising or falling. */
  sort: oneOf<Sorting>('sort', 'head', sortings),
}
export type PointsParams = ParamsOf<typeof params>

export const points = defineView({
  id: 'points',
  order: 60,
  station: 'heads',
  tab: { en: 'Points', ko: '점', hu: 'Pontok' },
  title: { en: 'Heads as points', ko: '점으로 본 헤드', hu: 'A fejek pontként' },
  shape: 'wide',
  minWidth: 320,
  params,
  formula: tex`\displaystyle H = -\frac{1}{L}\sum_m \sum_n a_{mn} \log_2 a_{mn}, \qquad D = \frac{1}{L}\sum_m \sum_n a_{mn} \, |m - n|`,
  keyHelp: {
    en: {
      across: 'the next head along the horizontal axis',
      along: 'the next head along the vertical axis',
      ends: 'the first or last head of the horizontal axis',
    },
    ko: {
      across: '가로축을 따라 다음 헤드로',
      along: '세로축을 따라 다음 헤드로',
      ends: '가로축의 첫 헤드, 마지막 헤드',
    },
    hu: {
      across: 'a következő fej a vízszintes tengely mentén',
      along: 'a következő fej a függőleges tengely mentén',
      ends: 'a vízszintes tengely első vagy utolsó feje',
    },
  },
  module: () => import('./view'),
})
