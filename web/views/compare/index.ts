import { tex } from '../../ui/formula'
import { oneOf, text } from '../../viewstate/fields'
import { view, type SettingsOf } from '../view'
import { presets, type Preset } from './presets'

export type With = 'change' | 'head' | 'text' | 'model' | 'scaling'

export const withs: readonly With[] = ['change', 'head', 'text', 'model', 'scaling']

/** Characters of B's text. */
export const longestText = 400

const settings = {
  /** What B is; where nothing is changed in the model, that stands for another head. */
  with: oneOf<With>('with', 'change', withs),
  /** B's text; empty: one of the examples. */
  text: text('text', '', longestText),
  /** The folder of B's model, or `own` for the visitor's; empty: the first that is another one than A's. */
  model: text('model', '', 64),
  scaling: oneOf<Preset>('scaling', 'linear4', presets),
}

export type CompareSettings = SettingsOf<typeof settings>

export const compare = view({
  id: 'compare',
  order: 100,
  words: ({ compare }) => compare,
  shape: 'wide',
  minWidth: 340,
  settings,
  formula: tex`\displaystyle d_{mn} = a^{A}_{mn} - a^{B}_{mn}, \qquad \text{elsewhere} = \frac{1}{L}\sum_m \frac{1}{2} \sum_n |d_{mn}|`,
  keys: ({ keys }) => keys.cursor,
  component: () => import('./Compare.svelte'),
})
