// The formula of a score, true of the model and of its kind of attention.
import type { AttentionKind } from '../../engine/protocol/protocol'
import { tex } from '../../i18n/rich'
import { attentionOf } from '../../session/interventions'
import type { Explained } from './parts'

/** What formula and note depend on. */
export interface ScoreKind {
  rotates: boolean
  attention: AttentionKind
  /** The factor of a score, where it is not 1/√d. */
  factor: number | undefined
}

export function kindOf({ run, scale, row }: Explained): ScoreKind {
  const attention = attentionOf(run)
  const isUsual = attention !== 'softmax' || Math.abs(scale * Math.sqrt(run.model.info.head_size) - 1) < 1e-5
  return { rotates: row === undefined, attention, factor: isUsual ? undefined : scale }
}

/** The sentences of the note that are true, in their order. */
export function partsOfSource({ rotates, attention, factor }: ScoreKind) {
  const factors = factor === undefined ? [] : (['factor'] as const)
  if (!rotates) return ['added', ...factors, 'softmax', 'stems', 'value'] as const
  if (attention === 'softmax') return ['rotated', ...factors, 'softmax', 'bound', 'curve', 'value'] as const
  const checked = attention === 'linear' ? 'noSoftmax' : 'rotatedFirst'
  return ['linear', checked, 'bound', 'curve', 'value'] as const
}

/** Undefined: the view's own. */
export function formulaOf({ rotates, attention, factor }: ScoreKind): string | undefined {
  if (!rotates) return factor === undefined ? added : addedByFactor
  if (attention !== 'softmax') return linear
  return factor === undefined ? undefined : rotatedByFactor
}

const added = tex`\displaystyle \frac{\mathbf{q}_m^\top \mathbf{k}_n}{\sqrt{d}} = \frac{1}{\sqrt{d}} \sum_{i=0}^{d/2-1} \bigl(q_{2i}\,k_{2i} + q_{2i+1}\,k_{2i+1}\bigr)`
const addedByFactor = tex`\displaystyle s\,\mathbf{q}_m^\top \mathbf{k}_n = s \sum_{i=0}^{d/2-1} \bigl(q_{2i}\,k_{2i} + q_{2i+1}\,k_{2i+1}\bigr)`
const rotatedByFactor = tex`\displaystyle s\,\mathbf{q}_m^\top \mathbf{k}_n = s \sum_{i=0}^{d/2-1} |q_i|\,|k_i| \cos\bigl((m-n)\,\theta_i + \varphi_i\bigr) \;\le\; s\, \max_i |h_{i+1} - h_i| \sum_{j=1}^{d/2} |S_j|`
const linear = tex`\displaystyle \mathbf{q}_m^\top \mathbf{R}_{n-m}\,\mathbf{k}_n = \sum_{i=0}^{d/2-1} |q_i|\,|k_i| \cos\bigl((m-n)\,\theta_i + \varphi_i\bigr) \;\le\; \max_i |h_{i+1} - h_i| \sum_{j=1}^{d/2} |S_j|`
