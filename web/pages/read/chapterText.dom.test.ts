import { flushSync, mount, unmount } from 'svelte'
import { expect, it } from 'vitest'
import { openEdition } from '../../i18n/edition.svelte'
import type { ModelInfo } from '../../engine/protocol/protocol'
import type { Choice } from '../../viewstate/choice'
import { decode, defaults } from '../../viewstate/codec'
import ChapterText from './ChapterText.svelte'
import { contents } from './chapters'

/** Where the links below a chapter's text lead. */
async function linksOf(id: string, choice: Choice, info?: Partial<ModelInfo>) {
  await openEdition('en')
  const chapter = contents.find((chapter) => chapter.id === id)!
  const engine = { model: info && { info } }
  const props = { bench: { choice, engine }, chapter, next: undefined, toFigure: () => undefined } as never
  const text = mount(ChapterText, { target: document.body, props })
  flushSync()
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.part a')].map((link) => link.getAttribute('href'))
  await unmount(text)
  return links.filter((href) => href?.startsWith('#')).map((href) => decode(href ?? ''))
}

it.each([
  ['5', { open: ['mute'] }],
  ['6', { open: ['distance'] }],
  [
    '8',
    {
      open: ['compare'],
      scaling: '{"rope_type":"linear","factor":4}',
      viewParams: { 'map.scale': 'log', 'compare.with': 'change' },
    },
  ],
] as const)('links of chapter %s into the Explorer keep text, model and changes', async (id, change) => {
  const present: Choice = {
    ...defaults,
    page: 'read',
    chapter: id,
    model: 'mine',
    text: 'my text',
    layer: 1,
    logN: 512,
    viewParams: { 'map.scale': 'log', 'compare.with': 'head' },
  }
  expect(await linksOf(id, present)).toEqual([{ ...present, page: 'explorer', chapter: '1', ...change }])
})

it.each([
  { adds_positions: true, attention: 'softmax' },
  { adds_positions: false, attention: 'linear' },
] as const)('beside a model that they say nothing of they open the bundled one: %o', async (info) => {
  const present: Choice = { ...defaults, page: 'read', chapter: '5', model: 'mine', text: 'my text' }
  const rotary = { adds_positions: false, attention: 'softmax' } as const
  expect(await linksOf('5', present, rotary)).toMatchObject([{ model: 'mine', text: 'my text' }])
  expect(await linksOf('5', present, info)).toMatchObject([{ model: defaults.model, open: ['mute'] }])
})
