import { tex } from '../../i18n/rich'
import { defineView } from '../view'

export const masks = defineView({
  id: 'masks',
  order: 130,
  station: 'weight',
  tab: { en: 'Masks', ko: '마스크', hu: 'Maszkok' },
  title: { en: 'Who may see whom', ko: '누가 누구를 볼 수 있는가', hu: 'Ki kit láthat' },
  shape: 'wide',
  minWidth: 340,
  serves: (model) => model.encoder != null,
  rare: true,
  formula: tex`\displaystyle a_{mn} = \operatorname{softmax}_n\!\left(\frac{q_m^\top k_n}{\sqrt d} + M_{mn}\right), \qquad M_{mn} \in \{0, -\infty\}`,
  module: () => import('./view'),
})
