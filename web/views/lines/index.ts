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
  tab: { en: 'Lines', ko: '선', hu: 'Vonalak' },
  title: { en: 'Who attends to whom', ko: '누가 누구를 보는가', hu: 'Ki kire figyel' },
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
    ko: {
      across: '키 하나 앞, 뒤로',
      along: '쿼리 하나 앞, 뒤로',
      ends: '첫 쿼리, 마지막 쿼리',
      pages: '쿼리 열 개 앞, 뒤로',
      wheel: '긴 텍스트에서: 스크롤',
      drag: '긴 텍스트에서: 스크롤',
    },
    hu: {
      across: 'egy kulccsal vissza vagy tovább',
      along: 'egy lekérdezéssel vissza vagy tovább',
      ends: 'az első vagy az utolsó lekérdezés',
      pages: 'tíz lekérdezéssel vissza vagy tovább',
      wheel: 'hosszú szövegen: görget',
      drag: 'hosszú szövegen: görget',
    },
  },
  formula: tex`\displaystyle a_{mn} = \operatorname{softmax}_n\!\left(\frac{\mathbf{q}_m^\top \mathbf{k}_n}{\sqrt{d}}\right)`,
  body: () => import('./view'),
}
