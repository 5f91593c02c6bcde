import { tex } from '../../ui/formula'
import { integer, oneOf, real } from '../../viewstate/fields'
import { readWords } from '../../i18n/edition.svelte'
import { view } from '../../views/view'

export const settings = {
  angle: integer('angle', 30, 1, 180),
  qx: real('qx', 1, -1, 1),
  qy: real('qy', 0, -1, 1),
  kx: real('kx', 0.7, -1, 1),
  ky: real('ky', 0.7, -1, 1),
  pairs: oneOf('pairs', 'neighbours', ['neighbours', 'halves']),
}

export const turn = view({
  id: 'turn',
  words: () => readWords().figures.turn,
  alone: true,
  shape: 'tall',
  minWidth: 330,
  settings,
  formula: tex`\displaystyle (\mathbf{R}_{m}\,\mathbf{q})^\top (\mathbf{R}_{n}\,\mathbf{k}) = \mathbf{q}^\top \mathbf{R}_{n-m}\,\mathbf{k} \allowbreak {}= |q|\,|k| \cos\bigl((m-n)\,\theta + \varphi\bigr)`,
  keys: () => readWords().figures.turn.keys,
  component: () => import('./Turn.svelte'),
})
