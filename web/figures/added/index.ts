import { tex } from '../../ui/formula'
import { integer, oneOf } from '../../viewstate/fields'
import { readWords } from '../../i18n/edition.svelte'
import { view } from '../../views/view'

export const settings = {
  rows: oneOf('rows', 'sinusoids', ['sinusoids', 'learned']),
  pair: integer('pair', 4, 0, 127),
}

export const added = view({
  id: 'added',
  words: () => readWords().figures.added,
  alone: true,
  shape: 'tall',
  minWidth: 330,
  settings,
  formula: tex`\displaystyle p_{m,2i} = \sin m\theta_i, \qquad p_{m,2i+1} = \cos m\theta_i, \qquad \mathbf{p}_m^\top \mathbf{p}_n = \sum_i \cos\bigl((m-n)\,\theta_i\bigr)`,
  keys: () => readWords().figures.added.keys,
  component: () => import('./Added.svelte'),
})
