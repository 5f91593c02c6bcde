// Touch: a resting finger hovers, a tap selects, two fingers zoom a map, or the page where the map cannot zoom further.
import type { CDPSession, Locator, Page } from '@playwright/test'
import { expect, test } from './explorer'

interface Point {
  x: number
  y: number
}

/** Touches at the level of the browser, as a phone's screen sends them. */
class Fingers {
  constructor(
    private readonly session: CDPSession,
    private readonly page: Page,
  ) {}

  static async on(page: Page): Promise<Fingers> {
    return new Fingers(await page.context().newCDPSession(page), page)
  }

  put(...points: Point[]): Promise<unknown> {
    return this.send('touchStart', points)
  }

  move(...points: Point[]): Promise<unknown> {
    return this.send('touchMove', points)
  }

  lift(): Promise<unknown> {
    return this.send('touchEnd', [])
  }

  /** Two fingers around a point, from one distance to another. */
  async pinch({ x, y }: Point, from: number, to: number): Promise<void> {
    const at = (apart: number) => [
      { x: x - apart / 2, y, id: 0 },
      { x: x + apart / 2, y, id: 1 },
    ]
    await this.put(...at(from))
    const steps = 12
    for (let step = 1; step <= steps; step++) await this.move(...at(from + ((to - from) * step) / steps))
    await this.lift()
  }

  /** The zoom of the page itself. */
  pageScale(): Promise<number> {
    return this.page.evaluate(() => window.visualViewport?.scale ?? NaN)
  }

  private send(type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]): Promise<unknown> {
    return this.session.send('Input.dispatchTouchEvent', { type, touchPoints })
  }
}

async function within(element: Locator, across: number, down: number): Promise<Point> {
  await element.scrollIntoViewIfNeeded()
  const box = await element.boundingBox()
  if (!box) throw new Error('it is not in sight')
  return { x: box.x + box.width * across, y: box.y + box.height * down }
}

const short = 'the cat sat on the mat , and the dog sat on [MASK] .'
const long = Array.from({ length: 12 }, () => 'the cat sat on the mat , and').join(' ')

test.describe('@cpu a finger', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('that rests on a map reads it and chooses nothing; one that taps chooses', async ({ explorer, page }) => {
    await explorer.open({ text: short, open: 'map', query: '3', key: '4' })
    const fingers = await Fingers.on(page)
    const frame = page.getByTestId('attention-map-frame')
    const readout = page.getByTestId('attention-map-readout')
    const lens = page.getByTestId('map-lens')
    const before = await readout.textContent()
    await fingers.put(await within(frame, 0.6, 0.4))
    await expect(lens).toBeVisible()
    await expect(readout).not.toHaveText(before ?? '')
    const first = await readout.textContent()
    await fingers.move(await within(frame, 0.8, 0.55))
    await expect(readout).not.toHaveText(first ?? '')
    await fingers.lift()
    await expect(lens).toBeHidden()
    await expect(readout).toHaveText(before ?? '')
    await explorer.shown({ query: '3', key: '4' })

    const tapped = await within(frame, 0.6, 0.4)
    await page.touchscreen.tap(tapped.x, tapped.y)
    await expect(readout).toHaveText(first ?? '')
    await expect(lens).toBeHidden()
  })

  test('reads of taps, and of no keys', async ({ explorer, page }) => {
    await explorer.open({ text: short, open: 'points' })
    const points = page.getByTestId('view-points')
    await expect(points).toContainText('Tap one to select it')
    await expect(page.getByTestId('token-mode')).toContainText('A tap sets')
    await page.getByTestId('more-points').click()
    await expect(points.getByRole('heading', { name: 'Formula and source' })).toBeVisible()
    await expect(points.getByRole('heading', { name: 'Keys' })).toHaveCount(0)
  })

  test('that rests on a control reads its hint and chooses nothing', async ({ explorer, page }) => {
    await explorer.open({ text: short, open: 'lines' })
    await expect(page.getByTestId('view-lines')).toContainText('hold a token')
    const fingers = await Fingers.on(page)
    const key = page.getByTestId('token-mode').getByText('key')
    const hint = page.getByTestId('hint')
    const title = await key.evaluate((label) => label.closest('[title]')?.getAttribute('title') ?? '')
    await fingers.put(await within(key, 0.5, 0.5))
    await expect(hint).toHaveText(title)
    await expect(hint).toBeInViewport({ ratio: 1 })
    await fingers.lift()
    await expect(hint).toBeVisible()
    await expect(page.getByRole('radio', { name: 'query' })).toBeChecked()
    const tapped = await within(key, 0.5, 0.5)
    await page.touchscreen.tap(tapped.x, tapped.y)
    await expect(hint).toHaveCount(0)
    await expect(page.getByRole('radio', { name: 'key' })).toBeChecked()
  })

  test('that rests on a head shows it, and the head stays that was chosen', async ({ explorer, page }) => {
    await explorer.open({ text: short, open: 'map', layer: '0', head: '0' })
    await page.getByRole('button', { name: 'Heads', exact: true }).click()
    const fingers = await Fingers.on(page)
    const cell = page.getByRole('gridcell').nth(1)
    const reads = await explorer.answers('head')
    await fingers.put(await within(cell, 0.5, 0.5))
    await expect.poll(() => explorer.answers('head')).toBeGreaterThan(reads)
    await fingers.lift()
    await expect(page.getByRole('gridcell', { selected: true })).toHaveAttribute('data-head', '0')
    // Its map is below the grid.
    await expect(page.getByTestId('view-map')).toBeVisible()
    await explorer.shown({ head: '0' })
  })

  test('that scrolls over the curve of a score moves no key; one that goes along it, or taps it, does', async ({
    explorer,
    page,
  }) => {
    await explorer.open({ text: short, open: 'score', query: '3', key: '2' })
    const fingers = await Fingers.on(page)
    const handle = page.getByRole('slider', { name: 'Move the key along the text' })
    const distance = () => handle.getAttribute('aria-valuenow')
    // The tap comes first: Chromium takes a tap soon after a swipe for the end of the swipe.
    const atFirst = await distance()
    const tapped = await within(handle, 0.2, 0.5)
    await page.touchscreen.tap(tapped.x, tapped.y)
    await expect(handle).not.toHaveAttribute('aria-valuenow', atFirst ?? '')

    const before = await distance()
    const from = await within(handle, 0.8, 0.5)
    await fingers.put(from)
    for (let step = 1; step <= 10; step++) await fingers.move({ x: from.x, y: from.y - 20 * step })
    await fingers.lift()
    expect(await distance()).toBe(before)

    const along = await within(handle, 0.4, 0.5)
    await fingers.put(along)
    for (let step = 1; step <= 10; step++) await fingers.move({ x: along.x + 10 * step, y: along.y })
    await fingers.lift()
    await expect(handle).not.toHaveAttribute('aria-valuenow', before ?? '')
  })

  test('and a second one zoom the map of a long text, and the page where the map goes no further', async ({
    explorer,
    page,
  }) => {
    await explorer.open({ text: long, open: 'map' })
    const fingers = await Fingers.on(page)
    const frame = page.getByTestId('attention-map-frame')
    const across = async () => Number(await frame.getAttribute('data-across'))
    const before = await across()
    expect(before).toBeGreaterThan(6)
    const middle = await within(frame, 0.6, 0.75)
    await fingers.pinch(middle, 60, 200)
    await expect.poll(across).toBeLessThan(before)
    expect(await fingers.pageScale()).toBe(1)
    for (let times = 0; (await across()) > 6 && times < 6; times++) await fingers.pinch(middle, 60, 200)
    expect(await across()).toBe(6)
    // The map is at its largest zoom.
    await fingers.pinch(middle, 60, 200)
    await expect.poll(() => fingers.pageScale()).toBeGreaterThan(1)
    expect(await across()).toBe(6)
    // The zoom can be reversed, on the map too.
    const enlarged = await fingers.pageScale()
    await fingers.pinch({ x: 200, y: 400 }, 200, 60)
    await expect.poll(() => fingers.pageScale()).toBeLessThan(enlarged)
  })

  test('and a second one zoom the page elsewhere', async ({ explorer, page }) => {
    await explorer.open({ text: short, open: 'map' })
    const fingers = await Fingers.on(page)
    await fingers.pinch(await within(page.getByTestId('headline'), 0.5, 0.5), 60, 200)
    await expect.poll(() => fingers.pageScale()).toBeGreaterThan(1)
  })
})
