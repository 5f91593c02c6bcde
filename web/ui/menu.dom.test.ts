import { computeAccessibleName } from 'dom-accessibility-api'
import { createRawSnippet, flushSync, mount, unmount } from 'svelte'
import { expect, it } from 'vitest'
import Menu from './Menu.svelte'

const children = createRawSnippet(() => ({ render: () => '<p>content</p>' }))

it('a sheet ends above the lower edge of the screen, and is named as its button', async () => {
  const menu = mount(Menu, { target: document.body, props: { label: 'more', name: 'more: Map', children } })
  flushSync()
  const button = document.querySelector('button')!
  const sheet = document.querySelector<HTMLElement>('[role=group]')!
  const name = (element: Element) => computeAccessibleName(element, { getComputedStyle: () => document.body.style })
  button.getBoundingClientRect = () => new DOMRect(0, 260, 60, 24)
  button.click()
  flushSync()
  expect([name(button), name(sheet)]).toEqual(['more: Map', 'more: Map'])
  expect(sheet.hidden).toBe(false)
  expect(284 + parseFloat(sheet.style.getPropertyValue('--room'))).toBeLessThan(innerHeight)
  await unmount(menu)
})

it('a sheet wider than the room beside its button is moved onto the screen', async () => {
  const menu = mount(Menu, { target: document.body, props: { label: 'settings', children } })
  flushSync()
  const button = document.querySelector('button')!
  const sheet = document.querySelector<HTMLElement>('[role=group]')!
  const screen = document.documentElement
  Object.defineProperty(screen, 'clientWidth', { value: 1000, configurable: true })
  const moved = (left: number, width: number) => {
    sheet.getBoundingClientRect = () => new DOMRect(left + parseFloat(sheet.style.translate || '0'), 60, width, 200)
    button.click()
    flushSync()
    const { translate } = sheet.style
    button.click()
    flushSync()
    return translate
  }
  expect([moved(300, 500), moved(700, 500), moved(-80, 500)]).toEqual(['0px', '-208px', '88px'])
  button.click()
  flushSync()
  expect(sheet.style.translate).toBe('88px')
  sheet.getBoundingClientRect = () => new DOMRect(20 + parseFloat(sheet.style.translate), 60, 500, 200)
  Object.assign(window, { innerWidth: 900 })
  window.dispatchEvent(new Event('resize'))
  flushSync()
  expect(sheet.style.translate, 'in a narrower window').toBe('0px')
  await unmount(menu)
})
