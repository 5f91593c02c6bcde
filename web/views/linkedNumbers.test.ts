// Every number that a view links is explained by the engine, and is the number that the view shows.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { views } from '.'
import { figures } from '../pages/read/chapters'
import { numberOf } from '../engine/protocol/explanation'
import { runOf } from '../session/reading'
import { send } from '../session/resource.svelte'
import { InThreadWorker, openBench } from '../testing/inThreadWorker'
import { openView } from '../testing/openView.svelte'
import { text } from '../ui/table'
import type { Picture } from './output'
import type { AnyParams } from '../viewstate/fields'
import { statisticIds } from '../session/headStatistics.svelte'
import { compare } from './compare'
import { lesson } from './lesson'
import { map } from './map'
import { points } from './points'
import { servesModel, writeParams, type View } from './view'

// The components that some views bring along are imported, never drawn.
vi.hoisted(() => {
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('matchMedia', () => new EventTarget())
})
afterAll(() => vi.unstubAllGlobals())

interface Linked {
  where: string
  site: string
  /** The number as the view writes it. */
  written: string
}

/** All that a picture links: sentences, rows of bars, tables, the largest parts. */
function linkedIn(picture: Picture): Linked[] {
  const { published: { tables = [], parts = [], ...sentences } = {}, drawing, above, below } = picture
  return [
    ...piecesIn({ sentences, drawing, above, below }),
    ...parts.map(({ site, value }) => ({ where: 'parts', site, written: String(value) })),
    ...tables.flatMap(({ name, table }) =>
      Array.from({ length: table.length }, (_, row) =>
        table.row(row).flatMap((cell, column) => {
          const site = table.siteOf?.(row, column)
          return site === undefined ? [] : [{ where: `table ${name}`, site, written: text(cell) }]
        }),
      ).flat(),
    ),
  ]
}

function piecesIn(part: unknown, visited = new Set<unknown>()): Linked[] {
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part) || visited.has(part)) return []
  visited.add(part)
  const { site, text, sites, numbers } = part as Partial<Record<string, unknown>>
  const own = typeof site === 'string' && typeof text === 'string' ? [{ where: 'a sentence', site, written: text }] : []
  const row =
    Array.isArray(sites) && Array.isArray(numbers)
      ? sites.flatMap((site: unknown, at) =>
          typeof site === 'string' ? [{ where: 'a list', site, written: String(numbers[at]) }] : [],
        )
      : []
  return [...own, ...row, ...Object.values(part).flatMap((value) => piecesIn(value, visited))]
}

/** The number as it is written, and the most by which rounding moves it. */
function read(written: string): { value: number; within: number } {
  // Below a bound: somewhere between 0 and it.
  if (written.startsWith('<')) {
    const { value } = read(written.slice(1))
    return { value: value / 2, within: value / 2 }
  }
  const percent = written.includes('%')
  const digits = written
    .replaceAll('−', '-')
    .replaceAll(',', '')
    .replace(/[^\d.e+-]/g, '')
  const unit = percent ? 0.01 : 1
  const [mantissa = '', exponent = '0'] = digits.split('e')
  const decimals = (mantissa.split('.')[1] ?? '').length - Number(exponent)
  const value = Number(digits) * unit
  return { value, within: Math.max(0.5001 * 10 ** -decimals * unit, 2e-5 * Math.abs(value), 2e-7) }
}

/** Of many links a few: the first and the last, and some between. */
const some = (links: readonly Linked[]): Linked[] => {
  const step = Math.max(1, Math.floor(links.length / 5))
  return links.filter((_, at) => at % step === 0 || at === links.length - 1)
}

/** In groups, in the order of the picture. */
function byPlace(links: readonly Linked[]): Linked[][] {
  const groups = new Map<string, Linked[]>()
  for (const link of links) groups.set(link.where, [...(groups.get(link.where) ?? []), link])
  return [...groups.values()]
}

/** Explain has buttons of its own, the lesson begins with the text. Others have no sentence, list or table of numbers with sites: differences of passes, norms, masks. */
const withoutLinks = ['explain', 'lesson', 'shift', 'flow', 'mute', 'masks', 'contacts', 'near']

const tested = [
  { model: 'an encoder', folder: 'roformer-english', text: 'The little dog sat on the [MASK] by the door.' },
  { model: 'a causal model', folder: 'roformer-english-causal', text: 'The old man looked at the sea' },
  { model: 'an encoder–decoder', folder: 'marian-numbers', text: '>>hu<<1984\tezerkilencszáz' },
]

describe.each(tested)('$model', ({ folder, text }) => {
  let opened: Awaited<ReturnType<typeof openBench<InThreadWorker>>>
  beforeAll(async () => void (opened = await openBench(new InThreadWorker(), folder, text)), 60_000)

  const numbersAt = async (sites: string[]): Promise<number[]> => {
    const { engine, run } = opened.bench
    const reply = await send(engine, 'explanations', { model: run!.model, params: { ...runOf(run!), sites } })
    if (reply.status !== 'ok') throw new Error(`${sites.join()}: ${JSON.stringify(reply)}`)
    return reply.result.map(numberOf)
  }

  it.each([
    ...[...views, ...figures.filter(({ id }) => ['near', 'norms'].includes(id))].map((view) => ({ view, params: {} })),
    ...[{ with: 'head' }, { with: 'scaling' }, { with: 'text', text }].map((params) => ({ view: compare, params })),
    ...['score', 'value', 'output', 'rotation'].map((kind) => ({ view: map, params: { kind } })),
    ...[{ special: 'hide' }, { mean: 'layer' }].map((params) => ({ view: map, params })),
    ...[5, 8].map((step) => ({ view: lesson, params: { step } })),
    ...statisticIds.map((y) => ({ view: points, params: { y } })),
  ])(
    'the numbers that $view.id links are those that it shows, with $params',
    async ({ view, params }: { view: View; params: AnyParams }) => {
      const { bench } = opened
      if (!servesModel(view, bench.run!.model.info)) return
      const { viewParams } = bench.choice
      bench.choose({ vectors: 'head', viewParams: writeParams(view, params, viewParams) })
      const { picture, settled, close } = await openView(opened, view)
      await settled()
      const { explains } = picture()
      const links = linkedIn(picture())
      if (Object.keys(params).length === 0)
        expect(links.length > 0, `${links.length} links`).toBe(!withoutLinks.includes(view.id))
      const checked = byPlace(links).flatMap(some)
      const sites = [...checked.map(({ site }) => site), ...(explains === undefined ? [] : [explains])]
      const numbers = await numbersAt(sites)
      expect(numbers.every(Number.isFinite), sites.join()).toBe(true)
      for (const [at, { where, site, written }] of checked.entries()) {
        const { value, within } = read(written)
        expect(
          Math.abs(numbers[at]! - value),
          `${where}: ${site} is ${numbers[at]}, written as ${written}`,
        ).toBeLessThanOrEqual(within)
      }
      close()
      bench.choose({ viewParams })
    },
  )

  it('the curve of a head in Read passes through the score that it links', async () => {
    const { bench } = opened
    const view = figures.find(({ id }) => id === 'near')!
    if (bench.run!.model.info.adds_positions) return
    const { viewParams } = bench.choice
    bench.choose({ vectors: 'head', query: 5, key: 2, viewParams: writeParams(view, { curve: 'score' }, viewParams) })
    const { picture, settled, close } = await openView(opened, view)
    await settled()
    const [number] = await numbersAt([picture().explains!])
    expect(number).toBeCloseTo(Number(picture().published!.tables![0]!.table.row(3)[1]), 4)
    close()
    bench.choose({ viewParams })
  })
})
