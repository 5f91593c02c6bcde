import { tex } from '../../i18n/rich'
import { oneOf, type ParamsOf } from '../../viewstate/fields'
import { defineView } from '../../views/view'

export const mapModes = ['angle', 'cos', 'sin', 'turns'] as const
export type MapMode = (typeof mapModes)[number]
export const axes = ['log', 'linear'] as const

export const params = {
  /** What the map of pairs and positions shows. */
  map: oneOf('map', 'angle', mapModes),
  /** The axis of positions. */
  axis: oneOf('axis', 'log', axes),
}
export type SpeedsParams = ParamsOf<typeof params>

export const speeds = defineView({
  id: 'speeds',
  tab: { en: 'Speeds', ko: '속도', hu: 'Sebességek' },
  title: { en: 'Every hand at its true speed', ko: '제 속도로 도는 바늘', hu: 'Minden mutató a valódi sebességével' },
  alone: true,
  shape: 'tall',
  minWidth: 330,
  params,
  formula: tex`\displaystyle \theta_i = b^{-2i/d}, \qquad \lambda_i = \frac{2\pi}{\theta_i}, \qquad \begin{pmatrix} x'_{2i} \\ x'_{2i+1} \end{pmatrix} = \begin{pmatrix} \cos m\theta_i & -\sin m\theta_i \\ \sin m\theta_i & \cos m\theta_i \end{pmatrix} \begin{pmatrix} x_{2i} \\ x_{2i+1} \end{pmatrix}`,
  keyHelp: {
    en: { across: 'the pair before, the next', ends: 'the first, the last pair', leave: 'lets the pair go' },
    ko: { across: '앞 쌍, 다음 쌍', ends: '첫 쌍, 마지막 쌍', leave: '쌍 선택 해제' },
    hu: { across: 'az előző, a következő pár', ends: 'az első, az utolsó pár', leave: 'elengedi a párt' },
  },
  module: () => import('./view'),
})
