import { tex } from '../../ui/formula'
import { oneOf } from '../../viewstate/fields'
import { readWords } from '../../i18n/edition.svelte'
import { training } from '../../i18n/facts'
import { view } from '../../views/view'

export const settings = { kinds: oneOf('kinds', 'all', ['all', 'rotary']) }

export const cost = view({
  id: 'cost',
  words: () => {
    const said = readWords().figures.cost
    return { ...said, help: said.help(training.tokens), source: said.source(training) }
  },
  alone: true,
  shape: 'wide',
  minWidth: 330,
  settings,
  formula: tex`\displaystyle \mathbf{R}_m\mathbf{x} = \mathbf{x} \odot \cos + \tilde{\mathbf{x}} \odot \sin, \qquad \mathrm{Attention}_m = \frac{\sum_n \bigl(\mathbf{R}_m\varphi(\mathbf{q}_m)\bigr)^\top \bigl(\mathbf{R}_n\phi(\mathbf{k}_n)\bigr)\,\mathbf{v}_n}{\sum_n \varphi(\mathbf{q}_m)^\top\phi(\mathbf{k}_n)}`,
  component: () => import('./Cost.svelte'),
})
