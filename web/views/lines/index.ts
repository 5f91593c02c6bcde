import { tex } from '../../i18n/rich'
import { real, type ParamsOf } from '../../viewstate/fields'
import { cursorKeyHelp, defineView } from '../view'

export const params = {
  /** The weight below which no line is drawn. */
  least: real('least', 0.02, 0, 1),
}

export type LinesParams = ParamsOf<typeof params>

export const lines = defineView({
  id: 'lines',
  order: 30,
  station: 'weight',
  tab: { en: 'Lines', ko: '선', hu: 'Vonalak' },
  title: { en: 'Who attends to whom', ko: '누가 누구를 보는가', hu: 'Ki kire figyel' },
  shape: 'square',
  minWidth: 330,
  params,
  keyHelp: {
    en: {
      ...cursorKeyHelp.en,
      ends: 'first or last query',
      wheel: 'on a long text: scrolls',
      drag: 'on a long text: scrolls',
    },
    ko: {
      ...cursorKeyHelp.ko,
      ends: '첫 쿼리, 마지막 쿼리',
      wheel: '긴 텍스트에서: 스크롤',
      drag: '긴 텍스트에서: 스크롤',
    },
    hu: {
      ...cursorKeyHelp.hu,
      ends: 'az első vagy az utolsó lekérdezés',
      wheel: 'hosszú szövegen: görget',
      drag: 'hosszú szövegen: görget',
    },
  },
  formula: tex`\displaystyle a_{mn} = \operatorname{softmax}_n\!\left(\frac{\mathbf{q}_m^\top \mathbf{k}_n}{\sqrt{d}}\right)`,
  module: () => import('./view'),
})
