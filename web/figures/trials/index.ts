import { tex } from '../../i18n/rich'
import { oneOf, type ParamsOf } from '../../viewstate/fields'
import { defineView } from '../../views/view'

export const sizes = ['32', '64', '128'] as const
const rotationParams = {
  /** The head size. */
  size: oneOf('size', '64', sizes),
}
export type RotationParams = ParamsOf<typeof rotationParams>

export const rotations = defineView({
  id: 'rotations',
  tab: { en: 'Ways to rotate', ko: '회전 방법', hu: 'Forgatás' },
  title: { en: 'Three ways to rotate', ko: '회전의 세 가지 방법', hu: 'A forgatás háromféleképpen' },
  alone: true,
  shape: 'wide',
  minWidth: 330,
  params: rotationParams,
  formula: tex`\displaystyle \mathbf{R}_m\mathbf{x} = \begin{pmatrix} \cos m\theta_1 & -\sin m\theta_1 & & \\ \sin m\theta_1 & \cos m\theta_1 & & \\ & & \ddots & \end{pmatrix}\mathbf{x} = \mathbf{x} \odot \cos + \tilde{\mathbf{x}} \odot \sin`,
  module: async () => (await import('./view')).rotationsModule,
})

export const lengths = defineView({
  id: 'lengths',
  tab: { en: 'Long texts', ko: '긴 텍스트', hu: 'Hosszú szövegek' },
  title: { en: 'Attention against the length', ko: '길이에 따른 어텐션', hu: 'A figyelem a hossz szerint' },
  alone: true,
  shape: 'wide',
  minWidth: 330,
  formula: tex`\displaystyle \frac{\sum_n (\mathbf{R}_m\varphi(\mathbf{q}_m))^\top(\mathbf{R}_n\varphi(\mathbf{k}_n))\,\mathbf{v}_n}{\sum_n \varphi(\mathbf{q}_m)^\top\varphi(\mathbf{k}_n)} = \frac{(\mathbf{R}_m\varphi(\mathbf{q}_m))^\top \sum_n \mathbf{R}_n\varphi(\mathbf{k}_n)\,\mathbf{v}_n^\top}{\varphi(\mathbf{q}_m)^\top \sum_n \varphi(\mathbf{k}_n)}`,
  module: async () => (await import('./view')).lengthsModule,
})
