import { tex } from '../../ui/formula'
import { oneOf } from '../../viewstate/fields'
import { view, type SettingsOf } from '../view'

const settings = {
  /** Whether the output head is put on every layer, which takes a run of its own. */
  lens: oneOf('lens', 'off', ['off', 'on']),
}

export type PredictionsSettings = SettingsOf<typeof settings>

export const predictions = view({
  id: 'predictions',
  words: ({ predictions }) => predictions,
  shape: 'tall',
  minWidth: 330,
  settings,
  formula: tex`\displaystyle p(v) = \operatorname{softmax}_v\!\left(W\,\mathbf{x} + \mathbf{b}\right), \qquad \mathbf{o} = W_O\,[\mathbf{o}_0;\,\dots;\,\underbrace{\mathbf{0}}_{\text{off}};\,\dots;\,\mathbf{o}_{H-1}]`,
  keys: ({ predictions }) => predictions.keys,
  component: () => import('./Predictions.svelte'),
})
