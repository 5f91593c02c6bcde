import { tex } from '../../formula'
import { oneOf } from '../../state/fields'
import { view } from '../view'

export const compare = view({
  id: 'compare',
  words: ({ compare }) => compare,
  shape: 'wide',
  least: 340,
  settings: {
    /** What B is where something is changed: the changed model, or another head of it. */
    with: oneOf<'change' | 'head'>('with', 'change', ['change', 'head']),
  },
  formula: tex`\displaystyle d_{mn} = a^{A}_{mn} - a^{B}_{mn}, \qquad \text{elsewhere} = \frac{1}{L}\sum_m \frac{1}{2} \sum_n |d_{mn}|`,
  keys: ({ keys }) => keys.cursor,
  component: () => import('./Compare.svelte'),
})
