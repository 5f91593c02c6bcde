import { flushSync, mount, unmount } from 'svelte'
import { afterEach, expect, it, vi } from 'vitest'
import Strip from './Strip.svelte'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** CSS px of a button. */
const buttonWidth = 80

it('has one tab stop, also once a narrower strip lets its views hang', async () => {
  let room = 2000
  const observers: (() => void)[] = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(call: (entries: { target: Element }[]) => void) {
        observers.push(() => call([{ target: strip() }]))
      }
      observe() {}
      disconnect() {}
    },
  )
  const strip = () => document.querySelector('.strip')!
  const buttons = () => [...strip().querySelectorAll<HTMLButtonElement>('[role=toolbar] button')]
  const stops = () => buttons().filter(({ tabIndex }) => tabIndex === 0)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(() => room)
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockImplementation(function (this: HTMLElement) {
    return buttonWidth * (this.tagName === 'BUTTON' ? 1 : this.querySelectorAll('button').length)
  })
  const resize = (width: number) => {
    room = width
    for (const observe of observers) observe()
    flushSync()
  }
  const info = { num_hidden_layers: 2, num_attention_heads: 2, head_size: 8, predicts_tokens: true, is_decoder: false }
  const bench = { run: { model: { info, fullInfo: info }, reading: {} }, choice: { viewParams: {}, part: 'cross' } }
  const view = mount(Strip, { target: document.body, props: { bench: bench as never, open: ['map'], panes() {} } })
  flushSync()
  resize(2000)
  expect(strip().classList.contains('hangs')).toBe(false)
  expect(stops()).toHaveLength(1)
  stops()[0]!.focus()
  for (const width of [600, 2000, 600]) {
    resize(width)
    expect(strip().classList.contains('hangs')).toBe(width === 600)
    expect(stops()).toHaveLength(1)
  }
  await unmount(view)
})
