// B's numbers equal the command line's for every kind of B. Another head of B runs nothing.
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { difference, mapOf as mapIn, run } from './commandLine'
import { bundledModel, expect, root, test } from './explorer'
import { numbersOf, type Numbers } from './walk'

const text = 'the [MASK] sat on the mat .'

type Table = Numbers[string]

/** The view's tables of A, B and A − B, once B is computed. */
async function tables(page: Page): Promise<(Table | undefined)[]> {
  await expect(page.getByTestId('view-compare').locator('[role=application]')).toHaveAttribute('aria-busy', 'false')
  const all = Object.entries(await numbersOf(page, 'compare'))
  return ['A', 'B', 'A − B'].map((name) => all.find(([key]) => key.startsWith(`${name} (`))?.[1])
}

/** The rows of a table, without their names. */
const rowsOf = (table: Table | undefined): number[][] =>
  ((table?.rows ?? []) as [string, ...number[]][]).map(([, ...row]) => row)

const numbers = (table: Table | undefined) => rowsOf(table).flat()

/** One head's map from `ropescope run`. */
const mapOf = async (model: string, text: string, layer: number, head: number, ...more: string[]) =>
  mapIn(await run(model, text, ...more), layer, head)

test('@cpu another text is run beside A, and other heads of it without a run', async ({
  explorer,
  page,
  tinyModel,
}) => {
  const other = 'the [MASK] sat on the old mat .'
  await explorer.open({ text, layer: '1', head: '3', open: 'compare', 'compare.with': 'text', 'compare.text': other })
  const [a, b, subtracted] = await tables(page)
  expect(difference(numbers(a), await mapOf(tinyModel, text, 1, 3))).toBeLessThanOrEqual(1e-5)
  expect(difference(numbers(b), await mapOf(tinyModel, other, 1, 3))).toBeLessThanOrEqual(1e-5)
  // 'old' is in B alone, as one or more tokens. A − B has the tokens of A.
  const more = (b?.rows.length ?? 0) - (a?.rows.length ?? 0)
  expect(more).toBeGreaterThan(0)
  expect(subtracted?.columns).toEqual(a?.columns)
  const at = (table: Table | undefined, query: number, key: number) => rowsOf(table)[query]?.[key] ?? NaN
  expect(at(subtracted, 7, 6)).toBeCloseTo(at(a, 7, 6) - at(b, 7 + more, 6 + more), 6)
  // Pointing at B highlights A too, and requests nothing.
  const messages = await page.evaluate(() => window.toWorker.length)
  const last = (table: Table | undefined) => `[SEP] ${(table?.rows.length ?? 0) - 1}`
  const scene = page.getByTestId('compare-scene')
  const inB = await scene.locator('canvas').nth(1).boundingBox()
  if (!inB) throw new Error('B is not on screen')
  await page.mouse.move(inB.x + inB.width - 2, inB.y + inB.height - 2)
  await expect(scene).toContainText(last(a))
  await expect(scene).toContainText(last(b))
  expect(await page.evaluate(() => window.toWorker.length)).toBe(messages)
  // The worker answers from its last run.
  const requests = async () => [await explorer.requestCount('run'), (await explorer.answered('comparisonHead')).run]
  const before = await requests()
  await page.getByRole('gridcell', { name: 'layer 0, head 2' }).click()
  await explorer.shown({ layer: '0', head: '2' })
  await expect(page.getByTestId('compare-scene')).toContainText('L0·H2 in')
  const now = await tables(page)
  expect(difference(numbers(now[1]), await mapOf(tinyModel, other, 0, 2))).toBeLessThanOrEqual(1e-5)
  expect(await requests()).toEqual(before)
})

test('@cpu two views that follow the head at once both arrive at the last one, however fast it changes', async ({
  explorer,
  page,
}) => {
  await explorer.open({ text, layer: '0', head: '0', open: 'map,compare' })
  const compare = page.getByTestId('view-compare')
  await expect(compare.locator('[role=application]')).toHaveAttribute('aria-busy', 'false')
  for (let press = 0; press < 2; press++) await page.keyboard.press(']')
  await explorer.shown({ layer: '0', head: '2' })
  await expect(page.getByRole('gridcell', { name: 'layer 0, head 2' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByTestId('headline')).toContainText('L0·H2')
  await expect(page.getByTestId('compare-scene')).toContainText('L0·H2')
  await expect(compare.locator('[role=application]')).toHaveAttribute('aria-busy', 'false')
})

/** Workers with an engine: an isolated page also has helpers. */
const engines = (page: Page) => page.workers().filter((worker) => /\/worker-/.test(worker.url())).length

test.describe('@cpu another model', () => {
  test.use({ model: 'bundled' })

  test('runs beside A in a worker of its own, which ends with it', async ({ explorer, page }) => {
    await explorer.open({ text, layer: '2', head: '6', open: 'compare', 'compare.with': 'model' })
    const [a, b] = await tables(page)
    const causal = join(root, 'models/roformer-english-causal')
    expect(difference(numbers(a), await mapOf(bundledModel, text, 2, 6))).toBeLessThanOrEqual(1e-5)
    expect(difference(numbers(b), await mapOf(causal, text, 2, 6))).toBeLessThanOrEqual(1e-5)
    await expect.poll(() => engines(page)).toBe(2)
    const runs = await explorer.requestCount('run')
    await page.getByRole('gridcell', { name: 'layer 1, head 1' }).click()
    await expect(page.getByTestId('compare-scene')).toContainText('L1·H1 of roformer-english-causal')
    const [, other] = await tables(page)
    expect(difference(numbers(other), await mapOf(causal, text, 1, 1))).toBeLessThanOrEqual(1e-5)
    expect(await explorer.requestCount('run')).toBe(runs)
    await page.getByRole('combobox', { name: 'B is' }).selectOption('head')
    await expect.poll(() => engines(page)).toBe(1)
    await page.keyboard.press('Control+z')
    await expect(page.getByRole('combobox', { name: 'B is' })).toHaveValue('model')
  })
})

test('@cpu another rope scaling is run beside A, and the text of B stays when the menu changes', async ({
  explorer,
  page,
  tinyModel,
}) => {
  await explorer.open({ text, layer: '1', head: '0', open: 'compare', 'compare.with': 'scaling' })
  const scaled = await mapOf(tinyModel, text, 1, 0, '--rope-scaling', '{"rope_type":"linear","factor":4}')
  const [a, b] = await tables(page)
  expect(difference(numbers(a), await mapOf(tinyModel, text, 1, 0))).toBeLessThanOrEqual(1e-5)
  expect(difference(numbers(b), scaled)).toBeLessThanOrEqual(1e-5)
  const menu = page.getByRole('combobox', { name: 'B is' })
  await menu.selectOption('text')
  await page.getByRole('textbox', { name: 'Text of B' }).fill('a cat & a dog = 100 %')
  await explorer.shown({ 'compare.with': 'text', 'compare.text': 'a cat & a dog = 100 %' })
  await menu.selectOption('head')
  await menu.selectOption('text')
  await expect(page.getByRole('textbox', { name: 'Text of B' })).toHaveValue('a cat & a dog = 100 %')
  await explorer.shown({ 'compare.with': 'text', 'compare.text': 'a cat & a dog = 100 %' })
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Text of B' })).toHaveValue('a cat & a dog = 100 %')
  await expect(page.getByTestId('compare-scene')).toContainText('L1·H0 in “a cat')
})

test('@cpu a head picked by Shift and a click offers the comparison', async ({ explorer, page }) => {
  await explorer.open({ text, layer: '0', head: '0', open: 'map,score' })
  const offer = page.getByTestId('compare-heads')
  await expect(offer).toHaveCount(0)
  // The head that is on the map is no other one.
  await page.getByTestId('attention-map-frame').press('b')
  await explorer.shown({ 'b.head': '0.0' })
  await expect(offer).toHaveCount(0)
  await page.getByRole('gridcell', { name: 'layer 1, head 2' }).click({ modifiers: ['Shift'] })
  await expect(offer).toHaveText('compare L0·H0 with L1·H2 →')
  await offer.click()
  await expect(page.getByTestId('compare-scene')).toContainText('head L1·H2')
  await explorer.shown({ open: 'compare,map', 'compare.with': 'head' })
  await expect(offer).toHaveCount(0)
})

test.describe('@cpu on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('one map at a time has the width, and a switch changes which', async ({ explorer, page }) => {
    await explorer.open({ text, layer: '1', head: '0', open: 'compare', 'compare.with': 'head' })
    const view = page.getByTestId('view-compare')
    const scene = page.getByTestId('compare-scene')
    await expect(scene.locator('canvas')).toHaveCount(1)
    await expect(scene).toContainText('head L1·H0')
    await view.getByRole('group', { name: 'Map' }).getByText('B', { exact: true }).click()
    await explorer.shown({ 'compare.show': 'b' })
    await expect(scene).toContainText('head L1·H1')
    await expect(scene.locator('canvas')).toHaveCount(1)
  })
})

test.describe('@cpu of an encoder–decoder', () => {
  test.use({ model: 'bundled' })

  test('cross-attention is compared over the rows of its text', async ({ explorer, page }) => {
    const place = { layer: '1', head: '0', open: 'compare', 'compare.with': 'head' }
    await explorer.visit({ model: 'marian-numbers', text: '>>hu<<1984\tezerkilenc', ...place })
    const [a, b, subtracted] = await tables(page)
    expect(a?.columns).toHaveLength(7)
    expect(a?.rows).toHaveLength(3)
    // Each row of both sums to 1 over the source, and their differences to 0.
    const sums = [a, b].flatMap(rowsOf).map((row) => row.reduce((sum, one) => sum + one, 0))
    for (const sum of sums) expect(sum).toBeCloseTo(1, 4)
    const moved = numbers(subtracted).reduce((sum, one) => sum + Math.abs(one), 0) / 2 / 3
    await expect(page.getByTestId('compare-scene')).toContainText(
      new RegExp(`${Math.round(100 * moved)}\\s% of the weight would have to move`),
    )
  })
})
