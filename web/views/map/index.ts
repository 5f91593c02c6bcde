import { kinds, means } from '../../charts/attention-map/subject'
import { weightScales } from '../../charts/attention-map/paint'
import { tex } from '../../ui/formula'
import { heads, oneOf } from '../../viewstate/fields'
import type { ParamsOf, View } from '../view'

export const params = {
  kind: oneOf('kind', 'weight', kinds),
  mean: oneOf('mean', 'head', means),
  picked: heads('picked'),
  scale: oneOf('scale', 'root', weightScales),
  special: oneOf('special', 'show', ['show', 'hide'] as const),
}

export type MapParams = ParamsOf<typeof params>

export const map: View = {
  id: 'map',
  order: 10,
  station: 'weight',
  tab: { en: 'Map' },
  title: { en: 'Map of attention' },
  shape: 'square',
  minWidth: 340,
  params,
  keys: {
    en: {
      across: 'previous or next key',
      along: 'previous or next query',
      ends: 'first or last key',
      pages: 'ten queries back or on',
      wheel: 'on a long text, with Ctrl or ⌘ or while the map has the focus: fewer or more tokens across',
      drag: 'on a long text: moves the enlarged part',
      pinch: 'on a long text: fewer or more tokens across, and another part',
    },
  },
  formula: tex`\displaystyle a_{mn} = \operatorname{softmax}_n\!\left(\frac{\mathbf{q}_m^\top \mathbf{k}_n}{\sqrt{d}}\right)`,
  body: () => import('./view'),
}
