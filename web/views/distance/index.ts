import { tex } from '../../ui/formula'
import { oneOf } from '../../viewstate/fields'
import { turns, type View } from '../view'

export const params = {
  /** Distances of the chart: those nearby, or all. */
  reach: oneOf('reach', 'near', ['near', 'all']),
}

export const distance: View = {
  id: 'distance',
  order: 50,
  station: 'weight',
  tab: { en: 'Distance' },
  title: { en: 'What distance does this head want?' },
  assumesAllDistances: true,
  shape: 'tall',
  minWidth: 340,
  serves: turns,
  params,
  formula: tex`\displaystyle \sum_{i=0}^{d/2-1} \lVert \mathbb{E}\,\mathbf{q}_i \rVert \, \lVert \mathbb{E}\,\mathbf{k}_i \rVert \cos(\Delta\theta_i + \varphi_i), \qquad R_i = \frac{\lVert \mathbb{E}\,\mathbf{q}_i \rVert}{\mathbb{E} \lVert \mathbf{q}_i \rVert}`,
  keys: {
    en: {
      across: 'a key farther back or ahead',
      along: 'a faster or slower frequency pair',
      ends: 'the first or last token as the key',
      pages: 'eight tokens at once',
      leave: 'selects the strongest pair',
    },
  },
  body: () => import('./view'),
}
