// Counts the requests of a moving pointer, with as many heads and tokens as real models have; and the memory after many texts.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Page } from '@playwright/test'
import type { FromWorker } from '../../web/engine/protocol/messages'
import { expect, test, type Explorer } from './explorer'
import { writeRandomModel, type Sizes } from './randomModel'

test.describe.configure({ mode: 'parallel' })

const words = 'the cat sat on the mat , and a dog ran in the night .'.split(' ')

/** A text of so many tokens, [CLS] and [SEP] included. */
const textOf = (tokens: number) => Array.from({ length: tokens - 2 }, (_, at) => words[at % words.length]).join(' ')

interface Traffic {
  /** The kinds of the page's requests, in order. */
  kinds: string[]
  /** Bytes of numbers in the worker's answers. */
  bytes: number
}

/** The messages between page and worker after these positions. */
async function since(page: Page, [to, from]: readonly [number, number]): Promise<Traffic> {
  return page.evaluate(
    ([to, from]) => {
      const bytesOf = (value: unknown): number =>
        ArrayBuffer.isView(value)
          ? value.byteLength
          : typeof value === 'object' && value !== null
            ? Object.values(value).reduce((sum: number, one) => sum + bytesOf(one), 0)
            : 0
      return {
        kinds: window.toWorker.slice(to).map((message) => (message.type === 'request' ? message.kind : message.type)),
        bytes: window.fromWorker.slice(from).reduce((sum, message) => sum + bytesOf(message), 0),
      }
    },
    [to, from] as const,
  )
}

const now = (page: Page) => page.evaluate(() => [window.toWorker.length, window.fromWorker.length] as const)

/** Opens a random model from the visitor's own files and runs a text of so many tokens. */
async function openRandom(explorer: Explorer, page: Page, sizes: Sizes, tokens: number): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'ropescope-random-'))
  await writeRandomModel(folder, sizes)
  await explorer.open({ room: 'models', text: 'the cat sat .' })
  await page.getByTestId('pick-folder').setInputFiles(folder)
  await explorer.message('loaded', ({ model }) => model.name === basename(folder))
  await page.getByRole('link', { name: 'Explorer' }).first().click()
  await explorer.result(6)
  await explorer.type(textOf(tokens))
  await explorer.result(tokens)
  return () => rm(folder, { recursive: true })
}

/** On the CPU as many heads and tokens as a base model has. SwiftShader would take minutes for those; its counts are the same for fewer. */
const large = {
  cpu: { layers: 12, heads: 12, headSize: 64, intermediate: 64, longest: 512, tokens: 512 },
  gpu: { layers: 2, heads: 12, headSize: 64, intermediate: 64, longest: 512, tokens: 64 },
}

test('a pointer over the map asks for explanations alone, and each head below it is read once', async ({
  explorer,
  page,
  backend,
}) => {
  test.setTimeout(240_000)
  const sizes = large[backend]
  const { tokens, headSize } = sizes
  const clean = await openRandom(explorer, page, sizes, tokens)
  await expect(page.getByTestId('score-scene')).toBeVisible()
  await explorer.answered('statistics', ({ layers }) => layers === sizes.layers)
  await explorer.settled()

  const frame = page.getByTestId('attention-map-frame')
  const box = await frame.locator('canvas').last().boundingBox()
  if (!box) throw new Error('the map is not on screen')
  const readout = page.getByTestId('attention-map-readout')
  const maps = async () => (backend === 'gpu' ? (await explorer.gpuCalls()).maps : 0)
  const before = { messages: await now(page), maps: await maps() }
  let read = await readout.textContent()
  for (const at of [0.15, 0.35, 0.55, 0.75, 0.95]) {
    await page.mouse.move(box.x + at * box.width, box.y + (1 - at) * box.height)
    await expect(readout).not.toHaveText(read ?? '')
    read = await readout.textContent()
  }
  // The map is there; the score beside it is explained anew, of the two rows of its query and key.
  await explorer.settled()
  const over = await since(page, before.messages)
  expect(new Set(over.kinds), 'over the map').toEqual(new Set(['explain']))
  expect(over.bytes).toBeLessThan(over.kinds.length * 16_384)
  expect((await maps()) - before.maps, 'reads of GPU memory').toBeLessThanOrEqual(over.kinds.length)

  // Another head is read once, and nothing else of the model.
  const cell = page.getByRole('gridcell', { name: `layer ${sizes.layers - 1}, head 7` })
  const grid = await cell.boundingBox()
  if (!grid) throw new Error('the grid is not on screen')
  const head = 4 * (tokens * tokens + 2 * tokens * headSize)
  const onGrid = await now(page)
  await page.mouse.move(grid.x + 3, grid.y + 3)
  await explorer.answered('head', ({ layer, head }) => layer === sizes.layers - 1 && head === 7)
  await explorer.settled()
  const pointed = await since(page, onGrid)
  expect(pointed.kinds.filter((kind) => kind !== 'explain')).toEqual(['head'])
  expect(pointed.bytes, 'a head').toBeLessThan(head + 4 * tokens * headSize)
  const within = { messages: await now(page), maps: await maps() }
  for (let step = 1; step < 6; step++) await page.mouse.move(grid.x + 3 + step, grid.y + 3 + step)
  await expect(cell).toBeVisible()
  expect(await since(page, within.messages), 'within a head').toEqual({ kinds: [], bytes: 0 })
  expect((await maps()) - within.maps).toBe(0)

  // A cell that is hovered comes into sight, which may bring its neighbour under the pointer: once both are in sight, the grid stays.
  const selected = page.getByRole('gridcell', { selected: true })
  for (const each of [selected, cell]) {
    await each.hover()
    await explorer.settled()
  }
  // Both heads were read before: nothing is read again.
  const back = { messages: await now(page), maps: await maps() }
  const map = page.getByTestId('view-map')
  await selected.hover()
  await expect(map).not.toContainText(`L${sizes.layers - 1}·H7`)
  await cell.hover()
  await expect(map).toContainText(`L${sizes.layers - 1}·H7`)
  const again = await since(page, back.messages)
  expect(again.kinds.filter((kind) => !['explain', 'gridView'].includes(kind))).toEqual([])
  expect(again.bytes, 'what is predicted of one score').toBeLessThan(4 * tokens * headSize)
  expect((await maps()) - back.maps).toBe(0)
  await clean()
})

/** The number of texts; each takes SwiftShader a second on a busy machine. */
const many = { cpu: 200, gpu: 50 }

test('texts leave nothing behind, however many', async ({ explorer, page, backend }) => {
  test.setTimeout(240_000)
  await explorer.open({ text: textOf(40) })
  const texts = Array.from({ length: many[backend] }, (_, at) => textOf(8 + ((at * 7) % 33)))
  const runs = await page.evaluate(async (texts) => {
    const box = document.querySelector<HTMLTextAreaElement>('[data-testid=text]')
    if (!box) throw new Error('there is no text box')
    const reports: { bytes: number; created: number; length: number }[] = []
    for (const text of texts) {
      const result = new Promise<void>((resolve) => {
        const listen = ({ data }: MessageEvent<FromWorker>) => {
          if (data.type !== 'result' || data.kind !== 'run' || data.result === null) return
          const { report, length } = data.result as {
            report: { bytesAllocated: number; created: number }
            length: number
          }
          reports.push({ bytes: report.bytesAllocated, created: report.created, length })
          window.engineWorker.removeEventListener('message', listen)
          resolve()
        }
        window.engineWorker.addEventListener('message', listen)
      })
      box.value = text
      box.dispatchEvent(new Event('input', { bubbles: true }))
      await result
    }
    return reports
  }, texts)
  expect(runs.map(({ length }) => length)).toEqual(texts.map((text) => text.split(' ').length + 2))
  // The first texts allocate what the longest of them needs.
  const settled = runs.slice(texts.length / 4)
  expect(new Set(settled.map(({ bytes }) => bytes)), 'bytes held').toEqual(new Set([settled[0]?.bytes]))
  expect(settled[0]?.bytes).toBeGreaterThan(0)
  expect(
    settled.reduce((sum, { created }) => sum + created, 0),
    'buffers, bind groups and pipelines',
  ).toBe(0)
  if (backend !== 'gpu') return
  const { createBuffer } = await explorer.gpuCalls()
  await explorer.resultAfter(() => explorer.type(textOf(33)))
  expect((await explorer.gpuCalls()).createBuffer).toBe(createBuffer)
})
