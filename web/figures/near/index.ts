import { tex } from '../../i18n/rich'
import { flag, integer, oneOf, type ParamsOf } from '../../viewstate/fields'
import { defineView } from '../../views/view'

export const params = {
  /** What is drawn: the arrow that the hands add up to, the paper's bound, the sum of cosines, a score, or the smallest base of a context. */
  curve: oneOf('curve', 'arrow', ['arrow', 'bound', 'cosines', 'score', 'base']),
  /** Of the arrow: the distance. */
  at: integer('at', 20, 1, 10_000),
  /** Of the arrow: hands that are as long as each other, or the model’s. */
  hands: oneOf('hands', 'alike', ['alike', 'model']),
  /** Whether all pairs rotate as fast as the first. */
  alike: flag('alike', false),
  /** The distance at which query and key of the score are aligned. */
  aligned: integer('aligned', 0, 0, 8192),
  /** Of random queries and keys. */
  seed: integer('seed', 1, 1, 9999),
}
export type NearParams = ParamsOf<typeof params>

export const near = defineView({
  id: 'near',
  tab: { en: 'Near and far', ko: '가까이와 멀리', hu: 'Közel és távol' },
  title: { en: 'What distance does', ko: '거리가 하는 일', hu: 'Mit tesz a távolság' },
  alone: true,
  shape: 'wide',
  minWidth: 330,
  params,
  formula: tex`\displaystyle \Bigl|\sum_i h_i\, e^{\mathrm{i}(m-n)\theta_i}\Bigr| \le \max_i |h_{i+1} - h_i| \sum_{j=1}^{d/2} |S_j|, \qquad S_j = \sum_{i=0}^{j-1} e^{\mathrm{i}(m-n)\theta_i}, \qquad \frac{1}{d/2} \sum_{j=1}^{d/2} |S_j|`,
  keyHelp: {
    en: { across: 'another distance', ends: 'the first, the last', pages: 'a tenth of the way' },
    ko: { across: '다른 거리', ends: '처음, 마지막', pages: '10분의 1씩' },
    hu: { across: 'másik távolság', ends: 'az első, az utolsó', pages: 'az út tizede' },
  },
  module: () => import('./view'),
})
