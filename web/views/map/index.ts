import { tex } from '../../formula'
import { oneOf } from '../../state/fields'
import type { MapKind } from '../../engine/protocol'
import { view, type SettingsOf } from '../view'
import { weightScales } from './scale'

export const kinds: readonly MapKind[] = ['weight', 'score', 'content', 'rotation']

const settings = {
  kind: oneOf('kind', 'weight', kinds),
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
