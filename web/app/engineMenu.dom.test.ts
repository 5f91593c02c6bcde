import { createRawSnippet, flushSync, mount, unmount } from 'svelte'
import { expect, it } from 'vitest'
import EngineMenu from './EngineMenu.svelte'
import { t } from './messages.en'

/** The choices that the button for the CPU makes. */
async function choicesOf(info: object) {
  const choices: unknown[] = []
  const engine = { alive: true, info: { reason: 'choice', ...info }, threads: 1, start: () => undefined }
  const bench = { engine, choice: { backend: 'gpu', weights: 'auto' }, choose: (to: unknown) => choices.push(to) }
  const offline = { state: 'unavailable', stored: undefined }
  const about = createRawSnippet(() => ({ render: () => '<a href="#/about">about</a>' }))
  const props = { bench, offline, about } as never
  const menu = mount(EngineMenu, { target: document.body, props })
  flushSync()
  document.querySelector<HTMLElement>('[data-testid=engine-menu]')?.click()
  flushSync()
  const button = [...document.querySelectorAll('button')].find((one) => one.textContent === t().useCpu)
  button?.click()
  await unmount(menu)
  return choices
}

it('a GPU whose adapter is software has a button that leaves it for the CPU', async () => {
  expect(await choicesOf({ backend: 'gpu', fallbackAdapter: true })).toEqual([{ backend: 'cpu' }])
  expect(await choicesOf({ backend: 'gpu' })).toEqual([])
})
