import { flushSync, mount, unmount } from 'svelte'
import { expect, it, vi } from 'vitest'
import FigureSheet from './FigureSheet.svelte'
import { t } from './messages.en'

// Tests have no style sheets.
vi.mock('../../styles/theme.css?raw', () => ({ default: '--card: #fff; --ink: #000; --quiet: #555;' }))

/** What the sheet says of a picture that is not of the run on show. */
function said(failure?: string): string | undefined {
  const sheet = mount(FigureSheet, {
    target: document.body,
    props: {
      title: 'Compare',
      shape: 'wide',
      draw: () => ({ width: 100, height: 20, marks: [] }),
      origin: undefined,
      failure,
      closed: () => undefined,
    },
  })
  flushSync()
  const text = document.querySelector('[role=status]')?.textContent
  void unmount(sheet)
  return text
}

it('an old picture waits for a newer one, or says why none is coming', () => {
  expect(said()).toBe(t().figure.stale)
  expect(said('The second run failed.')).toBe('The second run failed.')
})
