import { expect, it } from 'vitest'
import { words } from '../words/words'
import { bundledModels } from './bundled'

it('says of each bundled model what it is, and of no other', () => {
  expect(Object.keys(words.models.described).sort()).toEqual(bundledModels.map(({ folder }) => folder).sort())
  for (const { folder } of bundledModels) expect(words.models.described[folder]).toMatch(/\.$/)
})
