// Shared by the tests that walk all views: their list, how to open one, and its numbers.
import { readFile } from 'node:fs/promises'
import type { Download, Locator, Page } from '@playwright/test'
import { expect } from './explorer'

export const text = 'the cat sat on the mat , and the dog sat on [MASK] .'

/** The ids of all views, as the page lists them. */
export async function viewsOf(page: Page): Promise<string[]> {
  const ids = await page
    .getByTestId('tabs')
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.dataset['view'] ?? ''))
  expect(ids.length).toBeGreaterThan(5)
  return ids
}

/** Opens a view by its link, without a reload, and waits for its picture. */
export async function show(page: Page, id: string, more: Record<string, string> = {}): Promise<Locator> {
  const link = new URLSearchParams({ text, model: 'roformer-english', open: id, ...more })
  await page.evaluate((hash) => (location.hash = hash), `#/explorer?${link}`)
  const view = page.getByTestId(`view-${id}`)
  await expect(view).toBeVisible()
  await expect(view.locator('svg, canvas, button').first()).toBeVisible()
  await expect(page.getByTestId('headline')).not.toBeEmpty()
  return view
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

/** The file that a button of the menu saves. */
export async function fileOf(page: Page, menu: Locator, name: string): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), menu.getByRole('button', { name }).click()])
  return contentOf(download)
}

async function contentOf(download: Download): Promise<Buffer> {
  return readFile(await download.path())
}

/** A view's saved tables, by name. */
export type Numbers = Record<string, { columns: string[]; rows: unknown[] }>

export async function numbersOf(page: Page, id: string): Promise<Numbers> {
  const menu = await openMenu(page, id)
  const file = await fileOf(page, menu, 'JSON')
  await page.keyboard.press('Escape')
  return JSON.parse(file.toString('utf8')) as Numbers
}
