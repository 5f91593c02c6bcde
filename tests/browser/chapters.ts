// The chapters of Read, by their figures.
import type { Page } from '@playwright/test'
import { expect } from './explorer'

export const figures = ['queue', 'hand', 'added', 'turn', 'speeds', 'near', 'shift', 'stretch', 'ways', 'cost']

/** Opens a chapter in the page as it is, and waits for its figure. */
export async function read(
  page: Page,
  chapter: string,
  more: Record<string, string> = {},
  figure = figures[Number(chapter) - 1],
): Promise<void> {
  const link = new URLSearchParams({ v: '2', text: 'the [MASK] sat on the mat .', ...more })
  await page.evaluate((hash) => (location.hash = hash), `#/read/${chapter}?${link}`)
  await expect(page.getByTestId(`view-${figure}`).locator('svg').first()).toBeVisible()
}
