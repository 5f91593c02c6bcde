import { tex } from '../../formula'
import type { View } from '../view'

export const map: View = {
  id: 'map',
  words: ({ map }) => map,
  shape: 'square',
  least: 340,
  formula: tex`\displaystyle a_{mn} = \operatorname{softmax}_n\!\left(\frac{\mathbf{q}_m^\top \mathbf{k}_n}{\sqrt{d}}\right)`,
  component: () => import('./Map.svelte'),
}
