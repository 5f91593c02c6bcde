import { expect, it } from 'vitest'
import type { ModelInfo } from '../engine/protocol/protocol'
import { longestText } from './longest'

const model = (max_position_embeddings: number, stretches: boolean) =>
  ({ max_position_embeddings, stretches }) as ModelInfo

it('a text goes beyond its model only where that can and is asked to', () => {
  expect(longestText(model(512, true), false)).toBe(512)
  expect(longestText(model(512, true), true)).toBe(4096)
  expect(longestText(model(512, false), true)).toBe(512)
  expect(longestText(model(32_768, true), true)).toBe(32_768)
})
