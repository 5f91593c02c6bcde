import { oneOf } from '../../viewstate/fields'
import type { Extent, Fate } from '../../session/muted'
import { tex } from '../../ui/formula'
import { turns, view } from '../view'

/** How and where pairs are muted next, while none of the chosen head's are. */
export const settings = {
  how: oneOf<Fate>('how', 'cut', ['cut', 'stop']),
  in: oneOf<Extent>('in', 'head', ['head', 'layer', 'all']),
}

export const mute = view({
  id: 'mute',
  words: ({ mute }) => mute,
  turnsByAll: true,
  serves: turns,
  shape: 'wide',
  minWidth: 400,
  settings,
  formula: tex`\displaystyle \frac{1}{\sqrt{d}} \Bigl( \sum_{i\,\text{turns}} |q_i|\,|k_i| \cos\bigl((m-n)\,\theta_i + \varphi_i\bigr) + \sum_{i\,\text{stopped}} |q_i|\,|k_i| \cos \varphi_i + \sum_{i\,\text{cut}} 0 \Bigr)`,
  keys: ({ mute }) => mute.keys,
  component: () => import('./MuteView.svelte'),
})
