import { tex } from '../../formula'
import type { View } from '../view'

export const score: View = {
  id: 'score',
  words: ({ score }) => score,
  shape: 'tall',
  least: 330,
  formula: tex`\displaystyle \frac{\mathbf{q}_m^\top \mathbf{k}_n}{\sqrt{d}} = \frac{1}{\sqrt{d}} \sum_{i=0}^{d/2-1} |q_i|\,|k_i| \cos\bigl((m-n)\,\theta_i + \varphi_i\bigr)`,
  component: () => import('./ScoreView.svelte'),
}
