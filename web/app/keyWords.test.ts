import { expect, it } from 'vitest'
import { keyGroups } from '../ui/keys'
import { viewOf, views } from '../views'
import { keyHelpOf, titleOf } from '../views/view'
import { t } from './messages.en'
import { keyLists, announcementOf } from './keyWords'
import type { Run } from '../session/runs.svelte'

const names = (lists: ReturnType<typeof keyLists>) => lists.map(({ name }) => name)
const titleOfId = (id: string) => {
  const view = viewOf(id)
  return view && titleOf(view)
}

it('lists the keys of what is open, and of nothing else', () => {
  const lists = names(keyLists({ page: 'explorer', open: ['map', 'score'] }, undefined, true))
  expect(lists).toEqual(expect.arrayContaining([titleOfId('map'), titleOfId('score'), t().keys.everywhere]))
  expect(lists).not.toContain(titleOfId('points'))
  expect(names(keyLists({ page: 'about', open: ['map'] }, undefined, true))).toEqual([t().keys.everywhere])
})

it('says how to mask only where the model can', () => {
  const onTokens = (masks: boolean) =>
    keyLists({ page: 'explorer', open: ['map'] }, undefined, masks).find(({ name }) => name === t().keys.tokens)?.keys
  expect([onTokens(true)?.mask, onTokens(false)?.mask]).toEqual([expect.any(String), undefined])
})

it('every view that has keys says what they do, under names that are listed', () => {
  for (const view of views.filter(({ keyHelp }) => keyHelp)) {
    const groups = Object.keys(keyHelpOf(view) ?? {})
    expect(groups, view.id).not.toHaveLength(0)
    expect(keyGroups, view.id).toEqual(expect.arrayContaining(groups))
  }
})

it('no group of keys is listed twice', () => {
  expect(new Set(keyGroups).size).toBe(keyGroups.length)
})

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
