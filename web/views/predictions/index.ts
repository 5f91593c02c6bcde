import { tex } from '../../ui/formula'
import { oneOf } from '../../viewstate/fields'
import type { View } from '../view'

export const params = {
  /** Whether the output head reads every layer, which takes a run of its own. */
  lens: oneOf('lens', 'off', ['off', 'on']),
}

export const predictions: View = {
  id: 'predictions',
  order: 70,
  station: 'guess',
  tab: { en: 'Predictions' },
  title: { en: 'What the model expects' },
  shape: 'tall',
  minWidth: 330,
  params,
  formula: tex`\displaystyle p(v) = \operatorname{softmax}_v\!\left(W\,\mathbf{x} + \mathbf{b}\right), \qquad \mathbf{o} = W_O\,[\mathbf{o}_0;\,\dots;\,\underbrace{\mathbf{0}}_{\text{off}};\,\dots;\,\mathbf{o}_{H-1}]`,
  keys: {
    en: {
      across: 'the previous or next token; on the heads another head',
      along: 'on the heads another layer',
      ends: 'the first or last one',
      pages: 'ten tokens back or on; the first or last layer',
      take: 'masks or unmasks the token; switches the head',
    },
  },
  body: () => import('./view'),
}
