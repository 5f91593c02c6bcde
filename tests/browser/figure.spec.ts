// The word "Figure" at a view's title: previews and files for a paper.
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './explorer'
import { fileOf, openFigure } from './walk'

const open = (page: Page, id: string): Promise<Locator> => openFigure(page, page.getByTestId(`view-${id}`))

const svgOf = async (page: Page, sheet: Locator) => (await fileOf(page, sheet, 'SVG')).toString('utf8')

/** What an SVG file says of itself. */
const read = (page: Page, svg: string) =>
  page.evaluate((svg) => {
    const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
    const strokes = [...root.querySelectorAll('rect')].map((rect) => rect.getAttribute('stroke'))
    return {
      width: root.getAttribute('width'),
      box: (root.getAttribute('viewBox') ?? '').split(' ').map(Number),
      fonts: root.getAttribute('font-family'),
      own: root.querySelectorAll('[font-family], [style], [class], button, foreignObject').length,
      ground: root.querySelector('rect')?.getAttribute('fill'),
      texts: [...root.querySelectorAll('text')].map(({ textContent }) => textContent),
      strokes,
      images: [...root.querySelectorAll('image')].map((image) => image.getAttribute('image-rendering')),
    }
  }, svg)

const [query, key] = ['#2a55c4', '#a8500b']
test('@cpu Figure', async ({ explorer, page }, info) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  let fails = true
  await page.route(/FigureSheet[^/]*\.js/, (route) => (fails ? route.abort() : route.fallback()))
  await explorer.step('comes when its code can be fetched again', {}, async () => {
    const button = page.getByTestId('view-map').getByRole('button', { name: /^Figure/ })
    await button.click()
    const alert = page.getByTestId('view-map').getByRole('alert')
    await expect(alert).toContainText('The dialog could not be fetched.')
    fails = false
    await button.click()
    await expect(page.getByTestId('figure-preview')).toBeVisible()
    await expect(alert).toHaveCount(0)
  })

  await explorer.step(
    'is a column wide, light in the dark, with or without crosshair and caption',
    { layer: '1', head: '3' },
    async () => {
      const sheet = await open(page, 'map')
      const full = await read(page, await svgOf(page, sheet))
      expect(full).toMatchObject({ width: '84mm', own: 0, ground: '#ffffff', images: ['pixelated', 'pixelated'] })
      expect(full.fonts).toBe('Arial, Helvetica, Liberation Sans, sans-serif')
      expect(full.strokes).toEqual(expect.arrayContaining([query, key]))
      expect(full.texts.join(' ')).toContain('roformer-english · L1·H3 · attention weight · “')
      await sheet.getByLabel('crosshair').uncheck()
      await sheet.getByLabel('caption').uncheck()
      const plain = await read(page, await svgOf(page, sheet))
      expect(plain.strokes).not.toEqual(expect.arrayContaining([query]))
      expect(plain.strokes).not.toEqual(expect.arrayContaining([key]))
      expect(plain.texts.join(' ')).not.toContain('roformer-english')
      expect(plain.box[3]).toBeLessThan(full.box[3] ?? 0)
      for (const [name, width] of [
        ['two columns', 174],
        ['slide', 338.67],
      ] as const) {
        await sheet.getByText(name).click()
        expect(parseFloat((await read(page, await svgOf(page, sheet))).width ?? '')).toBeCloseTo(width, 1)
      }
      await page.keyboard.press('Escape')
      await expect(sheet).toBeHidden()
      await expect(page.getByTestId('view-map').getByRole('button', { name: /^Figure/ })).toBeFocused()
    },
  )

  await explorer.step('of Mute has no controls, is in one font and within its margin', { open: 'mute' }, async () => {
    const sheet = await open(page, 'mute')
    const { texts, own, strokes, box } = await read(page, await svgOf(page, sheet))
    expect(own).toBe(0)
    // The switches of the pairs are a row of outlines on the page, and plain labels on paper.
    expect(texts).toEqual(expect.arrayContaining(['pair', '0', '1', '2', '3']))
    expect(strokes.filter((stroke) => stroke === '#8a8c92')).toEqual([])
    const outside = await page.evaluate((box) => {
      const image = document.querySelector<HTMLImageElement>('[data-testid=figure-preview]')
      const svg = decodeURIComponent(image?.src.slice(image.src.indexOf(',') + 1) ?? '')
      const drawing = document.importNode(new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement, true)
      document.body.append(drawing)
      const [left = 0, top = 0, width = 0, height = 0] = box
      const found = [...drawing.querySelectorAll<SVGGraphicsElement>('text')].filter((text) => {
        const { x, y, width: wide, height: high } = text.getBBox()
        return x < left + 8 || y < top + 4 || x + wide > left + width - 8 || y + high > top + height - 4
      })
      drawing.remove()
      return found.map(({ textContent }) => textContent)
    }, box)
    expect(outside).toEqual([])
  })

  await explorer.step('is saved as PNG of its size on paper', {}, async () => {
    const sheet = await open(page, 'map')
    const png = await fileOf(page, sheet, 'PNG')
    expect(png.readUInt32BE(16)).toBe(Math.round((84 / 25.4) * 300))
    const at = png.indexOf('pHYs')
    expect(png.readUInt32BE(at + 4)).toBe(Math.round(300 / 0.0254))
    const size = Number(/× ([\d,]+) mm/.exec(await sheet.innerText())?.[1])
    expect(Math.abs((png.readUInt32BE(20) / 300) * 25.4 - size)).toBeLessThan(1)
  })

  await explorer.step('is printed alone, on paper of its size', {}, async () => {
    await page.evaluate(() => {
      window.print = () => document.documentElement.setAttribute('data-printing', '')
    })
    const sheet = await open(page, 'map')
    await sheet.getByRole('button', { name: 'PDF' }).click()
    await expect(page.locator('html[data-printing]')).toBeAttached()
    // A browser may not report the end of a print: the next one has no second paper.
    await sheet.getByRole('button', { name: 'PDF' }).click()
    await expect(page.locator('.paper')).toHaveCount(1)
    expect(await page.evaluate(() => document.adoptedStyleSheets.length)).toBe(1)
    const path = info.outputPath('figure.pdf')
    await page.pdf({ path, preferCSSPageSize: true })
    const pdf = (await readFile(path)).toString('latin1')
    const boxes = [...pdf.matchAll(/\/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)/g)]
    expect(boxes).toHaveLength(1)
    expect(Number(boxes[0]?.[1])).toBeCloseTo((84 / 25.4) * 72, -1)
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    await expect(page.locator('.paper')).toHaveCount(0)
    expect(await page.evaluate(() => document.adoptedStyleSheets.length)).toBe(0)
  })

  await explorer.step('says that the browser refused to print', {}, async () => {
    await page.evaluate(() => {
      window.print = () => {
        throw new Error('no printer')
      }
    })
    const sheet = await open(page, 'map')
    await sheet.getByRole('button', { name: 'PDF' }).click()
    await expect(sheet.getByRole('status')).toContainText('The browser could not make the PDF')
  })

  await explorer.step(
    'leaves the page behind it as it is, whatever key is pressed',
    { layer: '1', head: '3' },
    async () => {
      const sheet = await open(page, 'map')
      await explorer.shown({ layer: '1', head: '3', query: '9', key: '8' })
      const link = page.url()
      // Without a focus in the sheet the page's window receives the key.
      await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
      for (const key of ['[', '?', 'ControlOrMeta+z']) await page.keyboard.press(key)
      await expect(page.getByRole('dialog')).toHaveCount(1)
      await page.keyboard.press('Escape')
      await expect(sheet).toBeHidden()
      expect(page.url()).toBe(link)
      await page.keyboard.press('[')
      await expect(page).toHaveURL(/head=2/)
    },
  )

  await explorer.step('of every head is light on a dark page', { text: 'the cat sat on the mat .' }, async () => {
    const dock = page.getByRole('complementary')
    const sheet = await openFigure(page, dock)
    const svg = await svgOf(page, sheet)
    expect((await read(page, svg)).ground).toBe('#ffffff')
    // Most weights of a map are small: its cells are nearly white on paper, and nearly black on the page.
    const mean = await page.evaluate(async (svg) => {
      const image = new Image()
      image.src = /<image[^>]*href="([^"]*)"/.exec(svg)?.[1] ?? ''
      await image.decode()
      const context = new OffscreenCanvas(64, 64).getContext('2d')
      context?.drawImage(image, 0, 0, 64, 64)
      const bytes = context?.getImageData(0, 0, 64, 64).data ?? []
      return [...bytes].reduce((sum, byte) => sum + byte, 0) / bytes.length
    }, svg)
    expect(mean).toBeGreaterThan(150)
    await page.keyboard.press('Escape')
  })
})

test('@cpu the Figure of all heads is painted for the open sheet alone', async ({ explorer, page }) => {
  const painted = () =>
    page.evaluate(
      () => window.toWorker.filter((message) => message.type === 'request' && message.kind === 'gridPixels').length,
    )
  await explorer.open()
  await openFigure(page, page.locator('.head-grid'))
  expect(await painted()).toBe(1)
  await page.keyboard.press('Escape')
  await explorer.type('the cat')
  await expect(page.getByTestId('tokens')).toContainText('cat')
  await explorer.settled()
  expect(await painted()).toBe(1)
})

test.describe('@cpu Figure of every head', () => {
  test.use({ model: 'bundled' })

  test('is not there for a long text, and says why', async ({ explorer, page }) => {
    await explorer.open({ text: 'the cat sat . '.repeat(150), beyond: '1' })
    const button = page.getByRole('complementary').getByRole('button', { name: /^Figure/ })
    await expect(button).toBeDisabled()
    await expect(button).toHaveAttribute('title', 'Computed for texts up to 512 tokens.')
  })
})
