import { tex } from '../../i18n/rich'
import { integer, optional } from '../../viewstate/fields'
import { defineView } from '../view'

export const params = {
  /** query − key, where the key is moved; null: where it stands. */
  distance: optional(integer('distance', 0, -4096, 4096), null),
}

export const rotate = defineView({
  id: 'rotate',
  order: 15,
  station: 'rotate',
  tab: { en: 'Rotate', ko: '회전', hu: 'Forgatás' },
  title: {
    en: 'How far each pair turns the key from the query',
    ko: '쌍마다 키가 쿼리에서 도는 각',
    hu: 'Mennyit fordul páronként a kulcs a lekérdezéstől',
  },
  shape: 'wide',
  minWidth: 330,
  needsRotation: true,
  assumesAllDistances: true,
  params,
  formula: tex`\displaystyle \frac{\mathbf{q}_m^\top \mathbf{k}_n}{\sqrt{d}} = \frac{1}{\sqrt{d}} \sum_{i=0}^{d/2-1} |q_i|\,|k_i| \cos\bigl((m-n)\,\theta_i + \varphi_i\bigr)`,
  keyHelp: {
    en: { across: 'the previous or next pair', ends: 'the fastest or slowest pair', leave: 'deselects the pair' },
    ko: { across: '앞이나 뒤의 쌍', ends: '가장 빠르거나 느린 쌍', leave: '고른 쌍을 놓음' },
    hu: {
      across: 'az előző vagy a következő pár',
      ends: 'a leggyorsabb vagy a leglassabb pár',
      leave: 'elengedi a párt',
    },
  },
  module: () => import('./view'),
})
