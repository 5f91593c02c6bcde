import { tex } from '../../i18n/rich'
import { oneOf, real, text, type ParamsOf } from '../../viewstate/fields'
import { defineView } from '../../views/view'
import { masks, usual } from './data'

export const params = {
  /** The mask that is added to the scores. */
  mask: oneOf('mask', 'none', masks),
  /** What scores are divided by. */
  by: real('by', Math.SQRT2, 0.25, 8),
  /** Queries, keys and values, row after row. */
  rows: text('rows', usual, 200),
  /** Which token stands at each place. */
  order: oneOf('order', '012', ['012', '102']),
}
export type HandParams = ParamsOf<typeof params>

export const hand = defineView({
  id: 'hand',
  tab: { en: 'By hand', ko: '손으로', hu: 'Kézzel' },
  title: { en: 'Three tokens, by hand', ko: '토큰 세 개를 손으로', hu: 'Három token, kézzel' },
  alone: true,
  shape: 'tall',
  minWidth: 330,
  params,
  formula: tex`\displaystyle \mathrm{softmax}\Bigl(\frac{\mathbf{Q}\mathbf{K}^\top}{\sqrt{d}} + \mathbf{M}\Bigr)\,\mathbf{V}`,
  module: () => import('./view'),
})
