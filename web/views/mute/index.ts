import { oneOf } from '../../viewstate/fields'
import type { Extent, MuteKind } from '../../session/muted'
import { tex } from '../../i18n/rich'
import { defineView } from '../view'

/** How and where the next pairs are muted while the selected head has none. */
export const params = {
  /** What a switch does to a pair: takes it out of the scores (`cut`), or freezes it (`stop`). */
  how: oneOf<MuteKind>('how', 'ablated', ['ablated', 'frozen'], { ablated: 'cut', frozen: 'stop' }),
  /** Where it does so: in the head, in its layer, or in all heads. */
  in: oneOf<Extent>('in', 'head', ['head', 'layer', 'all']),
}

export const mute = defineView({
  id: 'mute',
  order: 40,
  station: 'rotate',
  tab: { en: 'Mute pairs', ko: '쌍 끄기', hu: 'Némítás' },
  title: { en: 'Mute frequency pairs', ko: '주파수 쌍 끄기', hu: 'Frekvenciapárok elnémítása' },
  assumesAllDistances: true,
  needsRotation: true,
  shape: 'wide',
  minWidth: 400,
  params,
  formula: tex`\displaystyle \frac{1}{\sqrt{d}} \Bigl( \sum_{i\,\text{turns}} |q_i|\,|k_i| \cos\bigl((m-n)\,\theta_i + \varphi_i\bigr) + \sum_{i\,\text{frozen}} |q_i|\,|k_i| \cos \varphi_i + \sum_{i\,\text{cut}} 0 \Bigr)`,
  keyHelp: {
    en: {
      across: 'on the switches the previous or next pair; on the maps another key',
      along: 'on the maps another query',
      take: 'mutes or unmutes the pair',
    },
    ko: {
      across: '스위치에서는 쌍 하나 앞, 뒤로. 맵에서는 다른 키로',
      along: '맵에서 다른 쿼리로',
      take: '쌍을 끄거나 켬',
    },
    hu: {
      across: 'a kapcsolókon az előző vagy következő pár; a térképeken másik kulcs',
      along: 'a térképeken másik lekérdezés',
      take: 'elnémítja vagy visszakapcsolja a párt',
    },
  },
  module: () => import('./view'),
})
