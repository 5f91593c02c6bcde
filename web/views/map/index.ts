import { tex } from '../../ui/formula'
import { heads, oneOf } from '../../viewstate/fields'
import { kinds, means } from '../../charts/attention-map/subject'
import { view, type SettingsOf } from '../view'
import { weightScales } from '../../charts/attention-map/scale'

const settings = {
  kind: oneOf('kind', 'weight', kinds),
  mean: oneOf('mean', 'head', means),
  picked: heads('picked'),
  scale: oneOf('scale', 'root', weightScales),
  special: oneOf('special', 'show', ['show', 'hide'] as const),
}

export type MapSettings = SettingsOf<typeof settings>

export const map = view({
  id: 'map',
  words: ({ map }) => map,
  shape: 'square',
  minWidth: 340,
  settings,
  keys: ({ map }) => map.keys,
  formula: tex`\displaystyle a_{mn} = \operatorname{softmax}_n\!\left(\frac{\mathbf{q}_m^\top \mathbf{k}_n}{\sqrt{d}}\right)`,
  component: () => import('./Map.svelte'),
})
