import { positionEncodings } from '../../engine/protocol/mathematics'
import { tex } from '../../ui/formula'
import { integer, oneOf } from '../../viewstate/fields'
import { readWords } from '../../i18n/edition.svelte'
import { view } from '../../views/view'

export const settings = {
  way: oneOf('way', 'rope', positionEncodings),
  first: integer('first', 10, 0, 200),
}

export const ways = view({
  id: 'ways',
  words: () => readWords().figures.ways,
  alone: true,
  shape: 'square',
  minWidth: 330,
  settings,
  formula: tex`\displaystyle \mathbf{q}_m^\top\mathbf{k}_n = \mathbf{x}_m^\top\mathbf{W}_q^\top\mathbf{W}_k\mathbf{x}_n \allowbreak {}+ \mathbf{x}_m^\top\mathbf{W}_q^\top\mathbf{W}_k\mathbf{p}_n \allowbreak {}+ \mathbf{p}_m^\top\mathbf{W}_q^\top\mathbf{W}_k\mathbf{x}_n \allowbreak {}+ \mathbf{p}_m^\top\mathbf{W}_q^\top\mathbf{W}_k\mathbf{p}_n`,
  component: () => import('./Ways.svelte'),
})
