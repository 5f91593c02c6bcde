import { tex } from '../../i18n/rich'
import { names, oneOf, type ParamsOf } from '../../viewstate/fields'
import { defineView } from '../../views/view'
import { defaultWays, wayIds } from './ways'

export const params = {
  /** The ways that are compared, as `way` names them. */
  ways: names('ways', defaultWays, wayIds.length),
  /** The way that the figure shows in detail. */
  way: oneOf('way', 'plain', wayIds),
}
export type LongerParams = ParamsOf<typeof params>

export const longer = defineView({
  id: 'longer',
  tab: { en: 'On the model', ko: '모델에서', hu: 'A modellen' },
  title: { en: 'The loaded model beyond its length', ko: '길이를 넘어선 모델', hu: 'A betöltött modell a hosszán túl' },
  shape: 'tall',
  minWidth: 330,
  serves: ({ stretches, attention }) => stretches && attention === 'softmax',
  params,
  formula: tex`\displaystyle s_{mn} \;\to\; \max\Bigl(1, \frac{\ln(m+1)}{\ln L}\Bigr)\, s_{mn}, \qquad m - n \;\to\; \min\bigl(|m-n|, w\bigr)\,\mathrm{sgn}(m-n)`,
  module: () => import('./view'),
})
