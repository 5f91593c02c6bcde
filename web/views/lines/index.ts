import { tex } from '../../ui/formula'
import { real } from '../../viewstate/fields'
import type { ParamsOf, View } from '../view'

export const params = {
  /** The weight below which no line is drawn. */
  least: real('least', 0.02, 0, 1),
}

export type LinesParams = ParamsOf<typeof params>

export const lines: View = {
  id: 'lines',
  order: 30,
  station: 'weight',
  tab: { en: 'Lines' },
  title: { en: 'Who attends to whom' },
  shape: 'square',
  minWidth: 330,
  params,
  keys: {
    en: {
      across: 'previous or next key',
      along: 'previous or next query',
      ends: 'first or last query',
      pages: 'ten queries back or on',
      wheel: 'on a long text: scrolls',
      drag: 'on a long text: scrolls',
    },
  },
  formula: tex`\displaystyle a_{mn} = \operatorname{softmax}_n\!\left(\frac{\mathbf{q}_m^\top \mathbf{k}_n}{\sqrt{d}}\right)`,
  body: () => import('./view'),
}
