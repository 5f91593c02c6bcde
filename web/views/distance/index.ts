import { tex } from '../../ui/formula'
import { oneOf } from '../../viewstate/fields'
import { view } from '../view'

export const distance = view({
  id: 'distance',
  words: ({ distance }) => distance,
  turnsByAll: true,
  shape: 'tall',
  minWidth: 340,
  settings: { reach: oneOf<'near' | 'all'>('reach', 'near', ['near', 'all']) },
  formula: tex`\displaystyle \sum_{i=0}^{d/2-1} \lVert \mathbb{E}\,\mathbf{q}_i \rVert \, \lVert \mathbb{E}\,\mathbf{k}_i \rVert \cos(\Delta\theta_i + \varphi_i), \qquad R_i = \frac{\lVert \mathbb{E}\,\mathbf{q}_i \rVert}{\mathbb{E} \lVert \mathbf{q}_i \rVert}`,
  keys: ({ distance }) => distance.keys,
  component: () => import('./Distance.svelte'),
})
