import { oneOf } from '../../viewstate/fields'
import { tex } from '../../i18n/rich'
import { defineView } from '../view'

export const params = {
  /** Whether the paper's bound is drawn over the curve. */
  bound: oneOf('bound', 'off', ['off', 'on']),
}

export const score = defineView({
  id: 'score',
  order: 20,
  station: 'score',
  tab: { en: 'Score', ko: '점수', hu: 'Pontszám' },
  title: { en: 'Why this score', ko: '왜 이 점수인가', hu: 'Miért ennyi a pontszám' },
  assumesAllDistances: true,
  shape: 'tall',
  minWidth: 300,
  params,
  formula: tex`\displaystyle \frac{\mathbf{q}_m^\top \mathbf{k}_n}{\sqrt{d}} = \frac{1}{\sqrt{d}} \sum_{i=0}^{d/2-1} |q_i|\,|k_i| \cos\bigl((m-n)\,\theta_i + \varphi_i\bigr) \;\le\; \frac{1}{\sqrt{d}} \max_i |h_{i+1} - h_i| \sum_{j=1}^{d/2} |S_j|`,
  keyHelp: {
    en: {
      across: 'the previous or next pair; on the curve the key moves by one token',
      ends: 'the fastest or slowest pair; the ends of the curve',
      leave: 'deselects the pair; puts the key back',
    },
    ko: {
      across: '쌍 하나 앞, 뒤로. 곡선에서는 키가 토큰 하나씩 움직임',
      ends: '가장 빠른 쌍, 가장 느린 쌍. 곡선에서는 양 끝',
      leave: '쌍 선택을 풂. 키를 제자리로',
    },
    hu: {
      across: 'az előző vagy következő pár; a görbén a kulcs egy tokennel mozdul',
      ends: 'a leggyorsabb vagy leglassabb pár; a görbe végei',
      leave: 'megszünteti a pár kiválasztását; visszateszi a kulcsot',
    },
  },
  module: () => import('./view'),
})
