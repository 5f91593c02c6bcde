import { expect, it } from 'vitest'
import type { Run } from '../session/runs.svelte'
import { announcementOf } from './announcement'

const attention = Float32Array.from([0.2, 0.3, 0.5, 0.1, 0.2, 0.7, 0.35, 0.24, 0.41])
const runOf = (is_decoder: boolean) =>
  ({
    head: { layer: 2, head: 5, length: 3, attention },
    reading: { display: ['the', 'cat', 'sat'] },
    model: { info: { is_decoder } },
  }) as unknown as Run
const cursor = { layer: 2, head: 5, query: 2, key: 2, pair: null }

it('says head, query, key, weight and rank', () => {
  expect(announcementOf(runOf(false), { ...cursor, key: 1 })).toBe(
    "layer 2 head 5, query 'sat' 2, key 'cat' 1: 0.24, third of 3 keys",
  )
  expect(announcementOf(runOf(false), cursor)).toBe("layer 2 head 5, query 'sat' 2, key 'sat' 2: 0.41, first of 3 keys")
})

it('says that a mask forbids a pair, and nothing while the head is on its way', () => {
  expect(announcementOf(runOf(true), { ...cursor, query: 0 })).toMatch(/: masked/)
  expect(announcementOf(runOf(false), { ...cursor, head: 6 })).toBe('')
})
