import { tex } from '../../ui/formula'
import { integer, names, oneOf } from '../../viewstate/fields'
import { readWords } from '../../i18n/edition.svelte'
import { view } from '../../views/view'
import { usualWays } from './model'

export const settings = {
  factor: integer('factor', 4, 1, 64),
  shown: oneOf('shown', 'ratio', ['ratio', 'wavelength', 'score', 'dials']),
  ways: names('ways', usualWays, 6),
}

export const stretch = view({
  id: 'stretch',
  words: () => readWords().figures.stretch,
  alone: true,
  shape: 'wide',
  minWidth: 330,
  settings,
  formula: tex`\displaystyle \theta'_i = \bigl(1-\gamma(r_i)\bigr)\frac{\theta_i}{s} + \gamma(r_i)\,\theta_i, \qquad r_i = \frac{L}{\lambda_i}, \qquad \gamma(r) = \min\Bigl(1, \max\Bigl(0, \frac{r-\alpha}{\beta-\alpha}\Bigr)\Bigr)`,
  component: () => import('./Stretch.svelte'),
})
