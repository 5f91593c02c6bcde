import { tex } from '../../ui/formula'
import { names, oneOf } from '../../viewstate/fields'
import { readWords } from '../../i18n/edition.svelte'
import { view } from '../../views/view'
import { defaultWays, wayIds } from './ways'

export const settings = {
  ways: names('ways', defaultWays, wayIds.length),
  way: oneOf('way', 'plain', wayIds),
}

export const longer = view({
  id: 'longer',
  words: () => readWords().figures.longer,
  shape: 'tall',
  minWidth: 330,
  serves: ({ stretches, attention }) => stretches && attention === 'softmax',
  settings,
  formula: tex`\displaystyle s_{mn} \;\to\; \max\Bigl(1, \frac{\ln(m+1)}{\ln L}\Bigr)\, s_{mn}, \qquad m - n \;\to\; \min\bigl(|m-n|, w\bigr)\,\mathrm{sgn}(m-n)`,
  component: () => import('./Longer.svelte'),
})
