// Every view that is a function, with the engine behind it: the WASM on the CPU, and the models that come with the page.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { views } from '.'
import { InThreadWorker, bundledFiles, openBench } from '../testing/inThreadWorker'
import { openView } from '../testing/openView.svelte'
import type { Published } from './output'
import { t as predictions } from './predictions/messages.en'
import { servesModel, writeParams, type View } from './view'
import { plainHeadline } from '../testing/outputs'

// The components that some views bring along are imported, never drawn.
vi.hoisted(() => {
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('matchMedia', () => new EventTarget())
})
afterAll(() => vi.unstubAllGlobals())

interface Tested {
  model: string
  folder: string
  text: string
  edit?: (bytes: Buffer) => Buffer
}

/** The base model's class, and other names for the tensors of the vocabulary's head. */
const withoutHead = (bytes: Buffer) =>
  Buffer.from(
    bytes
      .toString('latin1')
      .replace('"RoFormerForMaskedLM"', '"RoFormerModel"')
      .replaceAll('"cls.predictions.', '"not.predictions.'),
    'latin1',
  )

const tested: readonly Tested[] = [
  { model: 'an encoder', folder: 'roformer-english', text: 'The little dog sat on the [MASK] by the door.' },
  { model: 'a causal model', folder: 'roformer-english-causal', text: 'The old man looked at the sea' },
  { model: 'an encoder–decoder', folder: 'marian-numbers', text: '>>hu<<1984\tezerkilencszáz' },
  {
    model: 'a model without a head for the vocabulary',
    folder: 'roformer-english',
    text: 'The little dog sat by the door.',
    edit: withoutHead,
  },
]

/** All that is published, with the tables' rows. */
const written = ({ tables = [], ...others }: Published = {}) => ({
  ...others,
  tables: tables.map(({ name, table }) => [
    name,
    table.header,
    Array.from({ length: table.length }, (_, at) => table.row(at)),
  ]),
})

/** What a component draws by a call, of a pair or of a distance. */
const readers = ['lineOf', 'read']

/** All strings of a picture: marks, sentences, rows, what its component draws. Of parts that are stale none. */
function wordsOf(part: unknown, visited = new Set<unknown>()): string[] {
  if (typeof part === 'string') return [part]
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part) || visited.has(part)) return []
  visited.add(part)
  if ('stale' in part && part.stale === true) return []
  // What a component reads of an instance are its getters.
  const type = Object.getPrototypeOf(part) as object
  const getters = type === Object.prototype ? [] : Object.entries(Object.getOwnPropertyDescriptors(type))
  const read = getters.flatMap(([name, { get }]) => (get ? [(part as Record<string, unknown>)[name]] : []))
  const drawn = Object.entries(part).flatMap(([name, value]): unknown[] =>
    typeof value === 'function' && readers.includes(name) ? [(value as (at: number) => unknown)(1)] : [value],
  )
  return [...drawn, ...read].flatMap((value) => wordsOf(value, visited))
}

describe.each(tested)('$model', ({ folder, text, edit }) => {
  let opened: Awaited<ReturnType<typeof openBench<InThreadWorker>>>
  beforeAll(
    async () => void (opened = await openBench(new InThreadWorker(), folder, text, bundledFiles(folder, edit))),
    60_000,
  )

  if (edit)
    it('sends no hidden states in place of logits, and Predictions names no classes', async () => {
      expect(opened.bench.run?.result.logits).toHaveLength(0)
      const view = views.find(({ id }) => id === 'predictions') as View
      const { published, settled, close } = await openView(opened, view)
      await settled()
      expect(plainHeadline(published()?.headline)).toEqual(predictions().hiddenStatesOnly)
      expect(published()?.tables ?? []).toEqual([])
      close()
    })

  if (folder === 'roformer-english' && !edit)
    it.each(views)('the view $id claims no picture of an earlier text to be of the present one', async (view) => {
      const { bench } = opened
      if (!servesModel(view, bench.run!.model.info)) return
      const claimed: string[] = []
      const { settled, close } = await openView(opened, view, undefined, (picture) => {
        if (bench.run?.text === text) return
        const { stale, scene, drawing } = picture
        // Sentences about a view say "little", too.
        claimed.push(
          ...wordsOf(picture).filter((words) => /\b(dog|door)\b/.test(words)),
          ...wordsOf({ stale, scene, drawing }).filter((words) => /\blittle\b/.test(words)),
        )
      })
      await settled()
      bench.choose({ text: 'An old man [MASK] at a wide sea.' })
      await settled()
      expect(claimed).toEqual([])
      bench.choose({ text })
      await settled()
      close()
    })

  it.each(views)('is in the view $id: of the run on show, and nothing is run for a choice', async (view) => {
    const { bench, worker } = opened
    if (!servesModel(view, bench.run!.model.info)) return
    const runs = worker.count('run')
    const { published, settled, close } = await openView(opened, view)
    const complete = async () => {
      await settled()
      expect(published()?.headline, 'a headline').toBeDefined()
      const tables = published()?.tables ?? []
      // What the model does not predict is in no table.
      if (view.id !== 'predictions' || !edit) expect(tables.length).toBeGreaterThan(0)
      for (const { name, table } of tables)
        if (table.length > 0) expect(table.row(0).length, name).toBe(table.header.length)
    }
    await complete()
    const { layer, head, query, key } = bench.choice
    bench.choose({ layer: 0, head: 1, query: 2, key: 1 })
    await complete()
    // Each of its parameters by its default: nothing changes.
    const before = written(published())
    const defaults = Object.fromEntries(Object.entries(view.params ?? {}).map(([name, field]) => [name, field.default]))
    bench.choose({ viewParams: writeParams(view, defaults, bench.choice.viewParams) })
    await complete()
    expect(written(published())).toEqual(before)
    expect(worker.count('run')).toBe(runs)
    close()
    bench.choose({ layer, head, query, key })
  })
})
