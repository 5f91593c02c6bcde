import { faults } from './axe'
import { expect, overflow, test } from './explorer'
import { writeDescribedHeads } from './tinyModel'

const schemes = ['light', 'dark'] as const

/** The titles of the pages: the Explorer's says the view and the head, Read's the chapter. */
const titles = {
  explorer: /^Map · L\d+·H\d+ · ropescope$/,
  read: /^1 .+ · ropescope$/,
  models: 'Models · ropescope',
  about: 'About · ropescope',
}

test('@cpu the page’s own heading comes first, and the second link skips to the views', async ({ explorer, page }) => {
  await explorer.open({ text: 'the [MASK] sat on the mat .', open: 'map,score' })
  await explorer.settled()
  const levels = () =>
    page.getByRole('heading').evaluateAll((headings) => headings.map((heading) => Number(heading.tagName.slice(1))))
  const [first, ...others] = await levels()
  expect([first, others.length > 2, others.includes(1)]).toEqual([1, true, false])
  const skip = page.getByRole('link', { name: 'Skip to the views' })
  await skip.press('Enter')
  await expect(page.getByTestId('tabs').locator('[data-station=weight]')).toBeFocused()
})

test('@cpu the title of the window names the heads that the front view is of', async ({ explorer, page }) => {
  const text = 'the [MASK] sat on the mat .'
  for (const [title, hash] of [
    [/^Map · L\d+·H\d+ · ropescope$/, { open: 'map' }],
    [/^Map · Layer \d, mean of \d heads · ropescope$/, { open: 'map', 'map.mean': 'layer' }],
    [/^Map · Mean of all \d heads · ropescope$/, { open: 'map', 'map.mean': 'all' }],
    [/^Predictions · ropescope$/, { open: 'predictions' }],
  ] as const)
    await explorer.step(`${title}`, { text, ...hash }, async () => expect(page).toHaveTitle(title))
})

test('@cpu axe finds nothing on any page, and nothing is wider than it', async ({ explorer, page, tinyModel }) => {
  await writeDescribedHeads(tinyModel)
  for (const [name, title] of Object.entries(titles))
    await explorer.step(name, { room: name, text: 'the [MASK] sat on the mat .' }, async () => {
      await expect(page).toHaveTitle(title)
      for (const width of [360, 390, 1280, 3840]) {
        await page.setViewportSize({ width, height: 900 })
        await explorer.settled()
        await expect.poll(() => overflow(page), `at ${width} px`).toBeLessThanOrEqual(0)
        if (width !== 390 && width !== 1280) continue
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme })
          expect(await faults(page, 10), `${colorScheme} at ${width} px`).toEqual([])
        }
      }
    })
})
