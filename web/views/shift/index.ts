import { tex } from '../../ui/formula'
import { turns, type View } from '../view'

export const shift: View = {
  id: 'shift',
  order: 110,
  words: ({ shift }) => shift,
  shape: 'tall',
  minWidth: 330,
  serves: turns,
  formula: tex`\displaystyle (\mathbf{R}_{m+s}\,\mathbf{q})^\top (\mathbf{R}_{n+s}\,\mathbf{k}) = \mathbf{q}^\top \mathbf{R}_{n-m}\,\mathbf{k}`,
  keys: ({ shift }) => shift.keys,
  component: () => import('./Shift.svelte'),
}
