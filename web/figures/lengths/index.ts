import { tex } from '../../ui/formula'
import type { View } from '../../views/view'

export const lengths: View = {
  id: 'lengths',
  words: ({ trials }) => trials.lengths,
  alone: true,
  shape: 'wide',
  minWidth: 330,
  formula: tex`\displaystyle \frac{\sum_n (\mathbf{R}_m\varphi(\mathbf{q}_m))^\top(\mathbf{R}_n\varphi(\mathbf{k}_n))\,\mathbf{v}_n}{\sum_n \varphi(\mathbf{q}_m)^\top\varphi(\mathbf{k}_n)} = \frac{(\mathbf{R}_m\varphi(\mathbf{q}_m))^\top \sum_n \mathbf{R}_n\varphi(\mathbf{k}_n)\,\mathbf{v}_n^\top}{\varphi(\mathbf{q}_m)^\top \sum_n \varphi(\mathbf{k}_n)}`,
  component: () => import('./Lengths.svelte'),
}
