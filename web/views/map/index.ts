import { kinds, means } from '../../charts/attention-map/subject'
import { weightScales } from '../../charts/attention-map/paint'
import { tex } from '../../ui/formula'
import { heads, oneOf } from '../../viewstate/fields'
import type { ParamsOf, View } from '../view'

export const params = {
  kind: oneOf('kind', 'weight', kinds),
  mean: oneOf('mean', 'head', means),
  picked: heads('picked'),
  scale: oneOf('scale', 'root', weightScales),
  special: oneOf('special', 'show', ['show', 'hide'] as const),
}

export type MapParams = ParamsOf<typeof params>

export const map: View = {
  id: 'map',
  order: 10,
  station: 'weight',
  tab: { en: 'Map', ko: '맵', hu: 'Térkép' },
  title: { en: 'Attention map', ko: '어텐션 맵', hu: 'A figyelem térképe' },
  shape: 'square',
  minWidth: 386,
  params,
  keys: {
    en: {
      across: 'previous or next key',
      along: 'previous or next query',
      ends: 'first or last key',
      pages: 'ten queries back or on',
      wheel: 'on a long text, with Ctrl or ⌘ or while the map has the focus: fewer or more tokens across',
      drag: 'on a long text: moves the enlarged part',
      pinch: 'on a long text: fewer or more tokens across, and another part',
    },
    ko: {
      across: '키 하나 앞, 뒤로',
      along: '쿼리 하나 앞, 뒤로',
      ends: '첫 키, 마지막 키',
      pages: '쿼리 열 개 앞, 뒤로',
      wheel: '긴 텍스트에서 Ctrl 또는 ⌘와 함께, 또는 맵에 초점이 있을 때: 보이는 토큰 수를 줄이거나 늘림',
      drag: '긴 텍스트에서: 확대한 부분을 옮김',
      pinch: '긴 텍스트에서: 보이는 토큰 수를 줄이거나 늘리고 다른 부분으로',
    },
    hu: {
      across: 'egy kulccsal vissza vagy tovább',
      along: 'egy lekérdezéssel vissza vagy tovább',
      ends: 'az első vagy az utolsó kulcs',
      pages: 'tíz lekérdezéssel vissza vagy tovább',
      wheel: 'hosszú szövegen, Ctrl vagy ⌘ mellett, vagy ha a térképen van a fókusz: kevesebb vagy több token',
      drag: 'hosszú szövegen: a nagyított rész mozgatása',
      pinch: 'hosszú szövegen: kevesebb vagy több token, és más rész',
    },
  },
  formula: tex`\displaystyle a_{mn} = \operatorname{softmax}_n\!\left(\frac{\mathbf{q}_m^\top \mathbf{k}_n}{\sqrt{d}}\right)`,
  body: () => import('./view'),
}
