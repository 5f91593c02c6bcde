import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './explorer'

/** WCAG 2.2, levels A and AA. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * What axe finds wrong: a rule a line, and where. Of the page by the rules of WCAG, or of what a selector names by all its rules. At
 * least `looked` rules have to find something to look at.
 */
export async function faults(page: Page, looked: number, within?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    // Places where a rule is kept are not described one by one: that takes longer than to look.
    .options({ resultTypes: ['violations'] })
    // Without frames all is said by the page itself; another page would be opened to put frames together.
    .setLegacyMode()
  expect(page.frames().length, 'frames').toBe(1)
  const { violations, passes } = await (within ? axe.include(within) : axe.withTags(rules)).analyze()
  expect(passes.length, 'rules that found something to look at').toBeGreaterThan(looked)
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target, html }) => `${target.join(' ')} ${html}`).join(', ')}`,
  )
}
