import { tex } from '../../i18n/rich'
import { cursorKeyHelp, defineView } from '../view'

export const flow = defineView({
  id: 'flow',
  order: 90,
  station: 'layers',
  tab: { en: 'Flow', ko: '흐름', hu: 'Áramlás' },
  title: { en: 'What flows through the layers', ko: '층을 지나며 흐르는 것', hu: 'Mi áramlik át a rétegeken' },
  shape: 'tall',
  minWidth: 340,
  formula: tex`\displaystyle R_l = \tilde{A}_l\,R_{l-1}, \qquad \tilde{A}_l = \operatorname{rownorm}\!\left(\frac{1}{H}\sum_h A_{l,h} + I\right), \qquad R_{-1} = I`,
  keyHelp: cursorKeyHelp,
  module: () => import('./view'),
})
