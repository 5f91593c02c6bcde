import { tex } from '../../ui/formula'
import { oneOf } from '../../viewstate/fields'
import { view } from '../../views/view'

export const sizes = ['32', '64', '128'] as const
export const settings = { size: oneOf('size', '64', sizes) }

export const rotations = view({
  id: 'rotations',
  words: ({ trials }) => trials.rotations,
  alone: true,
  shape: 'wide',
  minWidth: 330,
  settings,
  formula: tex`\displaystyle \mathbf{R}_m\mathbf{x} = \begin{pmatrix} \cos m\theta_1 & -\sin m\theta_1 & & \\ \sin m\theta_1 & \cos m\theta_1 & & \\ & & \ddots & \end{pmatrix}\mathbf{x} = \mathbf{x} \odot \cos + \tilde{\mathbf{x}} \odot \sin`,
  component: () => import('./Rotations.svelte'),
})
