import { expect, it } from 'vitest'
import { keyGroups } from '../ui/keys'
import { viewOf, views } from '../views'
import { keysOf, titleOf } from '../views/view'
import { t } from './messages.en'
import { keyLists } from './keyLists'

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
  for (const view of views.filter(({ keys }) => keys)) {
    const groups = Object.keys(keysOf(view) ?? {})
    expect(groups, view.id).not.toHaveLength(0)
    expect(keyGroups, view.id).toEqual(expect.arrayContaining(groups))
  }
})

it('no group of keys is listed twice', () => {
  expect(new Set(keyGroups).size).toBe(keyGroups.length)
})
