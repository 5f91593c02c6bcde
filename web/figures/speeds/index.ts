import { tex } from '../../ui/formula'
import { oneOf } from '../../viewstate/fields'
import { readWords } from '../../i18n/edition.svelte'
import { view } from '../../views/view'

export const settings = {
  map: oneOf('map', 'angle', ['angle', 'cos', 'sin', 'turns']),
  axis: oneOf('axis', 'log', ['log', 'linear']),
}

export const speeds = view({
  id: 'speeds',
  words: () => readWords().figures.speeds,
  alone: true,
  shape: 'tall',
  minWidth: 330,
  settings,
  formula: tex`\displaystyle \theta_i = b^{-2i/d}, \qquad \lambda_i = \frac{2\pi}{\theta_i}, \qquad \begin{pmatrix} x'_{2i} \\ x'_{2i+1} \end{pmatrix} = \begin{pmatrix} \cos m\theta_i & -\sin m\theta_i \\ \sin m\theta_i & \cos m\theta_i \end{pmatrix} \begin{pmatrix} x_{2i} \\ x_{2i+1} \end{pmatrix}`,
  keys: () => readWords().figures.speeds.keys,
  component: () => import('./Speeds.svelte'),
})
