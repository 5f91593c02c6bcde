import { tex } from '../../i18n/rich'
import { cursorKeyHelp, defineView } from '../view'

export const contacts = defineView({
  id: 'contacts',
  order: 120,
  station: 'weight',
  tab: { en: 'Contacts', ko: '접촉', hu: 'Érintkezések' },
  title: { en: 'Which residues touch', ko: '맞닿는 잔기', hu: 'Mely aminosavak érintkeznek' },
  shape: 'square',
  minWidth: 340,
  serves: (model) => model.has_contact_head,
  rare: true,
  formula: tex`\displaystyle p_{ij} = \sigma\!\left(b + \sum_{l,h} w_{lh}\left(S_{ij} - \frac{S_{i\cdot}\,S_{\cdot j}}{S_{\cdot\cdot}}\right)\right), \qquad S = A_{l,h} + A_{l,h}^\top`,
  keyHelp: cursorKeyHelp,
  module: () => import('./view'),
})
