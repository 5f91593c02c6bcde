import { flag, integer } from '../../viewstate/fields'
import { defineView } from '../view'

export const params = {
  /** Whether each head has a bar of its own. */
  heads: flag('heads', false),
  /** The prediction whose logit is taken apart: 0 is the best. */
  rank: integer('rank', 0, 0, 4),
}

export const residual = defineView({
  id: 'residual',
  order: 82,
  station: 'layers',
  tab: { en: 'Residual', ko: '잔차', hu: 'Összetevők' },
  title: {
    en: 'What adds up to a prediction',
    ko: '예측을 이루는 것들',
    hu: 'Miből áll össze egy jóslat',
  },
  shape: 'tall',
  minWidth: 320,
  params,
  serves: (model) => model.predicts_tokens,
  module: () => import('./view'),
})
