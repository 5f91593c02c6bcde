import { faults } from './axe'
import { expect, test } from './explorer'
import { writeDescribedHeads } from './tinyModel'

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1280]) {
    test.describe(`@cpu ${colorScheme} at ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 900 } })

      for (const room of ['explorer', 'read', 'models', 'about']) {
        test(`axe finds nothing in the room ${room}`, async ({ explorer, page, tinyModel }) => {
          await writeDescribedHeads(tinyModel)
          await explorer.open({ room, text: 'the [MASK] sat on the mat .' })
          await expect(page).toHaveTitle(new RegExp(`^${room}`, 'i'))
          expect(await faults(page, 10)).toEqual([])
        })
      }
    })
  }
}

for (const width of [360, 3840]) {
  test.describe(`@cpu at ${width} px`, () => {
    test.use({ viewport: { width, height: 900 } })

    test('nothing is wider than the page', async ({ explorer, page }) => {
      for (const room of ['explorer', 'read', 'models', 'about']) {
        await explorer.open({ room, text: 'the [MASK] sat on the mat .' })
        await expect(page).toHaveTitle(new RegExp(`^${room}`, 'i'))
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow, room).toBeLessThanOrEqual(0)
      }
    })
  })
}
