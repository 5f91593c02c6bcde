import { tex } from '../../i18n/rich'
import { defineView } from '../view'

export const shift = defineView({
  id: 'shift',
  order: 110,
  station: 'rotate',
  tab: { en: 'Shift all', ko: '모두 옮기기', hu: 'Eltolás' },
  title: { en: 'Shift all positions', ko: '모두 옮기기', hu: 'Minden eltolása' },
  shape: 'tall',
  minWidth: 330,
  needsRotation: true,
  formula: tex`\displaystyle (\mathbf{R}_{m+s}\,\mathbf{q})^\top (\mathbf{R}_{n+s}\,\mathbf{k}) = \mathbf{q}^\top \mathbf{R}_{n-m}\,\mathbf{k}`,
  keyHelp: {
    en: { across: 'a smaller or larger offset', pages: 'ten times, a tenth', ends: 'no offset, the largest' },
    ko: { across: '더 작은, 더 큰 수', pages: '10분의 1, 열 배', ends: '0, 가장 큰 수' },
    hu: { across: 'kisebb, nagyobb eltolás', pages: 'tízszeres, tizede', ends: 'nincs eltolás, a legnagyobb' },
  },
  module: () => import('./view'),
})
