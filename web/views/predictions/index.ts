import { tex } from '../../formula'
import type { View } from '../view'

export const predictions: View = {
  id: 'predictions',
  words: ({ predictions }) => predictions,
  shape: 'tall',
  least: 330,
  formula: tex`\displaystyle p(v) = \operatorname{softmax}_v\!\left(W\,\mathbf{x} + \mathbf{b}\right), \qquad \mathbf{o} = W_O\,[\mathbf{o}_0;\,\dots;\,\underbrace{\mathbf{0}}_{\text{off}};\,\dots;\,\mathbf{o}_{H-1}]`,
  component: () => import('./Predictions.svelte'),
}
