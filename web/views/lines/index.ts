import { tex } from '../../ui/formula'
import { real } from '../../viewstate/fields'
import { view, type SettingsOf } from '../view'

const settings = {
  /** The weight below which no line is drawn. */
  least: real('least', 0.02, 0, 1),
}

export type LinesSettings = SettingsOf<typeof settings>

export const lines = view({
  id: 'lines',
  words: ({ lines }) => lines,
  shape: 'square',
  minWidth: 330,
  settings,
  keys: ({ lines }) => lines.keys,
  formula: tex`\displaystyle a_{mn} = \operatorname{softmax}_n\!\left(\frac{\mathbf{q}_m^\top \mathbf{k}_n}{\sqrt{d}}\right)`,
  component: () => import('./Lines.svelte'),
})
