import { heads as described, type DescribedHead } from './commandLine'
import { expect, test } from './explorer'
import { heads, layers } from './tinyModel'

const text = 'the cat sat on the mat and the cat ran .'

/** The statistics in the engine's order, by their names in heads.json. */
const told = [
  ['entropy', 'distance', 'previous', 'same', 'next', 'first', 'largest', 'repeated', 'special', 'induction'],
  ['concentration', 'correlation'],
].flat() as (keyof DescribedHead)[]

test.describe('what every head does', () => {
  test('is what the command line says, and stands in the table', async ({ explorer, page, tinyModel, backend }) => {
    await explorer.open({ text, open: 'points', layer: '1', head: '2' })
    const { length, run } = await explorer.result()
    const wanted = await described(tinyModel, text, length)
    const { numbers } = await explorer.answered('statistics', (answer) => answer.run === run)
    const tolerance = (backend === 'gpu' ? 1e-4 : 1e-5) + 5e-5
    expect(numbers).toHaveLength(layers * heads * 10)
    wanted.forEach((head, index) => {
      told.slice(0, 10).forEach((name, at) => {
        const found = numbers[10 * index + at] ?? NaN
        const off = Math.abs(found - head[name])
        expect(off, `${head.layer}.${head.head} ${name}: ${found}`).toBeLessThanOrEqual(tolerance * Math.max(1, found))
      })
    })
    // R and r̄ appear once all heads are read.
    const table = page.getByTestId('view-points').locator('table')
    await expect(table.locator('thead th')).toHaveCount(13)
    const names = await table.locator('thead th').allInnerTexts()
    const columns = ['R', 'r̄', 'spread', 'induction'].map((name) => names.indexOf(name))
    for (const { layer, head, concentration, correlation, entropy, induction } of wanted) {
      const row = table
        .locator('tbody tr')
        .nth(layer * heads + head)
        .locator('th, td')
      const cells = (await row.allInnerTexts()).map((cell) => Number(cell.replace('−', '-')))
      const shown = columns.map((column) => cells[column] ?? NaN)
      const expected = [concentration, correlation, entropy / Math.LN2, induction]
      shown.forEach((value, at) =>
        expect(Math.abs(value - (expected[at] ?? NaN))).toBeLessThan(at === 2 ? 0.051 : 0.0052),
      )
    }
    const spread = table.locator('thead th').nth(names.indexOf('spread'))
    await spread.getByRole('button').click()
    await expect(spread).toHaveAttribute('aria-sort', 'descending')
    await expect(
      page.locator('[aria-live]', { hasText: 'sorted by spread of its weight, the largest first' }),
    ).toHaveCount(1)
    await table.locator('thead th').first().getByRole('button').click()
    await expect(page.locator('[aria-live]', { hasText: 'in the order of the heads' })).toHaveCount(1)
    // A click on a similar head selects it, and runs nothing.
    const runs = await explorer.requestCount('run')
    const alike = page.getByTestId('alike').getByRole('button').first()
    const name = /^L(\d+)·H(\d+)$/.exec(await alike.locator('strong').innerText())
    await alike.click()
    await explorer.shown({ layer: name?.[1] ?? '', head: name?.[2] ?? '' })
    expect(await explorer.requestCount('run')).toBe(runs)
  })

  test('@cpu sorts and marks the heads of each layer; keys walk them as they stand', async ({ explorer, page }) => {
    await explorer.open({ text, layer: '0', head: '0' })
    const runs = await explorer.requestCount('run')
    const { run } = await explorer.result()
    await page.getByTestId('head-grid-by').selectOption('previous')
    const { numbers } = await explorer.answered('statistics', (answer) => answer.run === run)
    const grid = page.getByTestId('attention-grid')
    await expect(grid.locator('.track')).toHaveCount(layers * heads)
    const order = (layer: number) =>
      grid
        .locator(`[data-layer="${layer}"]`)
        .evaluateAll((cells) => cells.map((cell) => Number((cell as HTMLElement).dataset['head'])))
    for (let layer = 0; layer < layers; layer++) {
      const weights = (await order(layer)).map((head) => numbers[10 * (layer * heads + head) + 2] ?? NaN)
      expect(weights).toEqual([...weights].sort((one, other) => other - one))
    }
    const [first = 0, second = 0] = await order(0)
    await grid.locator(`[data-layer="0"][data-head="${first}"]`).click()
    await page.keyboard.press('ArrowRight')
    await explorer.shown({ layer: '0', head: String(second), 'heads.by': 'previous' })
    await page.getByTestId('head-grid-sorted').uncheck()
    await expect.poll(() => order(0)).toEqual([0, 1, 2, 3])
    await page.getByTestId('head-grid-show').getByText('distance').click()
    await expect(grid.locator('svg path.line')).toHaveCount(layers * heads)
    await page.getByTestId('head-grid-show').getByText('pairs').click()
    await expect(grid.locator('svg rect').first()).toBeAttached()
    expect(await explorer.requestCount('run')).toBe(runs)
  })
})
