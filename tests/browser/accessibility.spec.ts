import { faults } from './axe'
import { expect, test } from './explorer'
import { writeDescribedHeads } from './tinyModel'

const schemes = ['light', 'dark'] as const

/** The titles of the pages: the Explorer's says the view and the head, Read's the chapter. */
const titles = {
  explorer: /^Map · L\d+·H\d+ · ropescope$/,
  read: /^1 .+ · ropescope$/,
  models: 'Models · ropescope',
  about: 'About · ropescope',
}

for (const [name, title] of Object.entries(titles)) {
  test(`@cpu axe finds nothing on the page ${name}, and nothing is wider than it`, async ({
    explorer,
    page,
    tinyModel,
  }) => {
    await writeDescribedHeads(tinyModel)
    await explorer.open({ room: name, text: 'the [MASK] sat on the mat .' })
    await expect(page).toHaveTitle(title)
    for (const width of [360, 390, 1280, 3840]) {
      await page.setViewportSize({ width, height: 900 })
      await explorer.settled()
      const overflow = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      await expect.poll(overflow, `at ${width} px`).toBeLessThanOrEqual(0)
      if (width !== 390 && width !== 1280) continue
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme })
        expect(await faults(page, 10), `${colorScheme} at ${width} px`).toEqual([])
      }
    }
  })
}
