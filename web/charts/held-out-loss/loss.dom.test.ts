import { mount, unmount } from 'svelte'
import { expect, it } from 'vitest'
import type { AddedLoss } from '../../session/heldOut'
import Loss from './Loss.svelte'

/** The text of the panel, and its progress bar's value and end, while a change is measured. */
async function panel(before: number, added?: Partial<AddedLoss>) {
  const loss = {
    isServed: true,
    measuring: 'change',
    masked: 100,
    book: '',
    before: { mean: 3, labels: before },
    added: () => added && { before: 3, added: 0.13, error: undefined, ...added },
    isComplete: () => false,
  }
  const app = mount(Loss, { target: document.body, props: { loss, change: { name: 'a', change: {} } } as never })
  const bar = document.querySelector('progress')
  const found = { text: document.body.textContent, bar: [bar?.value, bar?.max] }
  await unmount(app)
  return found
}

it('progress counts the tokens without the change and with it', async () => {
  expect((await panel(40)).bar).toEqual([40, 200])
  expect((await panel(100, { labels: 10 })).bar).toEqual([110, 200])
})

it('says what the change adds once it is measured, and its error once there is one', async () => {
  expect((await panel(100)).text).toContain('Measuring…')
  expect((await panel(100)).text).not.toContain('masked tokens')
  expect((await panel(100, { labels: 10 })).text).toContain('+0.13 (10 of 100 masked tokens)')
  expect((await panel(100, { labels: 60, error: 0.021 })).text).toContain('+0.13 ± 0.02 (60 of 100 masked tokens)')
})
