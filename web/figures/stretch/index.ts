import { tex } from '../../i18n/rich'
import { integer, names, oneOf, type ParamsOf } from '../../viewstate/fields'
import { defineView } from '../../views/view'

/** LongRoPE's factors are searched for a model: these fit heads of this size. */
export const longRopeHead = 96
/** Distances at which scores are computed. */
export const distances = 1025
export const quantities = ['ratio', 'wavelength', 'score', 'dials'] as const
export const factors = [1, 2, 4, 8, 16, 32, 64]
/** Ways that are compared at once, as many as there are dashes. */
export const mostWays = 6

export const params = {
  /** How many times longer the context becomes. */
  factor: integer('factor', 4, 1, 64),
  /** What is drawn. */
  quantity: oneOf('shown', 'ratio', quantities),
  /** The methods that are compared. */
  ways: names('ways', ['interpolation', 'ntk', 'yarn', 'llama'], mostWays),
}
export type StretchParams = ParamsOf<typeof params>

export const stretch = defineView({
  id: 'stretch',
  tab: { en: 'Stretch', ko: '늘이기', hu: 'Nyújtás' },
  title: { en: 'A rope before and after', ko: 'RoPE를 늘이기 전과 후', hu: 'A RoPE nyújtás előtt és után' },
  alone: true,
  shape: 'wide',
  minWidth: 330,
  params,
  formula: tex`\displaystyle \theta'_i = \bigl(1-\gamma(r_i)\bigr)\frac{\theta_i}{s} + \gamma(r_i)\,\theta_i, \qquad r_i = \frac{L}{\lambda_i}, \qquad \gamma(r) = \min\Bigl(1, \max\Bigl(0, \frac{r-\alpha}{\beta-\alpha}\Bigr)\Bigr)`,
  module: () => import('./view'),
})
