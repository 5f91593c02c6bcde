import { tex } from '../../ui/formula'
import { readWords } from '../../i18n/edition.svelte'
import { view } from '../../views/view'

export const norms = view({
  id: 'norms',
  words: () => readWords().figures.norms,
  alone: true,
  shape: 'tall',
  minWidth: 330,
  settings: {},
  formula: tex`\displaystyle \mathbf{R}_m^\top\mathbf{R}_m = \mathbf{I} \quad\Rightarrow\quad \lVert\mathbf{R}_m\mathbf{x}\rVert = \lVert\mathbf{x}\rVert, \qquad \lVert\mathbf{x}+\mathbf{p}_m\rVert^2 = \lVert\mathbf{x}\rVert^2 \allowbreak {}+ 2\,\mathbf{x}^\top\mathbf{p}_m \allowbreak {}+ \lVert\mathbf{p}_m\rVert^2`,
  component: () => import('./Norms.svelte'),
})
