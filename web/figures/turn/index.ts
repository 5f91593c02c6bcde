import { tex } from '../../ui/formula'
import { integer, oneOf, real, type ParamsOf } from '../../viewstate/fields'
import type { Figure } from '../../views/view'

export const params = {
  angle: integer('angle', 30, 1, 180),
  qx: real('qx', 1, -1, 1),
  qy: real('qy', 0, -1, 1),
  kx: real('kx', 0.7, -1, 1),
  ky: real('ky', 0.7, -1, 1),
  pairs: oneOf('pairs', 'neighbours', ['neighbours', 'halves']),
}
export type TurnParams = ParamsOf<typeof params>

export const turn: Figure = {
  id: 'turn',
  tab: { en: 'Turn', ko: '회전', hu: 'Forgatás' },
  title: { en: 'Two arrows and their distance', ko: '두 화살표와 그 거리', hu: 'Két nyíl és a távolságuk' },
  alone: true,
  shape: 'tall',
  minWidth: 330,
  params,
  formula: tex`\displaystyle (\mathbf{R}_{m}\,\mathbf{q})^\top (\mathbf{R}_{n}\,\mathbf{k}) = \mathbf{q}^\top \mathbf{R}_{n-m}\,\mathbf{k} \allowbreak {}= |q|\,|k| \cos\bigl((m-n)\,\theta + \varphi\bigr)`,
  keys: {
    en: { across: 'turns the arrow', along: 'makes it longer or shorter' },
    ko: { across: '화살표를 돌린다', along: '늘이거나 줄인다' },
    hu: { across: 'elforgatja a nyilat', along: 'hosszabbítja, rövidíti' },
  },
  body: () => import('./view'),
}
