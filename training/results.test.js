import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { results } from './results.js'

test('RESULTS.md is what `node training/results.js` writes', async () => {
  expect(await readFile('training/RESULTS.md', 'utf8')).toBe(await results())
})
