import { flushSync, mount, unmount } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import { expect, it } from 'vitest'
import type { Target } from '../output'
import Panel from './Panel.svelte'

it('a number field shows the number in use, whatever was typed', async () => {
  const used = new SvelteMap([['head', 6]])
  const panel = mount(Panel, {
    target: document.body,
    props: {
      id: 'tested',
      params: {},
      get rows() {
        const value = used.get('head')!
        const to = (head: number): Target | undefined =>
          Number.isInteger(head) ? { params: { head: Math.max(0, Math.min(head, 7)) } } : undefined
        return [[{ kind: 'number', label: 'Head', value, min: 0, max: 7, to } as const]]
      },
      go: (target: Target | undefined) => {
        if (target?.params) used.set('head', Number(target.params['head']))
      },
    },
  })
  flushSync()
  const field = document.querySelector('input')!
  const afterTyping = (value: string) => {
    field.value = value
    field.dispatchEvent(new Event('change', { bubbles: true }))
    return expect.poll(() => field.value)
  }
  await afterTyping('99').toBe('7')
  await afterTyping('99').toBe('7')
  await afterTyping('').toBe('7')
  await afterTyping('2').toBe('2')
  expect(used.get('head')).toBe(2)
  await unmount(panel)
})
