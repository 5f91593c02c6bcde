import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './explorer'

/** WCAG 2.2, levels A and AA. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * The violations that axe finds, one rule a line, with their elements: by the rules of WCAG for the page, by all rules for a selector. At
 * least `looked` rules must have matched something.
 */
export async function faults(page: Page, looked: number, within?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    // Passing elements are not described: that takes longer than the check itself.
    .options({ resultTypes: ['violations'] })
    // Without frames no extra page is needed to merge results.
    .setLegacyMode()
  expect(page.frames().length, 'frames').toBe(1)
  const { violations, passes } = await (within ? axe.include(within) : axe.withTags(rules)).analyze()
  expect(passes.length, 'rules that found something to look at').toBeGreaterThan(looked)
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target, html }) => `${target.join(' ')} ${html}`).join(', ')}`,
  )
}
