import { afterEach, expect, it } from 'vitest'
import { switchLanguage } from '../i18n/messages.svelte'
import { oneOf } from '../viewstate/fields'
import type { Inputs } from './module'
import { Output } from './output'
import { cursorKeyHelp, keyHelpOf, languageOf, tabOf, titleOf, defineView, type View } from './view'

const english = { tab: { en: 'Flow' }, title: { en: 'Where a token comes from' }, keyHelp: cursorKeyHelp } as const
const translated = {
  tab: { en: 'Sinks', ko: '싱크' },
  title: { en: 'Attention sinks', ko: '어텐션 싱크' },
  keyHelp: cursorKeyHelp,
} as const

afterEach(() => switchLanguage('en'))

it('all texts of a view are in one language', async () => {
  await switchLanguage('ko')
  expect([languageOf(english), tabOf(english), titleOf(english)]).toEqual(['en', 'Flow', 'Where a token comes from'])
  expect(keyHelpOf(english)).toBe(cursorKeyHelp.en)
  expect([languageOf(translated), tabOf(translated), titleOf(translated)]).toEqual(['ko', '싱크', '어텐션 싱크'])
  expect(keyHelpOf(translated)).toBe(cursorKeyHelp.ko)
})

it('a language is complete or a type error', () => {
  const others = { id: 'a', shape: 'wide', minWidth: 300, module: () => Promise.reject(new Error('no code')) } as const
  const views: View[] = [
    { ...others, ...english },
    { ...others, ...translated },
    // @ts-expect-error a Korean tab without a Korean title
    { ...others, tab: translated.tab, title: english.title },
    // @ts-expect-error Korean texts without Korean keys
    { ...others, tab: translated.tab, title: translated.title, keyHelp: { en: {} } },
  ]
  expect(views).toHaveLength(4)
})

it('the module of a view reads the params that are declared, and the data that it made, or is a type error', () => {
  const messages = () => ({ help: '', source: '' })
  const output = ({ params }: Inputs<{ order: 'part' | 'text' }>, data: number): Output<{ order: 'part' | 'text' }> =>
    Output.message(params.order + data)
  const code = (data: () => number) => () => Promise.resolve({ messages, data, output })
  const view = { ...english, id: 'a', shape: 'wide', minWidth: 300 } as const
  const params = { order: oneOf('order', 'part', ['part', 'text']) }
  expect(defineView({ ...view, params, module: code(() => 1) }).params).toBe(params)
  // @ts-expect-error no params
  defineView({ ...view, module: code(() => 1) })
  // @ts-expect-error other params
  defineView({ ...view, params: { order: oneOf('order', 'size', ['size', 'text']) }, module: code(() => 1) })
  // @ts-expect-error other data
  defineView({ ...view, params, module: () => Promise.resolve({ messages, data: () => 'a', output }) })
})
