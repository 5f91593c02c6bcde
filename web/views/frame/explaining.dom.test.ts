// How a view in its frame leads to the explanations of its numbers.
import { flushSync } from 'svelte'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { plainText } from '../../i18n/rich'
import { draw, preparePainting } from '../../testing/draw'
import { InThreadWorker, openBench } from '../../testing/inThreadWorker'
import { waitForPicture } from '../../testing/openView.svelte'
import { explanationView } from '../../viewstate/choice'
import { map } from '../map'
import { predictions } from '../predictions'
import { column, diagonal, largestParts, siteOfBest, siteOfCell } from '../sites'
import { partsInWords } from './explaining'

preparePainting()

let opened: Awaited<ReturnType<typeof openBench<InThreadWorker>>>
beforeAll(async () => {
  const text = 'The little dog sat on the [MASK] by the door.'
  opened = await openBench(new InThreadWorker(), 'roformer-english', text)
}, 60_000)

const explained = () => opened.bench.choice.viewParams[explanationView.param]
const startAnew = () => opened.bench.choose({ viewParams: {}, open: ['map'], frozen: [] })
afterAll(startAnew)

async function drawn(view: typeof map) {
  const { bench, complete } = opened
  startAnew()
  const page = await draw(bench, view, complete)
  await waitForPicture(page.picture)
  flushSync()
  return page
}

it('the key e, and a double click on the picture, explain the selected number', async () => {
  const { bench } = opened
  const { all, close } = await drawn(map)
  const site = () => siteOfCell('attentions.N', bench.cursor, bench.run!)
  const [frame] = all('[role=application]')
  frame!.dispatchEvent(new KeyboardEvent('keydown', { key: 'e', bubbles: true, cancelable: true }))
  expect(explained()).toBe(site())
  expect(bench.choice.open[0]).toBe(explanationView.id)
  startAnew()
  bench.choose({ query: 3, key: 2 })
  flushSync()
  all('h2')[0]!.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))
  expect(explained()).toBeUndefined()
  frame!.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))
  expect([explained(), site()]).toEqual([site(), expect.stringMatching(/,3,2\]$/)])
  await close()
})

it('the number beside the map, those of its table, and its largest parts lead on', async () => {
  const { bench } = opened
  const { all, close, picture } = await drawn(map)
  all('[data-testid=attention-map-readout] button')[0]!.click()
  expect(explained()).toBe(siteOfCell('attentions.N', bench.cursor, bench.run!))
  const parts = all('[data-testid=parts-map] button')
  expect(parts.map(({ dataset }) => dataset['site'])).toEqual(picture()!.published!.parts!.map(({ site }) => site))
  expect(parts.length).toBe(3)
  parts[1]!.click()
  expect(explained()).toBe(parts[1]!.dataset['site'])
  await close()
})

it('a probability in the list of predictions is no part of the button that writes its token', async () => {
  const { bench } = opened
  const { all, close } = await drawn(predictions)
  const [row] = all('[data-testid=fills] li')
  const [write, number] = [...row!.querySelectorAll('button')]
  expect(write!.textContent).toMatch(/%.*insert it/s)
  expect(number!.dataset['site']).toBe(siteOfBest(bench.run!, bench.cursor.query))
  write!.focus()
  const press = (key: string) =>
    document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  press('ArrowRight')
  expect(document.activeElement).toBe(number)
  press('ArrowDown')
  expect(document.activeElement).toBe(all('[data-testid=fills] .row')[1])
  const { text } = bench.choice
  number!.click()
  expect([explained(), bench.choice.text]).toEqual([number!.dataset['site'], text])
  await close()
})

it('numbers of a run with changes within the pass are plain', async () => {
  const { bench, complete } = opened
  const { all, close, picture } = await drawn(map)
  expect(all('.site-number').length).toBeGreaterThan(0)
  bench.choose({ frozen: [{ layer: null, head: null, pairs: [0] }] })
  await complete()
  await waitForPicture(picture)
  expect(all('.site-number')).toEqual([])
  all('[role=application]')[0]!.dispatchEvent(new KeyboardEvent('keydown', { key: 'e', bubbles: true }))
  expect(explained()).toBeUndefined()
  await close()
})

it('names at most three parts, the largest first', () => {
  const parts = [0.1, -0.7, 0, 0.2, 0.65].map((value, at) => ({ site: `logits[0,${at}]`, value }))
  expect(largestParts(parts).map(({ value }) => value)).toEqual([-0.7, 0.65, 0.2])
  expect(largestParts(parts, ({ value }) => -value)).toEqual([parts[1]])
  expect(plainText(partsInWords(largestParts(parts)))).toBe(
    'Largest parts: logits[0,1] −0.7, logits[0,4] 0.65, logits[0,3] 0.2',
  )
  expect(plainText(partsInWords(largestParts(parts), true))).toBe('Largest parts: −0.7, 0.65, 0.2')
  expect(partsInWords(undefined)).toEqual([])
  expect(column(1, 2)).toEqual([
    { query: 0, key: 1 },
    { query: 1, key: 1 },
  ])
  expect(diagonal(-1, 3)).toEqual([
    { query: 0, key: 1 },
    { query: 1, key: 2 },
  ])
})
