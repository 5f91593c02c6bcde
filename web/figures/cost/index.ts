import { tex } from '../../i18n/rich'
import { oneOf, type ParamsOf } from '../../viewstate/fields'
import { defineView } from '../../views/view'

export const params = {
  /** Whose losses are drawn: those of all kinds of positions, or of rotary positions alone. */
  kinds: oneOf('kinds', 'all', ['all', 'rotary']),
}
export type CostParams = ParamsOf<typeof params>

export const cost = defineView({
  id: 'cost',
  tab: { en: 'Cost', ko: '비용', hu: 'Ár' },
  title: { en: 'Three kinds, trained alike', ko: '똑같이 학습한 세 가지', hu: 'Három fajta, egyformán tanítva' },
  alone: true,
  shape: 'wide',
  minWidth: 330,
  params,
  formula: tex`\displaystyle \mathbf{R}_m\mathbf{x} = \mathbf{x} \odot \cos + \tilde{\mathbf{x}} \odot \sin, \qquad \mathrm{Attention}_m = \frac{\sum_n \bigl(\mathbf{R}_m\varphi(\mathbf{q}_m)\bigr)^\top \bigl(\mathbf{R}_n\phi(\mathbf{k}_n)\bigr)\,\mathbf{v}_n}{\sum_n \varphi(\mathbf{q}_m)^\top\phi(\mathbf{k}_n)}`,
  module: () => import('./view'),
})
