import { tex } from '../../i18n/rich'
import { defineView } from '../../views/view'

export const norms = defineView({
  id: 'norms',
  tab: { en: 'Lengths', ko: '길이', hu: 'Hosszak' },
  title: { en: 'Lengths, turned and added', ko: '돌릴 때와 더할 때의 길이', hu: 'Hosszak: forgatva és hozzáadva' },
  alone: true,
  shape: 'tall',
  minWidth: 330,
  formula: tex`\displaystyle \mathbf{R}_m^\top\mathbf{R}_m = \mathbf{I} \quad\Rightarrow\quad \lVert\mathbf{R}_m\mathbf{x}\rVert = \lVert\mathbf{x}\rVert, \qquad \lVert\mathbf{x}+\mathbf{p}_m\rVert^2 = \lVert\mathbf{x}\rVert^2 \allowbreak {}+ 2\,\mathbf{x}^\top\mathbf{p}_m \allowbreak {}+ \lVert\mathbf{p}_m\rVert^2`,
  module: () => import('./view'),
})
