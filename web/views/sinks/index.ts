import { tex } from '../../i18n/rich'
import { oneOf } from '../../viewstate/fields'
import { defineView } from '../view'

export const params = {
  /** Of the list: the largest part first, or as in the text. */
  order: oneOf('order', 'part', ['part', 'text']),
}

export const sinks = defineView({
  id: 'sinks',
  order: 35,
  station: 'weight',
  tab: { en: 'Sinks', ko: '싱크', hu: 'Nyelők' },
  title: {
    en: 'Attention sinks: the keys that receive most',
    ko: '어텐션 싱크: 어텐션을 가장 많이 받는 키',
    hu: 'Figyelemnyelők: a legtöbb figyelmet kapó kulcsok',
  },
  shape: 'wide',
  minWidth: 300,
  params,
  formula: tex`\displaystyle r_n = \frac{\sum_m a_{mn}}{\sum_{m,n'} a_{mn'}}`,
  keyHelp: {
    en: { along: 'the previous or next key of the list', ends: 'its first or last key', pages: 'ten keys back or on' },
    ko: { along: '목록에서 키 하나 앞, 뒤로', ends: '목록의 첫 키, 마지막 키', pages: '키 열 개 앞, 뒤로' },
    hu: {
      along: 'a lista előző vagy következő kulcsa',
      ends: 'az első vagy az utolsó kulcs',
      pages: 'tíz kulccsal vissza vagy tovább',
    },
  },
  module: () => import('./view'),
})
