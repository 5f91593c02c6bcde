// The page's keys: brackets for heads, the list of keys, and keys that stay the browser's.
import { faults } from './axe'
import { expect, test } from './explorer'

const text = 'the cat sat on the mat .'
const long = Array.from({ length: 60 }, () => text).join(' ')
test('@cpu keys', async ({ explorer, page }) => {
  await explorer.step(
    'brackets walk heads and layers from anywhere, and say what is there',
    { text, layer: '0', head: '0', query: '3', key: '2' },
    async () => {
      const runs = await explorer.requestCount('run')
      const announcement = page.getByTestId('announcement')
      await page.keyboard.press(']')
      await explorer.shown({ head: '1' })
      await expect(announcement).toHaveText(/^layer 0 head 1, query '\S+' 3, key '\S+' 2: [\d.]+, \S+ of \d+ keys$/)
      await page.keyboard.press('}')
      await explorer.shown({ layer: '1', head: '1' })
      await expect(announcement).toHaveText(/^layer 1 head 1/)
      await page.keyboard.press('[')
      await page.keyboard.press('{')
      await expect(announcement).toHaveText(/^layer 0 head 0/)
      expect(await explorer.requestCount('run')).toBe(runs)
    },
  )

  await explorer.step(
    'a control that has the focus shows what a mouse reads there',
    { text, open: 'map' },
    async () => {
      const station = page.locator('[data-testid=tabs] [tabindex="0"]')
      await expect(station).toHaveAttribute('aria-pressed', 'true')
      const hint = page.getByTestId('hint')
      await page.getByRole('combobox', { name: 'Statistic that marks' }).focus()
      while (!(await station.evaluate((button) => button === document.activeElement))) await page.keyboard.press('Tab')
      await expect(hint).toHaveText((await station.getAttribute('title')) ?? '')
      await expect(hint).toBeInViewport({ ratio: 1 })
      await page.keyboard.press('Escape')
      await expect(hint).toHaveCount(0)
    },
  )

  await explorer.step(
    '? lists the keys of what is open; Escape gives the focus back',
    { text, open: 'map,score' },
    async () => {
      const map = page.getByTestId('attention-map-frame')
      const list = page.getByTestId('keys')
      await map.focus()
      await page.keyboard.press('?')
      await expect(list).toBeVisible()
      for (const title of ['Everywhere', 'Attention map']) await expect(list.getByText(title)).toBeVisible()
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await faults(page, 5, '[data-testid=keys]')).toEqual([])
      }
      const url = page.url()
      await page.keyboard.press(']')
      await page.keyboard.press('Escape')
      await expect(list).toBeHidden()
      await expect(map).toBeFocused()
      expect(page.url(), 'keys behind the list').toBe(url)
    },
  )

  await explorer.step(
    'of single characters are switched off in the list, which the bar opens, too',
    { text, layer: '0', head: '0' },
    async () => {
      const list = page.getByTestId('keys')
      await page.keyboard.press('?')
      const characters = list.getByRole('checkbox', { name: /^Single-character shortcuts/ })
      await characters.uncheck()
      expect(await faults(page, 5, '[data-testid=keys]')).toEqual([])
      await page.keyboard.press('Escape')
      await page.keyboard.press(']')
      await page.keyboard.press('?')
      await expect(list).toBeHidden()
      await explorer.shown({ head: '0' })

      // Keys stay off until they are switched on again.
      await page.reload()
      await explorer.result()
      await page.keyboard.press(']')
      await page.getByRole('button', { name: 'List of keys' }).click()
      await expect(characters).not.toBeChecked()
      await explorer.shown({ head: '0' })
      await characters.check()
      await list.getByRole('button', { name: 'Close' }).click()
      // The dialog is hidden before its close event, which ends the list.
      await expect(list).toHaveCount(0)
      await page.keyboard.press(']')
      await explorer.shown({ head: '1' })
    },
  )

  await explorer.step(
    'b takes the head on show as the one to compare with, and says so',
    { text, layer: '0', head: '1', open: 'compare' },
    async () => {
      await page.getByRole('button', { name: 'List of keys', exact: true }).click()
      await expect(page.getByTestId('keys')).toContainText('compares with this head')
      await page.keyboard.press('Escape')
      await expect(page.getByTestId('keys')).toHaveCount(0)
      await page.keyboard.press('b')
      await explorer.shown({ 'b.head': '0.1' })
      await expect(page.getByTestId('announcement')).toHaveText('Comparing with layer 0 head 1.')
      await page.keyboard.press('}')
      await explorer.shown({ layer: '1', head: '1', 'b.head': '0.1' })
    },
  )

  await explorer.step('are written where text is written', { text, layer: '0', head: '0' }, async () => {
    await explorer.textBox.focus()
    await page.keyboard.press('End')
    await page.keyboard.type(' ?]')
    await expect(explorer.textBox).toHaveValue(`${text} ?]`)
    await expect(page.getByTestId('keys')).toBeHidden()
    await explorer.shown({ head: '0' })
  })

  await explorer.step(
    'with Alt, Control or Meta are the browser’s; with AltGr they are typed',
    { text, layer: '0', head: '0' },
    async () => {
      const isTaken = (key: string, modifiers: Record<string, string | boolean>) =>
        page.getByTestId('attention-map-frame').evaluate(
          (frame, [key, modifiers]) => {
            const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...modifiers })
            frame.dispatchEvent(event)
            return event.defaultPrevented
          },
          [key, modifiers] as const,
        )
      for (const modifiers of [{ altKey: true }, { ctrlKey: true }, { metaKey: true }])
        for (const key of ['ArrowLeft', 'Home', '[', '?'])
          expect(await isTaken(key, { ...modifiers, code: 'BracketLeft' })).toBe(false)
      expect(await isTaken('ArrowRight', {})).toBe(true)
      expect(await isTaken(']', { altKey: true, ctrlKey: true, modifierAltGraph: true, code: 'Digit9' })).toBe(true)
      await explorer.shown({ head: '1' })
    },
  )

  await explorer.step(
    'Ctrl or the focus give the wheel to the map of a long text; else the page scrolls',
    { text: long, open: 'map' },
    async () => {
      await page.setViewportSize({ width: 1280, height: 500 })
      await explorer.settled()
      const map = page.getByTestId('attention-map-frame')
      const across = async () => Number(await map.getAttribute('data-across'))
      const scrolled = () => page.evaluate(() => document.scrollingElement?.scrollTop ?? 0)
      /** The left end of the map's enlarged part. */
      const point = async () => {
        const { width, height } = (await map.boundingBox()) ?? { width: 0, height: 0 }
        await map.hover({ position: { x: 0.3 * width, y: 0.9 * height } })
      }
      await point()
      const [before, top] = [await across(), await scrolled()]
      await page.mouse.wheel(0, -100)
      await expect.poll(scrolled).toBeLessThan(top)
      expect(await across()).toBe(before)
      await point()
      await page.keyboard.down('Control')
      await page.mouse.wheel(0, -200)
      await page.keyboard.up('Control')
      await expect.poll(across).toBeLessThan(before)
      const smaller = await across()
      await map.focus()
      await page.mouse.wheel(0, 200)
      await expect.poll(across).toBeGreaterThan(smaller)
    },
  )
})
