import { tex } from '../../ui/formula'
import type { View } from '../view'

export const sinks: View = {
  id: 'sinks',
  order: 35,
  tab: { en: 'Sinks', ko: '싱크', hu: 'Nyelők' },
  title: {
    en: 'Attention sinks: the keys that receive most',
    ko: '어텐션 싱크: 어텐션을 가장 많이 받는 키',
    hu: 'Figyelemnyelők: a legtöbb figyelmet kapó kulcsok',
  },
  shape: 'wide',
  minWidth: 300,
  formula: tex`\displaystyle r_n = \frac{\sum_m a_{mn}}{\sum_{m,n'} a_{mn'}}`,
  body: () => import('./view'),
}
