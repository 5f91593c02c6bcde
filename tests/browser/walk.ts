// Shared by the tests that walk all views and figures: their declarations, models that fit, how to open one, and its numbers.
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Download, Locator, Page } from '@playwright/test'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { runnerImport } from 'vite'
import type { ModelInfo } from '../../web/engine/protocol/protocol'
import type { Field } from '../../web/viewstate/fields'
import type { View } from '../../web/views/view'
import { formulas } from '../../web/ui/formulaPlugin'
import { expect, root, type Explorer } from './explorer'
import { writeDescribedHeads, writeTinyCausal, writeTinyModel } from './tinyModel'
import { writeTinyPair } from './tinyPair'

export const text = 'the cat sat on the mat , and the dog sat on [MASK] .'

interface Declarations {
  views: readonly View[]
  figures: readonly View[]
  servesModel: (view: View, model: ModelInfo) => boolean
}

async function readDeclarations(): Promise<Declarations> {
  const plugins = [formulas(), svelte()]
  const load = async <M>(file: string) =>
    (await runnerImport<M>(join(root, file), { root, plugins, logLevel: 'error' })).module
  const { views } = await load<Pick<Declarations, 'views'>>('web/views/index.ts')
  const { figures } = await load<Pick<Declarations, 'figures'>>('web/pages/read/chapters.ts')
  const { servesModel } = await load<Pick<Declarations, 'servesModel'>>('web/views/view.ts')
  return { views, servesModel, figures: figures.filter(({ id }) => views.every((view) => view.id !== id)) }
}

let read: Promise<Declarations> | undefined

/** Every view and every figure of Read, as its folder declares it. */
export const declarations = () => (read ??= readDeclarations())

const proteins = {
  special: ['<cls>', '<pad>', '<eos>', '<unk>'],
  residues: 'L A G V S E R T I D P K Q N F Y M H W C X B U Z O . - <null_1> <mask>'.split(' '),
}

/** Writes a protein model with the tokenizer.json of its letters. */
async function writeProteins(folder: string): Promise<void> {
  for (const file of ['config.json', 'model.safetensors'])
    await copyFile(join(root, 'tests/golden/readers/esm', file), join(folder, file))
  const { special, residues } = proteins
  const vocabulary = [...special, ...residues]
  const added = [...special, '<mask>'].map((content) => ({
    id: vocabulary.indexOf(content),
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }))
  const around = (id: string) => ({ SpecialToken: { id, type_id: 0 } })
  const tokenizer = {
    version: '1.0',
    added_tokens: added,
    normalizer: null,
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [around('<cls>'), { Sequence: { id: 'A', type_id: 0 } }, around('<eos>')],
      pair: [],
      special_tokens: Object.fromEntries(
        ['<cls>', '<eos>'].map((token) => [token, { id: token, ids: [vocabulary.indexOf(token)], tokens: [token] }]),
      ),
    },
    decoder: null,
    model: {
      type: 'WordLevel',
      unk_token: '<unk>',
      vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
    },
  }
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer))
}

/** Writes the tiny model with statistics of its heads over a book. */
async function writeWithHeads(folder: string): Promise<void> {
  await writeTinyModel(folder)
  await writeDescribedHeads(folder)
}

/** Models in place of the bundled ones, with a text each. A view is opened on the first that it serves. */
const models = [
  {
    name: 'roformer-english',
    write: writeWithHeads,
    text,
    long: `the [MASK] sat . ${'the cat sat on the mat . '.repeat(100)}`,
  },
  { name: 'marian-numbers', write: writeTinyPair, text: 'a b c d\te f g', long: `${'a b c d '.repeat(100)}\te f g` },
  { name: 'roformer-english-causal', write: writeTinyCausal, text, long: 'the cat sat on the mat . '.repeat(100) },
  {
    name: 'roformer-linear-english',
    write: writeProteins,
    text: 'M K T A Y I A K Q R',
    long: 'M K T A Y '.repeat(100),
  },
] as const
type Fitting = (typeof models)[number]

/** A tokenizer.json with its tokens in another spelling. */
function spell(file: Buffer, spelling: Spelling): string {
  const tokenizer = JSON.parse(file.toString('utf8')) as { model: { vocab: Record<string, number> } }
  const { vocab } = tokenizer.model
  tokenizer.model.vocab = Object.fromEntries(Object.entries(vocab).map(([token, id]) => [spelling(token), id]))
  return JSON.stringify(tokenizer)
}

/** Rewrites a text, and the tokens that it consists of. */
type Spelling = (text: string) => string

/** Serves the models above instead of the bundled ones. Returns what deletes them. */
export async function serveModels(page: Page, spelling?: Spelling): Promise<() => Promise<void>> {
  const folders = new Map<string, string>()
  for (const { name, write } of models) {
    const folder = await mkdtemp(join(tmpdir(), 'ropescope-'))
    await write(folder)
    folders.set(name, folder)
  }
  await page.route('**/models/*/*', async (route) => {
    const [name = '', file = ''] = new URL(route.request().url()).pathname.split('/').slice(-2)
    const body = await readFile(join(folders.get(name) ?? '', file)).catch(() => undefined)
    const spelt = body && spelling && file === 'tokenizer.json' ? spell(body, spelling) : body
    await route.fulfill(spelt ? { body: spelt, contentType: 'application/octet-stream' } : { status: 404 })
  })
  return async () => {
    for (const folder of folders.values()) await rm(folder, { recursive: true })
  }
}

export interface Stop {
  declared: View
  model: Fitting
  info: ModelInfo
  view: Locator
}

/** The link of a view or figure. */
export const hashOf = (room: Room, id: string, more: Record<string, string>) =>
  room === 'views'
    ? `#/explorer?${new URLSearchParams({ ...more, open: id })}`
    : `#/read/all?${new URLSearchParams({ v: '2', ...more, 'read.figures': id })}`

export const follow = (page: Page, hash: string) => page.evaluate((hash) => (location.hash = hash), hash)

/** Follows a link with these values and no others. */
export const change = (page: Page, set: Record<string, string>, path = 'explorer') =>
  follow(page, `#/${path}?${new URLSearchParams(set)}`)

export type Room = 'views' | 'figures'

/** Opens every view, or every figure, one after the other, on a model that it serves. */
export async function* walk(
  explorer: Explorer,
  page: Page,
  room: Room,
  more: (declared: View, model: Fitting) => Record<string, string> = () => ({}),
  spelling: Spelling = (text) => text,
): AsyncGenerator<Stop> {
  const { servesModel, [room]: all } = await declarations()
  let left = all
  const remove = await serveModels(page, spelling)
  await explorer.open({ text: spelling(text), model: models[0].name })
  for (const model of models) {
    if (left.length === 0) break
    await follow(page, `#/explorer?${new URLSearchParams({ text: spelling(model.text), model: model.name })}`)
    const { model: info } = await explorer.message('loaded', ({ model: { name } }) => name === model.name)
    const served = left.filter((view) => servesModel(view, info))
    for (const declared of served) {
      await follow(
        page,
        hashOf(room, declared.id, { text: spelling(model.text), model: model.name, ...more(declared, model) }),
      )
      yield { declared, model, info, view: await opened(page, room, declared.id) }
    }
    left = left.filter((view) => !served.includes(view))
  }
  await remove()
  expect(left, 'views that none of the models has').toEqual([])
}

/** A view that is open, with its picture. */
export async function opened(page: Page, room: Room, id: string): Promise<Locator> {
  const view = page.getByTestId(`view-${id}`)
  await expect(view).toBeVisible()
  await expect(view.locator(room === 'views' ? 'svg, canvas, button' : 'svg, canvas').first()).toBeVisible()
  if (room === 'views') await expect(page.getByTestId('headline')).not.toBeEmpty()
  return view
}

/** Texts that parameters of no few values may have, by their names in the link. */
const written: Readonly<Record<string, string>> = {
  'compare.text': 'the dog sat on the mat .',
  'compare.model': 'roformer-english-causal',
  'hand.rows': Array.from({ length: 18 }, (_, at) => (at % 5) - 2).join(','),
  'longer.ways': 'logn',
  'map.picked': '0.1,1.2',
  // Where there is room both are on by themselves.
  'predictions.lens': 'off',
  'predictions.sums': 'off',
  'stretch.ways': 'yarn,ntk',
  'turn.lower': 'pairs',
}

/** Values with which a view shows what it hides otherwise: it is restored with each of them, too. */
const shownWith: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  compare: [{ 'compare.with': 'text' }, { 'compare.with': 'model' }],
  map: [{ 'map.mean': 'layer' }, { 'map.mean': 'head' }],
  near: [{ 'near.curve': 'score' }],
}

/** Values of all parameters of a view, none of them its default, as a link has them: one set, or several. */
export function otherParams({ id, params = {} }: View): Record<string, string>[] {
  const fields = Object.values(params).map((field) => ({ name: `${id}.${field.name}`, field }))
  const isRead = ({ read, write }: Field<unknown>, value: string) => {
    const found = read(value)
    return found !== undefined && write(found) === value
  }
  const others = fields.map(({ name, field }) => {
    const listed = field.values?.map(field.write).toReversed() ?? ['0', '1', '2', '0.5']
    const usual = field.write(field.default)
    const other = [written[name] ?? [], listed].flat().find((value) => value !== usual && isRead(field, value))
    if (other === undefined) throw new Error(`no other value of ${name}`)
    return [name, other] as const
  })
  if (others.length === 0) return []
  const sets = [{}, ...(shownWith[id] ?? [])].map((some) => ({ ...Object.fromEntries(others), ...some }))
  for (const { name, field } of fields)
    for (const set of sets) if (!isRead(field, set[name] ?? '')) throw new Error(`no value of ${name}: ${set[name]}`)
  return sets
}

/** Opens the menu of a view, which saves its files. */
export async function openMenu(page: Page, id: string): Promise<Locator> {
  await page.getByTestId(`more-${id}`).click()
  return page
    .getByTestId(`view-${id}`)
    .getByRole('group')
    .filter({ has: page.getByRole('heading') })
    .first()
}

/** Opens the sheet of a view's figure. */
export async function openFigure(page: Page, within: Locator): Promise<Locator> {
  await within.getByRole('button', { name: /^Figure/ }).click()
  const sheet = page.getByTestId('figure')
  await expect(sheet.getByTestId('figure-preview')).toBeVisible()
  return sheet
}

/** The file that a button of the menu saves. */
export async function fileOf(page: Page, menu: Locator, name: string): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), menu.getByRole('button', { name }).click()])
  return contentOf(download)
}

async function contentOf(download: Download): Promise<Buffer> {
  return readFile(await download.path())
}

/** The tables of a saved JSON. */
export const tablesIn = (file: Buffer): Numbers => (JSON.parse(file.toString('utf8')) as { tables: Numbers }).tables

/** A view's saved tables, by name. */
export type Numbers = Record<string, { columns: string[]; rows: unknown[] }>

export async function numbersOf(page: Page, id: string): Promise<Numbers> {
  const menu = await openMenu(page, id)
  const file = await fileOf(page, menu, 'JSON')
  await page.keyboard.press('Escape')
  return tablesIn(file)
}
