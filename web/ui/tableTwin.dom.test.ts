// Numbers of a table, and of a sentence, that lead to their explanations.
import { flushSync, mount, unmount } from 'svelte'
import { expect, it } from 'vitest'
import { explanationsContext } from '../i18n/explanations'
import { number, plainText, sentence } from '../i18n/rich'
import Rich from '../i18n/Rich.svelte'
import { csv, json, namedTable } from './table'
import TableTwin from './TableTwin.svelte'

/** What numbers around a component lead to. */
function explaining() {
  const opened: string[] = []
  const explanations = () => ({ open: (site: string) => opened.push(site), help: (site: string) => `of ${site}` })
  return { opened, context: new Map([[explanationsContext, explanations]]) }
}

const { name, table } = namedTable(
  'weights',
  ['token', 'the', 'cat'],
  ['the', 'cat'],
  (token, at) => [token, at, at + 0.5],
  (_, column, at) => (column === 0 || (column === 1 && at === 0) ? undefined : `attentions.0[0,${at},${column - 1}]`),
)

function opened(context = new Map()) {
  const twin = mount(TableTwin, { target: document.body, props: { name, caption: name, table }, context })
  const details = document.querySelector('details')!
  details.open = true
  details.dispatchEvent(new Event('toggle'))
  flushSync()
  const buttons = () => [...document.querySelectorAll<HTMLButtonElement>('td button')]
  return { buttons, close: () => unmount(twin) }
}

it('a table has one tab stop, and arrow keys go from number to number', async () => {
  const { opened: sites, context } = explaining()
  const { buttons, close } = opened(context)
  expect(buttons().map(({ textContent, title, tabIndex }) => [textContent, title, tabIndex])).toEqual([
    ['0.5', 'of attentions.0[0,0,1]', 0],
    ['1', 'of attentions.0[0,1,0]', -1],
    ['1.5', 'of attentions.0[0,1,1]', -1],
  ])
  const [first, below, last] = buttons()
  const press = (key: string) =>
    document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  first!.focus()
  press('ArrowDown')
  expect(document.activeElement).toBe(last)
  press('ArrowLeft')
  expect(document.activeElement).toBe(below)
  // There is no number above it that leads anywhere.
  press('ArrowUp')
  expect(document.activeElement).toBe(below)
  below!.click()
  expect(sites).toEqual(['attentions.0[0,1,0]'])
  await close()
})

it('where numbers have no explanation they are plain, and so they are in files', async () => {
  const { buttons, close } = opened()
  expect(buttons()).toEqual([])
  expect([...document.querySelectorAll('td')].map(({ textContent }) => textContent)).toEqual(['0', '0.5', '1', '1.5'])
  await close()
  expect(csv(table)).toBe('token,the,cat\r\nthe,0,0.5\r\ncat,1,1.5\r\n')
  expect(json([{ name, table }])).not.toContain('attentions')
})

it('a number of a sentence opens its explanation', async () => {
  const { opened: sites, context } = explaining()
  const words = sentence`The guess is ${number('20.3 %', 'probabilities[4,17]')}, not ${number('0 %', undefined)}.`
  const rich = mount(Rich, { target: document.body, props: { sentence: words }, context })
  flushSync()
  expect(document.body.textContent).toContain(plainText(words))
  const buttons = document.querySelectorAll('button')
  expect([...buttons].map(({ textContent }) => textContent)).toEqual(['20.3 %'])
  buttons[0]!.click()
  expect(sites).toEqual(['probabilities[4,17]'])
  await unmount(rich)
})
