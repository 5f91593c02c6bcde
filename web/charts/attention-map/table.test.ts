import { expect, test } from 'vitest'
import { csv } from '../../ui/table'
import { headMap } from './model'
import { tableOf } from './table'

test('queries down, keys across, and what is forbidden empty', () => {
  const map = headMap({ values: Float32Array.of(1, 0, 0.25, 0.75), names: ['a', 'b'], causal: true })
  expect(csv(tableOf(map, 'query'))).toBe('query,0 a,1 b\r\n0 a,1,\r\n1 b,0.25,0.75\r\n')
})
