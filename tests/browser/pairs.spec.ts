import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './explorer'
import { vocabulary, writeTinyPair } from './tinyPair'

test.describe('an encoder–decoder', () => {
  let folder: string

  test.beforeEach(async ({ explorer, page }) => {
    folder = await mkdtemp(join(tmpdir(), 'ropescope-'))
    await writeTinyPair(folder)
    await explorer.open({ room: 'models', text: 'c d e' })
    await page.getByTestId('pick-folder').setInputFiles(folder)
    await explorer.message('loaded', ({ model }) => model.architecture === 'MarianMTModel')
    await page.getByRole('link', { name: 'Explorer' }).first().click()
  })

  test.afterEach(() => rm(folder, { recursive: true }))

  test('writes after its source, and every part is looked at', async ({ explorer, page }) => {
    const source = 'd h g i k'
    await explorer.type(source)
    // The source, its end token, and the start token of the text.
    await explorer.result(7)
    await page.getByTestId('write-on').locator('.go').click()
    await expect(page.getByTestId('ended')).not.toBeEmpty()
    // The tokens fold below the prose.
    await page.getByTestId('fold').click()
    const written = await page.getByTestId('target').inputValue()
    const output = spawnSync(
      process.env['PROGRAMS'] ? join(process.env['PROGRAMS'], 'ropescope') : 'target/debug/ropescope',
      ['generate', '--json', '--model', folder, '--text', source, '--backend', 'cpu'],
      { encoding: 'utf8' },
    )
    const { ids } = JSON.parse(output.stdout) as { ids: number[][] }
    const tokens = (ids[0] ?? []).slice(1).filter((id) => id > 3)
    expect(written).toBe(tokens.map((id) => vocabulary[id]).join(' '))

    // Queries of the text see the source alone: each row sums to 1 over it.
    const cross = await explorer.result(7 + tokens.length)
    const row = cross.attention.subarray(6 * cross.length, 7 * cross.length)
    expect(row.subarray(0, 6).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 4)
    expect(row.subarray(6).every((weight) => weight === 0)).toBe(true)

    for (const [part, length] of [
      ['encoder', 6],
      ['decoder', 1 + tokens.length],
    ] as const) {
      const { attention } = await explorer.resultAfter(() => page.locator(`[data-part=${part}]`).click())
      expect(attention.length).toBe(length * length)
      await explorer.shown({ part })
      await expect(page.getByTestId('tokens').getByRole('button')).toHaveCount(length)
    }
  })

  test('@cpu shows its three masks as the run had them', async ({ explorer, page }) => {
    await explorer.type('d h')
    await explorer.result(4)
    await page.getByTestId('target').fill('f g')
    await explorer.result(6)
    const masks = await explorer.ask('masks', { run: (await explorer.result(6)).run })
    expect([Array.from(masks.decoder), masks.source, masks.text]).toEqual([[1, 0, 0, 1, 1, 0, 1, 1, 1], 3, 3])
    expect([...masks.encoder, ...masks.cross].every((seen) => seen === 1)).toBe(true)
  })
})

test.describe('the bundled encoder–decoder', () => {
  test.use({ model: 'bundled' })

  test('@cpu writes a number out, and its cross-attention follows the digits', async ({ explorer, page }) => {
    await explorer.visit({ model: 'marian-numbers', text: '>>hu<<1984', layer: '1', head: '0' })
    // The language, four digits, the end token; the start token of the text.
    await explorer.result(7)
    expect((await explorer.message('started')).info.backend).toBe(explorer.backend)
    await page.getByTestId('write-on').getByRole('button', { name: 'Write', exact: true }).click()
    await expect(page.getByTestId('target')).toHaveValue('ezerkilencszáznyolcvannégy')
    const { attention, length } = await explorer.result(12)
    // The row that predicts a word attends to its digit: 9 in kilenc, 8 in nyolcvan, 4 in négy.
    for (const [query, key] of [
      [7, 2],
      [9, 3],
      [10, 4],
    ] as const)
      expect(attention[query * length + key], `${query} → ${key}`).toBeGreaterThan(0.9)
    // Another source clears the translation, and is written anew.
    await page.getByRole('textbox', { name: /^Source/ }).fill('>>en<<7')
    await expect(page.getByTestId('target')).toHaveValue('')
    await page.getByTestId('write-on').getByRole('button', { name: 'Write', exact: true }).click()
    await expect(page.getByTestId('target')).toHaveValue('seven')
    await expect(page.getByTestId('prose').locator('mark')).toHaveText('seven')
    await page.getByTestId('write-on').getByRole('button', { name: 'Write again' }).click()
    await expect.poll(() => explorer.answers('generate')).toBe(3)
    await expect(page.getByTestId('target')).toHaveValue('seven')
  })

  test('@cpu draws its cross-attention target × source', async ({ explorer, page }) => {
    await explorer.visit({
      model: 'marian-numbers',
      text: '>>hu<<1984\tezerkilenc',
      layer: '1',
      head: '0',
      open: 'map',
    })
    // Six tokens of the source; the start token and two of the text.
    await explorer.result(9)
    const map = page.getByTestId('attention-map-frame')
    await expect(map).toContainText('source →')
    await expect(page.getByTestId('attention-map-readout')).toContainText('of 6 keys')
    await map.focus()
    await page.keyboard.press('End')
    await expect(page.getByTestId('attention-map-live')).toContainText("key '</s>' 5")
    await page.keyboard.press('PageUp')
    await expect(page.getByTestId('attention-map-live')).toContainText("query '<pad>' 6")
    await expect(page.getByTestId('attention-map-live')).toContainText('of 6 keys')
    await page.keyboard.press('PageDown')
    await explorer.shown({ query: '8', key: '5' })
    await page.getByTestId('more-map').click()
    await page.getByText('queries down, keys across').first().click()
    const table = page.getByTestId('view-map').getByRole('table').first()
    await expect(table.getByRole('columnheader')).toHaveCount(7)
    await expect(table.getByRole('rowheader')).toHaveCount(3)
  })
})
