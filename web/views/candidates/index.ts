import { tex } from '../../ui/formula'
import type { View } from '../view'

export const candidates: View = {
  id: 'candidates',
  order: 80,
  station: 'guess',
  tab: { en: 'Candidates' },
  title: { en: 'Fills and next tokens' },
  shape: 'tall',
  minWidth: 330,
  serves: (model) => model.predicts_tokens,
  formula: tex`\displaystyle p_v = \frac{e^{z_v}}{\sum_u e^{z_u}}, \qquad p'_v \propto \begin{cases} e^{z_v / T} & v \text{ is left} \\ 0 & \text{else} \end{cases}`,
  keys: {
    en: { along: 'the previous or next candidate', ends: 'the most likely, the last listed', take: 'inserts it' },
  },
  body: () => import('./view'),
}
