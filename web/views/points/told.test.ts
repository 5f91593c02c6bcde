import { expect, test } from 'vitest'
import { words } from '../../i18n/words'
import { headlineOf } from './told'

const axes = { x: 'distance', y: 'entropy', shade: 'previous' } as const
const head = (index: number, distance: number) => ({ layer: 0, head: index, numbers: { distance, entropy: 0 } })
const title = (distances: readonly number[]) => {
  const heads = distances.map((distance, index) => head(index, distance))
  return headlineOf(heads, head(1, distances[1] ?? NaN), axes, 'on 2 tokens', words.points).title
}

test('of heads that are all alike none stands first', () => {
  expect(title([0, 0, 0])).toBe('Nothing tells 3 heads apart here.')
  expect(title([0, 2, 1])).toMatch(/^Of 3 heads, head 0\.1 has/)
})
