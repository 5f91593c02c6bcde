import type { Page } from '@playwright/test'
import { faults } from './axe'
import { expect, overflow, test, type Explorer } from './explorer'

const text = 'The old man looked at the sea'

/** Opens the page with the bundled causal model in place of the masked one. */
async function open(explorer: Explorer, page: Page, hash: Record<string, string> = {}): Promise<void> {
  await page.route('**/models/roformer-english/*', (route) =>
    route.continue({ url: route.request().url().replace('roformer-english', 'roformer-english-causal') }),
  )
  await explorer.open({ text, temperature: '0', open: 'predictions', ...hash })
  await expect(page.getByTestId('next-token').getByRole('button').first()).toBeVisible()
}

test.describe('a causal model', () => {
  test.use({ model: 'bundled' })

  test('@cpu writes on token by token, the views follow, and it says how it ended', async ({ explorer, page }) => {
    await open(explorer, page, { maxNewTokens: '4' })
    const before = await explorer.result()
    await page.getByRole('button', { name: 'Continue' }).click()
    // SwiftShader compiles the kernels of the KV cache first.
    await expect(page.getByTestId('ended')).toContainText('4 tokens', { timeout: 90_000 })
    expect(await explorer.parts('generate')).toBe(4)
    const written = await explorer.textBox.inputValue()
    expect(written.startsWith(text)).toBe(true)
    expect(written.length).toBeGreaterThan(text.length)
    await explorer.result(before.length + 4)
    // The prose takes the place of the tokens, which unfold at a click.
    await expect(page.getByTestId('prose').locator('mark')).toHaveText(written.slice(text.length))
    await expect(page.getByTestId('tokens')).toBeHidden()
    await page.getByTestId('fold').click()
    await expect(page.getByTestId('tokens').getByRole('button')).toHaveCount(before.length + 4)
    await expect(page.getByTestId('ended')).toContainText('stopped at the limit')
    await expect(page.getByTestId('speed')).toContainText('tokens/s')
    // Anew with the likeliest tokens: the same again, from where the model began.
    await page.getByRole('button', { name: 'Write again' }).click()
    await expect.poll(() => explorer.parts('generate')).toBe(8)
    await expect(explorer.textBox).toHaveValue(written)
    await explorer.shown({ text: written, maxNewTokens: '4' })
  })

  test('@cpu the likeliest token, clicked three times, is what a greedy continuation writes', async ({
    explorer,
    page,
  }) => {
    await open(explorer, page, { maxNewTokens: '3' })
    const { length } = await explorer.result()
    for (let count = 1; count <= 3; count++) {
      await page.getByTestId('next-token').getByRole('button').first().click()
      await explorer.result(length + count)
      await expect(page.getByTestId('next-token').getByRole('button').first()).toHaveAttribute('aria-disabled', 'false')
    }
    const clicked = await explorer.textBox.inputValue()
    for (let count = 1; count <= 3; count++) await page.getByRole('button', { name: 'last continuation' }).click()
    await expect(explorer.textBox).toHaveValue(text)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByTestId('ended')).toContainText('3 tokens')
    await expect(explorer.textBox).toHaveValue(clicked)
    await page.getByRole('button', { name: 'last token' }).click()
    await expect(explorer.textBox).toHaveValue(/ /)
    expect(clicked.startsWith(await explorer.textBox.inputValue())).toBe(true)
    await page.getByRole('button', { name: 'last continuation' }).click()
    await expect(explorer.textBox).toHaveValue(text)
  })

  test('@cpu the prose stays at its end while the model writes, unless the visitor scrolls up', async ({
    explorer,
    page,
  }) => {
    await open(explorer, page, { text: Array(40).fill(text).join('. '), maxNewTokens: '400' })
    const prose = page.getByTestId('prose')
    const toEnd = () => prose.evaluate((pane) => pane.scrollHeight - pane.clientHeight - pane.scrollTop)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(prose.locator('mark')).not.toHaveText('')
    expect(await prose.evaluate((pane) => pane.scrollHeight - pane.clientHeight)).toBeGreaterThan(50)
    await expect.poll(toEnd).toBeLessThan(2)
    await prose.evaluate((pane) => pane.scrollTo(0, 0))
    const before = await explorer.parts('generate')
    await expect.poll(() => explorer.parts('generate')).toBeGreaterThan(before + 2)
    expect(await prose.evaluate((pane) => pane.scrollTop)).toBe(0)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(toEnd).toBeLessThan(2)
    await page.getByRole('button', { name: 'Stop' }).click()
  })

  test('@cpu stops by its button, and keeps what was written', async ({ explorer, page }) => {
    await open(explorer, page, { maxNewTokens: '400' })
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => explorer.parts('generate')).toBeGreaterThan(2)
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(page.getByTestId('ended')).toContainText('you stopped it after')
    const written = await explorer.textBox.inputValue()
    expect(written.length).toBeGreaterThan(text.length)
    await explorer.settled()
    await expect(explorer.textBox).toHaveValue(written)
  })

  test('@cpu typing while it writes stops it; nothing typed or written is lost', async ({ explorer, page }) => {
    await open(explorer, page, { maxNewTokens: '400' })
    await explorer.textBox.focus()
    await page.keyboard.press('Control+Home')
    await page.getByRole('button', { name: 'Continue' }).evaluate((button: HTMLElement) => button.click())
    await expect.poll(() => explorer.parts('generate')).toBeGreaterThan(2)
    await explorer.textBox.pressSequentially('Look: ', { delay: 15 })
    await expect(page.getByTestId('write-on').getByRole('button', { name: 'Continue' })).toBeVisible()
    const written = await explorer.textBox.inputValue()
    expect(written.startsWith(`Look: ${text}`)).toBe(true)
    await explorer.settled()
    await expect(explorer.textBox).toHaveValue(written)
    // It continues from the current text.
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(async () => (await explorer.textBox.inputValue()).length).toBeGreaterThan(written.length)
    expect((await explorer.textBox.inputValue()).startsWith(written)).toBe(true)
  })

  test('@cpu the settings change what may come next, run nothing and live in the link', async ({ explorer, page }) => {
    await open(explorer, page, { temperature: '1', topP: '1', topK: '64' })
    const first = page.getByTestId('next-token').getByRole('button').first()
    await expect(first).not.toContainText('100 %')
    const runs = await explorer.requestCount('run')
    await page.getByTestId('sampling').click()
    await page.getByRole('slider', { name: 'temperature' }).press('Home')
    await expect(first).toContainText('100 %')
    expect(await explorer.requestCount('run')).toBe(runs)
    await explorer.shown({ temperature: '0', topP: '1' })
    expect(page.url()).not.toContain('minP')
  })

  test('@cpu axe finds nothing, and nothing is wider than the page', async ({ explorer, page }) => {
    await open(explorer, page)
    await page.getByTestId('sampling').click()
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await explorer.settled()
      await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        // The bar with its open menu: what the menu covers a part of is looked at elsewhere.
        expect(await faults(page, 5, '[data-testid=bar]'), `${colorScheme} at ${width} px`).toEqual([])
      }
    }
  })
})
