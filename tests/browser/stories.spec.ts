import { faults } from './axe'
import { expect, test, type Explorer } from './explorer'
import { foreignIn } from './foreignWords'
import type { Page } from '@playwright/test'

/** The numbers of a caption that stand in the view itself. */
interface Shown {
  caption: number
  number: string | RegExp
  /** The view's element, by its test id. */
  in: string
}

const told: readonly { id: string; captions: number; shown: readonly Shown[] }[] = [
  {
    id: 'oneBack',
    captions: 4,
    shown: [
      { caption: 1, number: /\d+\.\d\s%/, in: 'headline' },
      { caption: 2, number: /\d+\.\d\s%/, in: 'attention-map-readout' },
      { caption: 3, number: /\+\d\.\d\d/, in: 'score-scene' },
      { caption: 4, number: /\d\d\.\d\d/, in: 'score-scene' },
    ],
  },
  {
    id: 'muteFastest',
    captions: 4,
    shown: [
      { caption: 1, number: /12\.\d\d/, in: 'mute-picture' },
      { caption: 3, number: /\d\.\d\d(?=\.)/, in: 'mute-picture' },
      { caption: 4, number: /\d\d\.\d(?=\s%\.$)/, in: 'guess' },
    ],
  },
  {
    id: 'shiftAll',
    captions: 4,
    shown: [
      { caption: 1, number: /1\.43/, in: 'shift-scene' },
      { caption: 2, number: /1,\d\d\d(?= turns)/, in: 'shift-scene' },
      { caption: 3, number: /\d+\.\d\s%/, in: 'attention-map-readout' },
      { caption: 4, number: /0\.0000\d+/, in: 'shift-scene' },
    ],
  },
  {
    id: 'stretch',
    captions: 4,
    shown: [
      { caption: 3, number: /\d\d\s%/, in: 'compare-scene' },
      { caption: 4, number: /\d\.\d(?=\s%\.$)/, in: 'guess' },
    ],
  },
  {
    id: 'rotationForbids',
    captions: 3,
    shown: [{ caption: 2, number: /\+\d\.\d\d/, in: 'attention-map-readout' }],
  },
  {
    id: 'copying',
    captions: 4,
    shown: [
      { caption: 3, number: /\d\d\.\d/, in: 'next-token' },
      { caption: 4, number: /\d\d\.\d(?=\s%,)/, in: 'next-token' },
    ],
  },
]

/** What the page opens on by itself. */
const example = { model: 'roformer-english' }

const own = { text: 'My own cat saw a bird.', layer: '1', head: '3', query: '2', key: '1', open: 'lines', cut: '1.1:2' }

const panel = (page: Page) => page.getByTestId('story')
const words = (page: Page) => page.getByTestId('story-words')
const outline = (page: Page) => page.getByTestId('story-anchor').locator('.outline')

/** Waits until a caption is measured and points at something, and returns it. */
async function measured(page: Page, caption: number, captions: number): Promise<string> {
  const numbers = String(caption) + String(captions)
  await expect(panel(page).locator('.buttons span')).toHaveText(
    new RegExp(`^(${caption}\\D+${captions}|${captions}\\D+${caption})$`),
    {
      timeout: 30_000,
    },
  )
  await expect(words(page), `caption ${numbers}`).toHaveText(/\d.*\.$/, { timeout: 60_000 })
  await expect(outline(page)).toBeAttached({ timeout: 60_000 })
  return (await words(page).textContent()) ?? ''
}

/** What a caption speaks of, and how much of it the caption covers, in px². */
async function covered(page: Page): Promise<number> {
  const [anchor, caption] = await Promise.all([outline(page).boundingBox(), panel(page).boundingBox()])
  if (!anchor || !caption) return NaN
  const across = Math.min(anchor.x + anchor.width, caption.x + caption.width) - Math.max(anchor.x, caption.x)
  const down = Math.min(anchor.y + anchor.height, caption.y + caption.height) - Math.max(anchor.y, caption.y)
  return Math.max(0, across) * Math.max(0, down)
}

/** Opens the page where a visitor has something of their own. */
async function begun(explorer: Explorer): Promise<string> {
  await explorer.open(own)
  await explorer.shown({ model: 'roformer-english', text: own.text, cut: own.cut, open: own.open })
  return explorer.page.url()
}

test.describe('@cpu a story', () => {
  test.use({ model: 'bundled', viewport: { width: 1280, height: 720 } })
  test.describe.configure({ timeout: 300_000 })

  for (const { id, captions, shown } of told) {
    test(`${id} is read by keys alone, states what the view shows, and leads back`, async ({ explorer, page }) => {
      const before = await begun(explorer)
      const entries = await page.evaluate(() => history.length)
      const chip = page.locator(`[data-story=${id}]`)
      await chip.focus()
      await page.keyboard.press('Enter')
      await expect(panel(page)).toBeFocused()
      await expect(chip).toHaveAttribute('aria-current', 'step')
      for (let caption = 1; caption <= captions; caption++) {
        if (caption > 1) await page.keyboard.press(caption % 2 === 0 ? 'ArrowRight' : 'Enter')
        const text = await measured(page, caption, captions)
        await expect.poll(() => covered(page), { message: `${text} covers what it speaks of` }).toBe(0)
        await expect(panel(page)).toBeInViewport({ ratio: 1 })
        for (const { number, in: place } of shown.filter((one) => one.caption === caption)) {
          const [found] = text.match(number) ?? []
          expect(found, `${number} in “${text}”`).toBeDefined()
          // A sentence has per cent, and the map's readout 0.77.
          const isWeight = place === 'attention-map-readout' && found?.endsWith('%')
          const there = isWeight ? (Number.parseFloat(found ?? '') / 100).toFixed(2) : found
          await expect(page.getByTestId(place).first()).toContainText(there ?? '')
        }
      }
      await page.keyboard.press('ArrowLeft')
      await measured(page, captions - 1, captions)
      await page.keyboard.press('Escape')
      await expect(panel(page)).toHaveCount(0)
      await expect(chip).toBeFocused()
      await expect(page.getByTestId('text')).toHaveValue(own.text)
      await expect(page.getByTestId('model-menu')).toContainText('roformer-english ')
      await expect(page.getByTestId('view-lines')).toBeVisible()
      expect(page.url()).toBe(before)
      expect(await page.evaluate(() => history.length)).toBe(entries)
      await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeDisabled()
    })
  }

  test('ends at its end, and where one writes: nothing written is lost', async ({ explorer, page }) => {
    await begun(explorer)
    await page.locator('[data-story=rotationForbids]').click()
    for (const caption of [1, 2, 3]) {
      await measured(page, caption, 3)
      await page.keyboard.press('Enter')
    }
    await expect(panel(page)).toHaveCount(0)
    await explorer.shown({ text: own.text, open: own.open, cut: own.cut })
    await page.locator('[data-story=oneBack]').click()
    await measured(page, 1, 4)
    await explorer.type('Something else [MASK].')
    await expect(panel(page)).toHaveCount(0)
    await explorer.shown({ text: 'Something else [MASK].', open: own.open, cut: own.cut })
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await explorer.shown({ text: own.text, layer: own.layer, head: own.head })
  })

  test('is a link, ends with what else the visitor does, and is read on a phone', async ({ explorer, page }) => {
    await explorer.step('and the walk end each other', example, async () => {
      await page.getByTestId('walk').click()
      await expect(page.getByTestId('walk')).toHaveText(/Pause/)
      await page.locator('[data-story=oneBack]').click()
      await measured(page, 1, 4)
      await expect(page.getByTestId('walk')).toHaveText('▶ Watch it turn')
      await page.getByTestId('walk').click()
      await expect(panel(page)).toHaveCount(0)
      await expect(page.getByTestId('walk')).toHaveText(/Pause/)
    })

    await explorer.step('is a link to its state, and another choice of the visitor is said', example, async () => {
      const href = await page.locator('[data-story=shiftAll]').getAttribute('href')
      expect(href).toContain('offset=10000')
      await page.locator('[data-story=oneBack]').click()
      await measured(page, 1, 4)
      await page.getByTestId('tokens').locator('[data-position="3"]').click()
      await expect(words(page)).toContainText('You have chosen something else')
      await page.keyboard.press('Escape')
      await expect(panel(page)).toHaveCount(0)
      await expect(page.getByTestId('tokens').locator('button.query')).toHaveText('looked')
    })

    await explorer.step(
      'and their chips pass axe, and a phone shows captions below what they speak of',
      example,
      async () => {
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 844 })
          const before = await page.evaluate(() => scrollY)
          await page.locator('[data-story=oneBack]').click()
          for (const caption of [1, 2, 3, 4]) {
            if (caption > 1) await page.keyboard.press('ArrowRight')
            await measured(page, caption, 4)
            await expect.poll(() => covered(page)).toBe(0)
            await expect(outline(page)).toBeInViewport({ ratio: 1 })
          }
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme })
            expect(await faults(page, 5, '[data-testid=story]'), `${colorScheme} at ${width} px`).toEqual([])
            expect(await faults(page, 5, '[data-testid=stories]'), `${colorScheme} at ${width} px`).toEqual([])
          }
          await page.keyboard.press('Escape')
          await expect(panel(page)).toHaveCount(0)
          await expect.poll(() => page.evaluate(() => scrollY)).toBe(before)
        }
      },
    )
  })

  for (const { language, letters } of [
    { language: 'ko', letters: /\p{Script=Hangul}/u },
    { language: 'hu', letters: /[áéíóöőúüű]/i },
  ] as const) {
    test(`is in ${language} from its chip to its end`, async ({ explorer, page }) => {
      await explorer.open({ language })
      for (const { id, captions } of told) {
        await page.locator(`[data-story=${id}]`).click()
        for (let caption = 1; caption <= captions; caption++) {
          if (caption > 1) await page.keyboard.press('ArrowRight')
          await measured(page, caption, captions)
          // Tokens of the text are English.
          const own = await words(page).evaluate((element) =>
            [...element.childNodes].map((node) => (node instanceof Element ? '' : node.textContent)).join(''),
          )
          expect(own).toMatch(letters)
          expect(await foreignIn(language, own), own).toEqual([])
          await expect(panel(page)).not.toHaveAttribute('lang')
        }
        await page.keyboard.press('Escape')
        await expect(panel(page)).toHaveCount(0)
      }
    })
  }
})

test.describe('@cpu an example', () => {
  test.use({ model: 'bundled' })

  test('is taken where one would write one’s own text, and the menu closes', async ({ explorer, page }) => {
    await explorer.open()
    await page.getByTestId('own-text').click()
    await page.getByRole('button', { name: /Deep Learning/ }).click()
    await explorer.shown({ text: 'He wrote a book about deep learning, and it was read by many people.' })
    await expect(page.getByTestId('own-text')).toHaveAttribute('aria-expanded', 'false')
    await page.getByTestId('own-text').click()
    await page.getByRole('button', { name: /Write it/ }).click()
    await expect(page.getByTestId('text')).toBeFocused()
    await page.getByTestId('model-menu').click()
    await page.getByRole('button', { name: /^marian-numbers/ }).click()
    await expect(page.getByTestId('model-menu')).toHaveAttribute('aria-expanded', 'false')
  })
})
