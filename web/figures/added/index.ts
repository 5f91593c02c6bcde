import { tex } from '../../i18n/rich'
import { integer, oneOf, type ParamsOf } from '../../viewstate/fields'
import { defineView } from '../../views/view'

export const params = {
  /** Positions that are added: sinusoids, or rows that a model learned. */
  rows: oneOf('rows', 'sinusoids', ['sinusoids', 'learned']),
  /** The pair of dimensions that the curves show. */
  pair: integer('pair', 4, 0, 127),
}
export type AddedParams = ParamsOf<typeof params>

export const added = defineView({
  id: 'added',
  tab: { en: 'Added', ko: '더하기', hu: 'Hozzáadva' },
  title: { en: 'Positions that are added', ko: '더하는 위치', hu: 'Hozzáadott pozíciók' },
  alone: true,
  shape: 'tall',
  minWidth: 330,
  params,
  formula: tex`\displaystyle p_{m,2i} = \sin m\theta_i, \qquad p_{m,2i+1} = \cos m\theta_i, \qquad \mathbf{p}_m^\top \mathbf{p}_n = \sum_i \cos\bigl((m-n)\,\theta_i\bigr)`,
  keyHelp: {
    en: { across: 'another position', ends: 'the first, the last' },
    ko: { across: '다른 위치', ends: '처음, 마지막' },
    hu: { across: 'másik pozíció', ends: 'az első, az utolsó' },
  },
  module: () => import('./view'),
})
