import { tex } from '../../i18n/rich'
import { oneOf } from '../../viewstate/fields'
import { defineView } from '../view'

export const params = {
  /** Whether the output head reads every layer, which takes a run of its own. Auto: where there is room. */
  lens: oneOf('lens', 'auto', ['auto', 'off', 'on']),
  /** Whether the cumulative probability is visible. */
  sums: oneOf('sums', 'auto', ['auto', 'off', 'on']),
}

export const predictions = defineView({
  id: 'predictions',
  order: 70,
  station: 'guess',
  tab: { en: 'Predictions', ko: '예측', hu: 'Jóslatok' },
  title: { en: 'What the model expects', ko: '모델이 예측하는 것', hu: 'Mit vár a modell' },
  shape: 'tall',
  minWidth: 330,
  params,
  formula: tex`\displaystyle p_v = \operatorname{softmax}_v\!\left(W\,\mathbf{x} + \mathbf{b}\right), \qquad p'_v \propto \begin{cases} p_v^{1/T} & v \text{ is left} \\ 0 & \text{else} \end{cases}, \qquad \mathbf{o} = W_O\,[\mathbf{o}_0;\,\dots;\,\underbrace{\mathbf{0}}_{\text{off}};\,\dots;\,\mathbf{o}_{H-1}]`,
  keyHelp: {
    en: {
      along: 'the previous or next token of the list; on the heads another layer',
      across: 'on the heads another head',
      ends: 'the first or last one',
      take: 'inserts the token; switches the head',
    },
    ko: {
      along: '목록의 토큰 하나 앞, 뒤로. 헤드에서는 다른 층으로',
      across: '헤드에서 다른 헤드로',
      ends: '처음, 마지막으로',
      take: '토큰을 넣음. 헤드를 끄거나 켬',
    },
    hu: {
      along: 'a lista előző vagy következő tokenje; a fejeken másik réteg',
      across: 'a fejeken másik fej',
      ends: 'az első vagy az utolsó',
      take: 'beírja a tokent; be- vagy kikapcsolja a fejet',
    },
  },
  module: () => import('./view'),
})
