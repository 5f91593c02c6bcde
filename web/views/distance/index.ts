import { tex } from '../../i18n/rich'
import { oneOf } from '../../viewstate/fields'
import { defineView } from '../view'

export const params = {
  /** Distances of the chart: those nearby, or all. */
  reach: oneOf('reach', 'near', ['near', 'all']),
}

export const distance = defineView({
  id: 'distance',
  order: 50,
  station: 'weight',
  tab: { en: 'Distance', ko: '거리', hu: 'Távolság' },
  title: {
    en: 'Which distance does this head prefer?',
    ko: '이 헤드가 선호하는 거리',
    hu: 'Milyen távolságra néz ez a fej?',
  },
  assumesAllDistances: true,
  shape: 'tall',
  minWidth: 340,
  needsRotation: true,
  params,
  formula: tex`\displaystyle \sum_{i=0}^{d/2-1} \lVert \mathbb{E}\,\mathbf{q}_i \rVert \, \lVert \mathbb{E}\,\mathbf{k}_i \rVert \cos(\Delta\theta_i + \varphi_i), \qquad R_i = \frac{\lVert \mathbb{E}\,\mathbf{q}_i \rVert}{\mathbb{E} \lVert \mathbf{q}_i \rVert}`,
  keyHelp: {
    en: {
      across: 'a key farther back or ahead',
      along: 'a faster or slower frequency pair',
      ends: 'the first or last token as the key',
      pages: 'eight tokens at once',
      leave: 'selects the strongest pair',
    },
    ko: {
      across: '키를 더 앞으로, 더 뒤로',
      along: '더 빠른, 더 느린 주파수 쌍',
      ends: '첫 토큰, 마지막 토큰을 키로',
      pages: '한 번에 토큰 여덟 개',
      leave: '가장 강한 쌍을 고름',
    },
    hu: {
      across: 'a kulcs előbbre vagy későbbre',
      along: 'gyorsabb vagy lassabb frekvenciapár',
      ends: 'az első vagy az utolsó token legyen a kulcs',
      pages: 'egyszerre nyolc token',
      leave: 'a legerősebb párt választja',
    },
  },
  module: () => import('./view'),
})
