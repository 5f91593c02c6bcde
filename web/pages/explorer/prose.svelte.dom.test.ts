// The pane of the prose shows what was written last.
import { createRawSnippet, flushSync, mount, unmount } from 'svelte'
import { afterEach, expect, it, vi } from 'vitest'
import type { WrittenTokens } from '../../text/continuation'
import Prose from './Prose.svelte'

/** CSS px of the prose and of its pane. */
const [proseHeight, paneHeight] = [500, 100]
const end = proseHeight - paneHeight

afterEach(() => vi.restoreAllMocks())

function openProse() {
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(proseHeight)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(paneHeight)
  let text = $state('word '.repeat(100))
  let written: WrittenTokens = $state.raw([])
  let writing = $state(false)
  const bench = {
    choice: {
      get text() {
        return text
      },
    },
    generation: {
      able: true,
      get writing() {
        return writing
      },
      get written() {
        return written
      },
    },
  }
  const props = {
    bench: bench as never,
    reading: { ids: [1] } as never,
    children: createRawSnippet(() => ({ render: () => '<p></p>' })),
  }
  const view = mount(Prose, { target: document.body, props })
  flushSync()
  const pane = document.querySelector<HTMLElement>('[data-testid=prose]')!
  return {
    pane,
    scroll(top: number) {
      pane.scrollTop = top
      pane.dispatchEvent(new Event('scroll'))
    },
    write(more: string) {
      const start = text.length
      text += more
      written = [...written, { start, end: text.length, continuation: 1 }]
      flushSync()
    },
    undo() {
      text = text.slice(0, written.at(-1)?.start)
      written = written.slice(0, -1)
      flushSync()
    },
    setWriting(on: boolean) {
      writing = on
      flushSync()
    },
    close: () => unmount(view),
  }
}

it('a token that the visitor takes or undoes is in view, wherever the pane was', async () => {
  const { pane, scroll, write, undo, close } = openProse()
  for (const top of [end, 0]) {
    scroll(top)
    write('more ')
    expect(pane.scrollTop, `from ${top}`).toBeGreaterThanOrEqual(end)
  }
  scroll(end)
  scroll(0)
  undo()
  expect(pane.scrollTop).toBeGreaterThanOrEqual(end)
  await close()
})

it('while the model writes, the pane stays where the visitor scrolls to', async () => {
  const { pane, scroll, write, setWriting, close } = openProse()
  setWriting(true)
  write('more ')
  expect(pane.scrollTop).toBeGreaterThanOrEqual(end)
  scroll(end)
  scroll(0)
  write('more ')
  expect(pane.scrollTop).toBe(0)
  setWriting(false)
  expect(pane.scrollTop).toBe(0)
  await close()
})
