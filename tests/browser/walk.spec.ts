// ▶: the key walks along the text. Every step turns the dials, and none runs the model.
import type { Page } from '@playwright/test'
import { tasksOf } from '../../benches/browser/trace'
import { faults } from './axe'
import { expect, test } from './explorer'

const text = 'the dog sat on the mat .'
const here = { text, layer: '0', head: '0', query: '4', key: '3' }

const caption = (page: Page) => page.getByTestId('caption')
const atWalk = (page: Page) => page.getByTestId('tokens').locator('.at-walk')
const button = (page: Page) => page.getByTestId('walk')

/** The CPU time (ms) of the longest task of the page's thread during these steps. Other programs do not lengthen it as they do a task. */
async function longestTask(page: Page, steps: number): Promise<number> {
  const browser = page.context().browser()!
  await browser.startTracing(page, { categories: ['toplevel'] })
  for (let step = 0; step < steps; step++) {
    await page.keyboard.press('ArrowRight')
    // The frame that draws it, too.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  }
  const tasks = tasksOf(await browser.stopTracing())
  expect(tasks.length).toBeGreaterThan(steps)
  return Math.max(...tasks)
}

test('the key walks from the first token on, comes back to its place, and nothing runs the model', async ({
  explorer,
  page,
}) => {
  await explorer.open(here)
  const runs = await explorer.requestCount('run')
  await expect(caption(page)).toHaveCount(0)
  await button(page).click()
  await expect(caption(page)).toContainText('the fastest hands are')
  await expect(button(page)).toBeFocused()
  await button(page).click()
  await expect(button(page)).toContainText('Go on')
  const step = page.getByTestId('intro').getByRole('status')
  await page.getByRole('button', { name: 'One token back' }).click()
  const first = await step.textContent()
  await page.getByRole('button', { name: 'One token on' }).click()
  await expect(step).not.toHaveText(first ?? '')
  await button(page).press('ArrowRight')
  await expect(atWalk(page)).toHaveCount(1)
  expect(await longestTask(page, 5)).toBeLessThan(50)
  expect(await faults(page, 5, '[data-testid=view-score]')).toEqual([])
  await button(page).press('Escape')
  await expect(caption(page)).toHaveCount(0)
  await expect(atWalk(page)).toHaveCount(0)
  // To its end by itself.
  await button(page).click()
  await expect(caption(page)).toHaveCount(1)
  await expect(caption(page)).toHaveCount(0, { timeout: 60_000 })
  expect(await explorer.requestCount('run')).toBe(runs)
  await explorer.shown({ query: '4', key: '3' })
})

test('@cpu the handle moves the key, by keys and by the pointer', async ({ explorer, page }) => {
  await explorer.open({ ...here, open: 'score,map' })
  const handle = page.getByRole('slider', { name: 'Move the key along the text' })
  await expect(handle).toHaveAttribute('aria-valuetext', /one token back/)
  const top = async () => (await page.getByTestId('attention-map-frame').boundingBox())?.y
  const place = await top()
  await handle.press('ArrowLeft')
  await expect(handle).toHaveAttribute('aria-valuetext', /two tokens back/)
  await expect(atWalk(page)).toHaveAttribute('data-position', '2')
  await expect(caption(page)).toContainText('2 back')
  expect(await top()).toBe(place)
  await handle.press('Escape')
  await expect(atWalk(page)).toHaveCount(0)
  await handle.hover({ position: { x: 20, y: 10 } })
  await page.mouse.down()
  await expect(caption(page)).toContainText(' back')
  const before = await handle.getAttribute('aria-valuenow')
  const box = await handle.boundingBox()
  // Across the key's own place, without an end of the walk.
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * 0.8, (box?.y ?? 0) + 10, { steps: 8 })
  await expect(handle).not.toHaveAttribute('aria-valuenow', before ?? '')
  await expect(caption(page)).toContainText(' ahead')
  await page.mouse.up()
  await explorer.shown({ key: '3' })
})

test('@cpu where motion is unwelcome the key stands, and is stepped', async ({ explorer, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await explorer.open(here)
  await button(page).click()
  await expect(button(page)).toContainText('Go on')
  await expect(page.getByTestId('intro').getByRole('status')).toContainText('step 1 of')
  await page.getByRole('button', { name: 'One token on' }).click()
  await expect(page.getByTestId('intro').getByRole('status')).toContainText('step 2 of')
})

test('@cpu on a phone the picture comes into sight, with the buttons', async ({ explorer, page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await explorer.open(here)
  await button(page).click()
  await expect(page.getByTestId('score-scene')).toBeInViewport()
  await expect(button(page)).toBeInViewport({ ratio: 1 })
})

test.describe('a model that does not rotate', () => {
  test.use({ model: 'bundled' })

  const pair = { model: 'marian-numbers', text: '>>hu<<1984\tezerkilencszáznyolcvannégy' }
  const selected = { ...pair, layer: '1', head: '0' }

  test('the query meets the key of each token of the source, and nothing runs the model', async ({
    explorer,
    page,
  }) => {
    await explorer.open({ ...selected, query: '10', key: '4' })
    await expect(page.getByTestId('intro')).toContainText('adds positions')
    const runs = await explorer.requestCount('run')
    const explanations = await explorer.requestCount('explain')
    await expect(button(page)).toContainText('Watch it search')
    await button(page).click()
    await expect(caption(page)).toContainText('In the source is')
    await button(page).click()
    await expect(button(page)).toContainText('Go on')
    await button(page).press('ArrowLeft')
    await button(page).press('ArrowLeft')
    const scores = new Set<string | null>()
    for (let position = 0; position < 4; position++) {
      await expect(atWalk(page)).toHaveAttribute('data-position', String(position))
      await expect(caption(page)).toContainText('Another token, at another place')
      scores.add(await caption(page).textContent())
      if (position < 3) await page.keyboard.press('ArrowRight')
    }
    expect(scores.size).toBe(4)
    expect(await faults(page, 5, '[data-testid=view-score]')).toEqual([])
    await page.keyboard.press('ArrowRight')
    await expect(caption(page)).toContainText('Pair 4 adds most')
    await button(page).press('ArrowLeft')
    await expect(atWalk(page)).toHaveAttribute('data-position', '3')
    expect(await longestTask(page, 2)).toBeLessThan(50)
    await button(page).press('Escape')
    await expect(caption(page)).toHaveCount(0)
    expect(await explorer.requestCount('run')).toBe(runs)
    expect(await explorer.requestCount('explain')).toBe(explanations)
    await explorer.shown({ query: '10', key: '4' })
  })

  test('@cpu the handle goes from key to key, and a causal text has none ahead of its query', async ({
    explorer,
    page,
  }) => {
    await explorer.open({ ...selected, part: 'decoder', query: '3', key: '1' })
    const handle = page.getByRole('slider', { name: 'Go along the keys of the text' })
    await expect(handle).toHaveAttribute('aria-valuetext', /two tokens back: score/)
    await expect(handle).toHaveAttribute('aria-valuemin', '-3')
    await expect(handle).toHaveAttribute('aria-valuemax', '0')
    await handle.press('ArrowRight')
    await expect(handle).toHaveAttribute('aria-valuetext', /one token back: score/)
    await expect(atWalk(page)).toHaveAttribute('data-position', '2')
    await expect(caption(page)).toContainText('One token back is')
    await handle.press('End')
    await expect(caption(page)).toContainText('At the query’s own position is')
    await handle.hover({ position: { x: 12, y: 10 } })
    await page.mouse.down()
    await page.mouse.up()
    await expect(atWalk(page)).toHaveAttribute('data-position', '0')
    await handle.press('Escape')
    await expect(caption(page)).toHaveCount(0)
    await explorer.shown({ query: '3', key: '1' })
  })

  test('@cpu begins no search where the query does not see the key, and says what to choose', async ({
    explorer,
    page,
  }) => {
    await explorer.open({ ...selected, part: 'decoder', query: '3', key: '5' })
    await expect(button(page)).toBeDisabled()
    await expect(page.getByTestId('intro')).toContainText('No search begins here')
    await expect(page.getByTestId('intro')).not.toContainText('The key cannot move')
  })
})
