import { tex } from '../../ui/formula'
import { oneOf, real, text } from '../../viewstate/fields'
import { readWords } from '../../i18n/edition.svelte'
import { view } from '../../views/view'
import { usual } from './model'

export const settings = {
  mask: oneOf('mask', 'none', ['none', 'padding', 'causal', 'cross']),
  by: real('by', Math.SQRT2, 0.25, 8),
  /** Queries, keys and values, row after row. */
  rows: text('rows', usual, 200),
  order: oneOf('order', '012', ['012', '102']),
}

export const hand = view({
  id: 'hand',
  words: () => readWords().figures.hand,
  alone: true,
  shape: 'tall',
  minWidth: 330,
  settings,
  formula: tex`\displaystyle \mathrm{softmax}\Bigl(\frac{\mathbf{Q}\mathbf{K}^\top}{\sqrt{d}} + \mathbf{M}\Bigr)\,\mathbf{V}`,
  component: () => import('./Hand.svelte'),
})
