import { tex } from '../../i18n/rich'
import { integer, oneOf, optional, real, type ParamsOf } from '../../viewstate/fields'
import { lastPosition } from '../../session/ruler.svelte'
import { defineView } from '../../views/view'

/** A number of the arrows; null: the model's. */
const component = (name: string, first: number) => optional(real(name, first, -16, 16), null)
/** A position; null: the ruler's. */
const position = (name: string) => optional(integer(name, 0, 0, lastPosition), null)

export const params = {
  /** The query's position; null: the ruler's. */
  m: position('m'),
  /** The key's position; null: the ruler's. */
  n: position('n'),
  /** The pair of the model's head whose arrows are turned, unless there are others. */
  pair: integer('pair', 1, 0, 15),
  /** θ in degrees; null: that of the pair. */
  angle: optional(integer('angle', 30, 1, 180), null),
  /** The query's first number; null: the pair's. */
  qx: component('qx', 1),
  /** Its second number. */
  qy: component('qy', 0),
  /** The key's first number; null: the pair's. */
  kx: component('kx', 0.7),
  /** Its second number. */
  ky: component('ky', 0.7),
  /** What stands below: positions beside each other, the curve over all distances, or which numbers are a pair. */
  lower: optional(oneOf<'moves' | 'curve' | 'pairs'>('lower', 'moves', ['moves', 'curve', 'pairs']), null),
  /** Which two numbers of a vector rotate together. */
  pairs: oneOf('pairs', 'neighbours', ['neighbours', 'halves']),
}
export type TurnParams = ParamsOf<typeof params>

export const turn = defineView({
  id: 'turn',
  tab: { en: 'Turn', ko: '회전', hu: 'Forgatás' },
  title: { en: 'Two arrows, turned', ko: '돌린 두 화살표', hu: 'Két elforgatott nyíl' },
  alone: true,
  shape: 'tall',
  minWidth: 330,
  params,
  formula: tex`\displaystyle (\mathbf{R}_{m}\,\mathbf{q})^\top (\mathbf{R}_{n}\,\mathbf{k}) = \mathbf{q}^\top \mathbf{R}_{n-m}\,\mathbf{k} \allowbreak {}= |q|\,|k| \cos\bigl((m-n)\,\theta + \varphi\bigr)`,
  keyHelp: {
    en: { across: 'turns the arrow, moves the position', along: 'makes it longer or shorter' },
    ko: { across: '화살표 돌리기, 위치 옮기기', along: '늘이거나 줄이기' },
    hu: { across: 'elforgatja a nyilat, lépteti a pozíciót', along: 'hosszabbítja, rövidíti' },
  },
  module: () => import('./view'),
})
