// Snippets of README.md and docs/embed.md run as they are printed, from files that the page itself serves.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, root, test } from './explorer'

/** The blocks of code of a document in a language. */
async function snippets(document: string, language: 'html' | 'js'): Promise<string[]> {
  const text = await readFile(join(root, document), 'utf8')
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, code = '']) => code,
  )
  if (blocks.length === 0) throw new Error(`${document} has no ${language}`)
  return blocks
}

/** Opens a page with this markup, and collects what it prints. */
async function open(page: Page, html: string): Promise<{ printed: string[]; errors: string[] }> {
  const [printed, errors]: [string[], string[]] = [[], []]
  page.on('console', (message) => message.type() === 'log' && printed.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  await page.route('**/snippet.html', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }))
  await page.goto('./snippet.html')
  return { printed, errors }
}

async function expectMap(page: Page): Promise<void> {
  const element = page.locator('rope-attention')
  await expect(element.locator('figcaption')).toContainText('Layer 2, head 6')
  await expect(element.locator('canvas').first()).toBeVisible()
}

test.describe('@cpu a snippet', () => {
  test('of README.md draws a map and fills a mask', async ({ page }) => {
    const [html = ''] = await snippets('README.md', 'html')
    const { printed, errors } = await open(page, html)
    await expectMap(page)
    await expect.poll(() => printed.length).toBe(3)
    for (const line of printed) expect(line).toMatch(/^\S+ 0\.\d+$/)
    expect(errors).toEqual([])
  })

  test('of docs/embed.md draws a map', async ({ page }) => {
    const [html = ''] = await snippets('docs/embed.md', 'html')
    const { errors } = await open(page, html)
    await expectMap(page)
    expect(errors).toEqual([])
  })

  test('of docs/embed.md fills a mask, runs, and lets a model write', async ({ page }) => {
    // The second one goes on from the first.
    const script = [...(await snippets('docs/embed.md', 'js')), "console.log(tokens.length, shape.join(' × '))"]
    const { printed, errors } = await open(page, `<body><script type="module">${script.join('\n')}</script></body>`)
    await expect.poll(() => printed.length).toBe(4)
    expect(printed.at(-1)).toBe('6 1 × 8 × 6 × 6')
    // Pieces of text after the script.
    expect(await page.evaluate(() => document.body.lastChild?.nodeType === Node.TEXT_NODE)).toBe(true)
    expect(errors).toEqual([])
  })
})
