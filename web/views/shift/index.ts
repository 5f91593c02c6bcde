import { tex } from '../../ui/formula'
import { turns, type View } from '../view'

export const shift: View = {
  id: 'shift',
  order: 110,
  station: 'rotate',
  tab: { en: 'Shift all', ko: '모두 옮기기', hu: 'Minden eltolása' },
  title: { en: 'Shift all positions', ko: '모두 옮기기', hu: 'Minden eltolása' },
  shape: 'tall',
  minWidth: 330,
  serves: turns,
  formula: tex`\displaystyle (\mathbf{R}_{m+s}\,\mathbf{q})^\top (\mathbf{R}_{n+s}\,\mathbf{k}) = \mathbf{q}^\top \mathbf{R}_{n-m}\,\mathbf{k}`,
  keys: {
    en: { across: 'a smaller or larger offset', pages: 'ten times, a tenth', ends: 'no offset, the largest' },
    ko: { across: '한 걸음 더, 덜', pages: '열 배, 10분의 1', ends: '0, 끝까지' },
    hu: { across: 'egy lépéssel kevesebb, több', pages: 'tízszer, tizede', ends: 'semmi, amíg csak megy' },
  },
  body: () => import('./view'),
}
