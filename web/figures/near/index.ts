import { tex } from '../../ui/formula'
import { flag, integer, oneOf } from '../../viewstate/fields'
import { readWords } from '../../i18n/edition.svelte'
import { view } from '../../views/view'

export const settings = {
  curve: oneOf('curve', 'bound', ['bound', 'cosines', 'score', 'base']),
  alike: flag('alike', false),
  aligned: integer('aligned', 0, 0, 8192),
  seed: integer('seed', 1, 1, 9999),
}

export const near = view({
  id: 'near',
  words: () => readWords().figures.near,
  alone: true,
  shape: 'wide',
  minWidth: 330,
  settings,
  formula: tex`\displaystyle \Bigl|\sum_i h_i\, e^{\mathrm{i}(m-n)\theta_i}\Bigr| \le \max_i |h_{i+1} - h_i| \sum_{j=1}^{d/2} |S_j|, \qquad S_j = \sum_{i=0}^{j-1} e^{\mathrm{i}(m-n)\theta_i}, \qquad \frac{1}{d/2} \sum_{j=1}^{d/2} |S_j|`,
  keys: () => readWords().figures.near.keys,
  component: () => import('./Near.svelte'),
})
