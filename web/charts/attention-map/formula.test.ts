import { expect, it } from 'vitest'
import type { AttentionKind, ModelInfo } from '../../engine/protocol/protocol'
import { weightFormula } from './formula'

const formulaOf = (attention: AttentionKind, scale = 1 / 8) =>
  weightFormula({ model: { info: { attention, scale, head_size: 64 } as ModelInfo }, interventions: '' } as Parameters<
    typeof weightFormula
  >[0])

it('is the view’s own for softmax with 1/√d, and another one for each other kind', () => {
  expect(formulaOf('softmax')).toBeUndefined()
  const others = [formulaOf('softmax', 1 / 16), formulaOf('linear'), formulaOf('linear_rotate_first')]
  expect(new Set(others).size).toBe(3)
  for (const formula of others) expect(formula).toContain('<math')
  expect(others.map((formula) => formula?.includes('softmax'))).toEqual([true, false, false])
})
