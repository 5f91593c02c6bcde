import { tex } from '../../formula'
import { readWords } from '../../words/edition.svelte'
import type { View } from '../view'

export const added: View = {
  id: 'added',
  words: () => readWords().figures.added,
  alone: true,
  shape: 'tall',
  least: 330,
  formula: tex`\displaystyle p_{m,2i} = \sin m\theta_i, \qquad p_{m,2i+1} = \cos m\theta_i, \qquad \mathbf{p}_m^\top \mathbf{p}_n = \sum_i \cos\bigl((m-n)\,\theta_i\bigr)`,
  keys: () => readWords().figures.added.keys,
  component: () => import('./Added.svelte'),
}
