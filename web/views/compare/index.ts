import { tex } from '../../i18n/rich'
import { oneOf, text, type ParamsOf } from '../../viewstate/fields'
import { cursorKeyHelp, defineView } from '../view'

/** What B is. */
export const contrasts = ['change', 'head', 'text', 'model', 'scaling'] as const
export type ContrastKind = (typeof contrasts)[number]

/** Rope scalings for B, with their factors. */
export const scalings = { linear2: 2, linear4: 4, yarn4: 4, yarn8: 8 } as const
export type Scaling = keyof typeof scalings
export const scalingNames = Object.keys(scalings) as Scaling[]

/** The longest text of B, in characters. */
export const longestText = 400

export const params = {
  /** What B is. Without interventions `change` falls back to `head`. */
  with: oneOf<ContrastKind>('with', 'change', contrasts),
  /** B's text; empty means one of the examples. */
  text: text('text', '', longestText),
  /** The folder of B's model, or `own`; empty means the first one that is not A's. */
  model: text('model', '', 64),
  /** The scaling of B's rope, with its factor. */
  scaling: oneOf<Scaling>('scaling', 'linear4', scalingNames),
  /** The map on a phone, which has room for one. */
  show: oneOf('show', 'a', ['a', 'b', 'difference'] as const),
}
export type CompareParams = ParamsOf<typeof params>

export const compare = defineView({
  id: 'compare',
  order: 100,
  station: 'heads',
  tab: { en: 'Compare', ko: '비교', hu: 'Összevetés' },
  title: { en: 'Two maps and their difference', ko: '두 맵과 그 차이', hu: 'Két térkép és a különbségük' },
  shape: 'wide',
  minWidth: 340,
  params,
  formula: tex`\displaystyle d_{mn} = a^{A}_{mn} - a^{B}_{mn}, \qquad \text{elsewhere} = \frac{1}{L}\sum_m \frac{1}{2} \sum_n |d_{mn}|`,
  keyHelp: cursorKeyHelp,
  module: () => import('./view'),
})
