import { text } from '../../viewstate/fields'
import { defineView } from '../view'

export const params = {
  /** The numbers that the visitor has walked through, the last one on screen: sites, separated by semicolons. Empty: the best prediction. */
  path: text('at', '', 400),
}

export const explain = defineView({
  id: 'explain',
  order: 95,
  station: 'guess',
  tab: { en: 'Explain', ko: '계산', hu: 'Levezetés' },
  title: {
    en: 'Where a number comes from',
    ko: '이 숫자는 어디에서 왔나',
    hu: 'Honnan jön egy szám',
  },
  shape: 'tall',
  minWidth: 320,
  params,
  module: () => import('./view'),
})
