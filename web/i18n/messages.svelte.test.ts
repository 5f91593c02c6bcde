import { setImmediate } from 'node:timers/promises'
import { flushSync } from 'svelte'
import { afterEach, expect, it, vi } from 'vitest'
import { preferredLanguage } from './language'
import { currentLanguage, messages, switchLanguage, withMessages } from './messages.svelte'
import { decimal, integer, list, plural } from './numbers'

afterEach(() => switchLanguage('en'))

const english = {
  greeting: 'hello',
  tokens: (count: number) => `${integer(count)} ${plural(count, { one: 'token', other: 'tokens' })}`,
}

it('messages, numbers, plurals and lists follow the language of the page', async () => {
  const t = messages(english, {
    './messages.hu.ts': () => Promise.resolve({ default: { ...english, greeting: 'szia' } }),
  })
  const written: string[] = []
  const end = $effect.root(() => {
    $effect(() => void written.push(`${t().greeting} ${integer(8192)} ${list(['a', 'b', 'c'])}`))
  })
  flushSync()
  await switchLanguage('hu')
  flushSync()
  await switchLanguage('en')
  flushSync()
  expect(written.filter((one, at) => one !== written[at - 1])).toEqual([
    'hello 8,192 a, b and c',
    'szia 8192 a, b és c',
    'hello 8,192 a, b and c',
  ])
  end()
})

it('messages that a language lacks are English, with English numbers and plurals', async () => {
  const t = messages(english)
  await switchLanguage('ko')
  expect([t.language(), t().tokens(1), t().tokens(2)]).toEqual(['en', '1 token', '2 tokens'])
  await switchLanguage('hu')
  expect([t().tokens(12_345), decimal(0.5, 1)]).toEqual(['12,345 tokens', '0,5'])
})

it('messages that cannot be fetched are English, and asked for again', async () => {
  let online = false
  const fetched = () => (online ? Promise.resolve({ default: english }) : Promise.reject(new Error('offline')))
  const t = messages(english, { './messages.ko.ts': fetched })
  await switchLanguage('ko')
  expect([currentLanguage(), t.language()]).toEqual(['ko', 'en'])
  online = true
  await switchLanguage('ko')
  expect(t.language()).toBe('ko')
})

it('code that is fetched later comes with its messages', async () => {
  await switchLanguage('ko')
  let arrive: (file: { default: typeof english }) => void = () => {}
  const file = vi.fn(() => new Promise((resolve: typeof arrive) => (arrive = resolve)))
  const code = Promise.resolve().then(() => messages(english, { './messages.ko.ts': file }))
  const fetched = withMessages(code)
  const used = vi.fn()
  void fetched.then(used)
  await vi.waitUntil(() => file.mock.calls.length > 0)
  await setImmediate()
  expect(used).not.toHaveBeenCalled()
  arrive({ default: english })
  expect((await fetched).language()).toBe('ko')
})

it('a newer switch wins', async () => {
  const first = switchLanguage('ko')
  const second = switchLanguage('hu')
  await Promise.all([first, second])
  expect(currentLanguage()).toBe('hu')
})

it('a plural takes the form of its category, or the other one where a language has fewer', async () => {
  const forms = { one: 'one', other: 'other' }
  const all = () => [1, 2].map((count) => plural(count, forms))
  expect(all()).toEqual(['one', 'other'])
  await switchLanguage('ko')
  expect(all()).toEqual(['other', 'other'])
})

it('the first of the browser’s languages that the page has is chosen', () => {
  expect(preferredLanguage(['de-AT', 'hu-HU', 'en'])).toBe('hu')
  expect(preferredLanguage(['ko'])).toBe('ko')
  expect(preferredLanguage(['fr', 'KO-kr'])).toBe('ko')
  expect(preferredLanguage(['en-GB', 'ko'])).toBe('en')
  expect(preferredLanguage(['fr'])).toBe('en')
  expect(preferredLanguage([])).toBe('en')
})

it('a getter of English messages on a page in another language says what holds now', async () => {
  let isDark = false
  const t = messages({
    theme: {
      get name(): string {
        return `${isDark ? 'dark' : 'light'} ${integer(8192)}`
      },
    },
  })
  await switchLanguage('hu')
  expect(t().theme.name).toBe('light 8,192')
  isDark = true
  expect(t().theme.name).toBe('dark 8,192')
})
