import { kinds, means } from '../../charts/attention-map/model'
import { weightScales } from '../../charts/attention-map/paint'
import { tex } from '../../i18n/rich'
import { heads, oneOf, type ParamsOf } from '../../viewstate/fields'
import { cursorKeyHelp, defineView } from '../view'

export const params = {
  /** What a cell shows: the weight, alone or times the norm of a value or of an output; the score, or its part without or by rotation. */
  kind: oneOf('kind', 'weight', kinds),
  /** Whose map it is: the selected head's, or the mean over its layer, over all heads, or over some. */
  mean: oneOf('mean', 'head', means),
  /** Which heads `some` are. */
  picked: heads('picked'),
  /** How weights become colours. */
  scale: oneOf('scale', 'root', weightScales),
  /** Whether special tokens have rows and columns. */
  special: oneOf('special', 'show', ['show', 'hide'] as const),
}

export type MapParams = ParamsOf<typeof params>

export const map = defineView({
  id: 'map',
  order: 10,
  station: 'weight',
  tab: { en: 'Map', ko: '맵', hu: 'Térkép' },
  title: { en: 'Attention map', ko: '어텐션 맵', hu: 'A figyelem térképe' },
  shape: 'square',
  minWidth: 386,
  params,
  keyHelp: {
    en: {
      ...cursorKeyHelp.en,
      wheel: 'on a long text, with Ctrl or ⌘ or while the map has the focus: fewer or more tokens across',
      drag: 'on a long text: moves the enlarged part',
      pinch: 'on a long text: fewer or more tokens across, and another part',
    },
    ko: {
      ...cursorKeyHelp.ko,
      wheel: '긴 텍스트에서 Ctrl 또는 ⌘와 함께, 또는 맵에 초점이 있을 때: 보이는 토큰 수를 줄이거나 늘림',
      drag: '긴 텍스트에서: 확대한 부분을 옮김',
      pinch: '긴 텍스트에서: 보이는 토큰 수를 줄이거나 늘리고 다른 부분으로',
    },
    hu: {
      ...cursorKeyHelp.hu,
      wheel: 'hosszú szövegen, Ctrl vagy ⌘ mellett, vagy ha a térképen van a fókusz: kevesebb vagy több token',
      drag: 'hosszú szövegen: a nagyított rész mozgatása',
      pinch: 'hosszú szövegen: kevesebb vagy több token, és más rész',
    },
  },
  formula: tex`\displaystyle a_{mn} = \operatorname{softmax}_n\!\left(\frac{\mathbf{q}_m^\top \mathbf{k}_n}{\sqrt{d}}\right)`,
  module: () => import('./view'),
})
