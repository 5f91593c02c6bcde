// What the dock says of itself where a view says it: its formula, source and keys.
import { tex } from '../../ui/formula'
import type { View } from '../../views/view'
import type { Glyph } from './dockSettings'

const formulas: Record<Glyph, string> = {
  maps: tex`\displaystyle a_{mn} = \operatorname{softmax}_n\!\left(\frac{\mathbf{q}_m^\top \mathbf{k}_n}{\sqrt d}\right)`,
  distance: tex`\displaystyle \bar a(\Delta) = \frac{1}{N_\Delta} \sum_{m - n = \Delta} a_{mn}`,
  pairs: tex`\displaystyle C_i = \lVert \mathbb{E}\,\mathbf{q}_i \rVert \, \lVert \mathbb{E}\,\mathbf{k}_i \rVert`,
}

type DockView = Pick<View, 'id' | 'formula' | 'keys'> & Required<Pick<View, 'words'>>

export function dockView(show: Glyph): DockView {
  return {
    id: 'heads',
    words: ({ bench }) => ({
      tab: bench.headsTab,
      title: bench.heads,
      help: bench.headsHelp[show],
      source: bench.headsSource[show],
    }),
    formula: formulas[show],
    keys: ({ bench }) => bench.headsKeys,
  }
}
