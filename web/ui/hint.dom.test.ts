import { flushSync, mount, unmount } from 'svelte'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import Hint from './Hint.svelte'
import { restsFor } from './pointer'

let hints: ReturnType<typeof mount>
let button: HTMLElement

beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML = '<button title="what it does">it</button><input title="a field">'
  button = document.querySelector('button')!
  hints = mount(Hint, { target: document.body })
  flushSync()
})

afterEach(async () => {
  await unmount(hints)
  vi.useRealTimers()
  document.body.innerHTML = ''
})

const text = () => {
  flushSync()
  return document.querySelector('[data-testid=hint]')?.textContent.trim()
}

const send = (type: string, target: EventTarget = document) => target.dispatchEvent(new Event(type, { bubbles: true }))

function focus(element: Element = button): void {
  send('keydown')
  send('focusin', element)
}

it('comes to what keys focus, also where the page scrolls there, and a scroll hides it', () => {
  focus()
  send('scroll')
  expect(text()).toBeUndefined()
  vi.advanceTimersByTime(restsFor)
  expect(text()).toBe('what it does')
  send('scroll')
  expect(text()).toBeUndefined()
})

it('does not come to what a mouse focuses, to a field, or after another key', () => {
  send('pointerdown', button)
  send('focusin', button)
  vi.advanceTimersByTime(2 * restsFor)
  expect(text()).toBeUndefined()
  focus(document.querySelector('input')!)
  vi.advanceTimersByTime(2 * restsFor)
  expect(text()).toBeUndefined()
  focus()
  send('keydown')
  vi.advanceTimersByTime(2 * restsFor)
  expect(text()).toBeUndefined()
})

it('does not come to a control that was removed, and goes with its control', async () => {
  focus()
  button.remove()
  vi.advanceTimersByTime(2 * restsFor)
  expect(text()).toBeUndefined()
  document.body.prepend(button)
  focus()
  vi.advanceTimersByTime(restsFor)
  expect(text()).toBe('what it does')
  button.remove()
  await vi.advanceTimersByTimeAsync(0)
  expect(text()).toBeUndefined()
})

it('goes where the page changes without a key or a finger', () => {
  for (const type of ['popstate', 'resize']) {
    focus()
    vi.advanceTimersByTime(restsFor)
    expect(text()).toBe('what it does')
    send(type, window)
    expect(text()).toBeUndefined()
  }
})

it('comes below one finger that rests, not below two', () => {
  const touch = (type: string, count: number) => {
    const touches = Array.from({ length: count }, (_, at) => ({ clientX: 10 * at, clientY: 0 }))
    button.dispatchEvent(Object.assign(new Event(type, { bubbles: true, cancelable: true }), { touches }))
  }
  touch('touchstart', 1)
  touch('touchstart', 2)
  vi.advanceTimersByTime(2 * restsFor)
  expect(text()).toBeUndefined()
  touch('touchend', 0)
  touch('touchstart', 1)
  vi.advanceTimersByTime(restsFor)
  expect(text()).toBe('what it does')
})
