import { positionEncodings } from '../../engine/protocol/mathematics'
import { tex } from '../../i18n/rich'
import { integer, oneOf, type ParamsOf } from '../../viewstate/fields'
import { defineView } from '../../views/view'

export const params = {
  /** The position encoding. */
  way: oneOf('way', 'sinusoidal', positionEncodings),
  /** The position of the first token. */
  first: integer('first', 10, 0, 200),
}
export type WaysParams = ParamsOf<typeof params>

export const ways = defineView({
  id: 'ways',
  tab: { en: 'Ways', ko: '방법', hu: 'Módszerek' },
  title: { en: 'One score in ten ways', ko: '점수 하나, 열 가지 방법', hu: 'Egy pontszám, tízféleképpen' },
  alone: true,
  shape: 'square',
  minWidth: 330,
  params,
  formula: tex`\displaystyle \mathbf{q}_m^\top\mathbf{k}_n = \mathbf{x}_m^\top\mathbf{W}_q^\top\mathbf{W}_k\mathbf{x}_n \allowbreak {}+ \mathbf{x}_m^\top\mathbf{W}_q^\top\mathbf{W}_k\mathbf{p}_n \allowbreak {}+ \mathbf{p}_m^\top\mathbf{W}_q^\top\mathbf{W}_k\mathbf{x}_n \allowbreak {}+ \mathbf{p}_m^\top\mathbf{W}_q^\top\mathbf{W}_k\mathbf{p}_n`,
  module: () => import('./view'),
})
