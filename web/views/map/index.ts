import { tex } from '../../ui/formula'
import { heads, oneOf } from '../../viewstate/fields'
import type { MapKind } from '../../engine/protocol/protocol'
import { view, type SettingsOf } from '../view'
import { weightScales } from './scale'

export const kinds: readonly MapKind[] = ['weight', 'value', 'output', 'score', 'content', 'rotation']

/** Of which heads the map is: of one, or the mean over its layer, over all, over those that were picked. */
export const means = ['head', 'layer', 'all', 'some'] as const
export type Mean = (typeof means)[number]

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
  least: 340,
  settings,
  keys: ({ map }) => map.keys,
  formula: tex`\displaystyle a_{mn} = \operatorname{softmax}_n\!\left(\frac{\mathbf{q}_m^\top \mathbf{k}_n}{\sqrt{d}}\right)`,
  component: () => import('./Map.svelte'),
})
