// The formula of attention weights, true of a run's kind of attention; the views' own is that of the usual one.
import { tex } from '../../i18n/rich'
import { attentionOf, scaleOf } from '../../session/interventions'
import type { Run } from '../../session/runs.svelte'

const softmaxByFactor = tex`\displaystyle a_{mn} = \operatorname{softmax}_n\!\left(s\,\mathbf{q}_m^\top \mathbf{k}_n\right)`
/** Equation 19 of RoFormer. */
const linear = tex`\displaystyle a_{mn} = \frac{(\mathbf{R}_m\,\varphi(\mathbf{q}_m))^\top (\mathbf{R}_n\,\varphi(\mathbf{k}_n))}{\sum_{n'} \varphi(\mathbf{q}_m)^\top \varphi(\mathbf{k}_{n'})}, \qquad \varphi(x) = \operatorname{elu}(x) + 1`
const linearRotatedFirst = tex`\displaystyle a_{mn} = \frac{\varphi(\mathbf{R}_m\,\mathbf{q}_m)^\top \varphi(\mathbf{R}_n\,\mathbf{k}_n)}{\sum_{n'} \varphi(\mathbf{R}_m\,\mathbf{q}_m)^\top \varphi(\mathbf{R}_{n'}\,\mathbf{k}_{n'})}, \qquad \varphi(x) = \operatorname{elu}(x) + 1`

/** MathML; undefined where it is the usual softmax with 1/√d. */
export function weightFormula(run: Pick<Run, 'model' | 'interventions'>): string | undefined {
  const attention = attentionOf(run)
  if (attention === 'linear') return linear
  if (attention === 'linear_rotate_first') return linearRotatedFirst
  const factor = scaleOf(run) * Math.sqrt(run.model.info.head_size)
  return Math.abs(factor - 1) < 1e-5 ? undefined : softmaxByFactor
}
