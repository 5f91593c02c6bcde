import { oneOf } from '../../viewstate/fields'
import { tex } from '../../ui/formula'
import { view } from '../view'

/** Whether the paper's bound is drawn over the curve. */
export const settings = { bound: oneOf('bound', 'off', ['off', 'on']) }

export const score = view({
  id: 'score',
  words: ({ score }) => score,
  turnsByAll: true,
  shape: 'tall',
  minWidth: 330,
  settings,
  formula: tex`\displaystyle \frac{\mathbf{q}_m^\top \mathbf{k}_n}{\sqrt{d}} = \frac{1}{\sqrt{d}} \sum_{i=0}^{d/2-1} |q_i|\,|k_i| \cos\bigl((m-n)\,\theta_i + \varphi_i\bigr) \;\le\; \frac{1}{\sqrt{d}} \max_i |h_{i+1} - h_i| \sum_{j=1}^{d/2} |S_j|`,
  keys: ({ score }) => score.keys,
  component: () => import('./ScoreView.svelte'),
})
