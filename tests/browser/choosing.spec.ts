import type { Page } from '@playwright/test'
import { expect, test } from './explorer'

const text = 'the [MASK] sat on the mat .'

const frameOf = (page: Page) => page.getByTestId('attention-map-frame')

/** The centre of a map's cell, from the frame's corner. */
const cell = (page: Page, length: number, query: number, key: number) =>
  frameOf(page).evaluate(
    (frame, [length, query, key]) => {
      const map = frame.querySelector('canvas')?.getBoundingClientRect()
      if (!map) throw new Error('the map is not on screen')
      const { left, top } = frame.getBoundingClientRect()
      const pitch = map.width / length
      return { x: map.left - left + (key + 0.5) * pitch, y: map.top - top + (query + 0.5) * pitch }
    },
    [length, query, key] as const,
  )

/** The picture of a score that is the model's own. */
const scoreOf = (page: Page) => page.getByRole('group', { name: /score .*, as in the model/ })

test('@cpu choosing', async ({ explorer, page }) => {
  await explorer.step('a head by a click on its thumbnail', { text }, async () => {
    await page.getByRole('gridcell', { name: 'layer 1, head 2' }).click()
    await expect(page.getByRole('heading', { name: /L1·H2/ })).toBeVisible()
    await expect(page.getByRole('gridcell', { name: 'layer 1, head 2' })).toHaveAttribute('aria-selected', 'true')
    await explorer.shown({ layer: '1', head: '2' })
  })

  await explorer.step('a key that is dragged along the tokens, and no click at its end', { text }, async () => {
    const token = (position: number) => page.getByTestId('tokens').locator(`[data-position="${position}"]`)
    const keyToken = page.getByTestId('tokens').locator('button.key')
    const [from, query] = await Promise.all(
      [keyToken, page.getByTestId('tokens').locator('button.query')].map((one) => one.getAttribute('data-position')),
    )
    await keyToken.hover()
    await page.mouse.down()
    await token(6).hover()
    await explorer.shown({ key: '6' })
    await token(5).hover()
    await page.mouse.up()
    await token(2).hover()
    await explorer.shown({ key: '5' })
    // Dragged there and back: the key is unchanged, and so is the query.
    await token(5).hover()
    await page.mouse.down()
    await token(1).hover()
    await explorer.shown({ key: '1' })
    await token(5).hover()
    await page.mouse.up()
    await explorer.shown({ key: '5' })
    await expect(token(Number(query))).toHaveClass(/query/)
    expect(from, 'the key before').not.toBe('5')
  })

  await explorer.step('a head by the arrow keys', { text }, async () => {
    await page.getByRole('gridcell', { name: 'layer 0, head 0' }).click()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('heading', { name: /L1·H1/ })).toBeVisible()
    await explorer.shown({ layer: '1', head: '1' })
  })

  await explorer.step('the value under the pointer is the model’s, in the same frame', { text }, async () => {
    const { attention, length } = await explorer.result()
    const places = [
      [1, 4],
      [4, 1],
      [length - 1, 0],
    ] as const
    for (const [query, key] of places) {
      const readout = await frameOf(page).evaluate(
        (frame, { x, y }) =>
          new Promise<string>((resolve) => {
            const { left, top } = frame.getBoundingClientRect()
            const at = { clientX: left + x, clientY: top + y }
            frame.dispatchEvent(new PointerEvent('pointermove', { ...at, bubbles: true }))
            requestAnimationFrame(() =>
              resolve(document.querySelector('[data-testid=attention-map-readout] strong')?.textContent ?? ''),
            )
          }),
        await cell(page, length, query, key),
      )
      const weight = attention[query * length + key] ?? NaN
      expect(Math.abs(Number.parseFloat(readout.replace('<', '')) - weight)).toBeLessThanOrEqual(0.01)
    }
  })

  await explorer.step('a pointer over the map sends "explain" and no other request', { text }, async () => {
    const { length } = await explorer.result()
    await expect(scoreOf(page)).toBeVisible()
    await explorer.answered('statistics')
    const messages = () =>
      page.evaluate(() => window.toWorker.flatMap((message) => (message.type === 'request' ? [message.kind] : [])))
    const before = (await messages()).length
    for (let token = 0; token < length; token++) {
      await frameOf(page).hover({ position: await cell(page, length, token, length - 1 - token) })
      await expect(page.getByTestId('attention-map-readout')).toContainText(` ${length - 1 - token}`)
    }
    expect(new Set((await messages()).slice(before))).toEqual(new Set(['explain']))
  })

  await explorer.step(
    'a cell below the pointer is explained beside the map, paler, and not selected',
    { text },
    async () => {
      const { length } = await explorer.result()
      await frameOf(page).click({ position: await cell(page, length, 5, 2) })
      const scoreFor = (query: number, key: number) =>
        page.getByRole('group', { name: new RegExp(`^\\S+ ${query} and \\S+ ${key}: score .*, as in the model`) })
      await page.mouse.move(1, 1)
      await expect(scoreFor(5, 2)).toHaveAttribute('aria-busy', 'false')
      await frameOf(page).hover({ position: await cell(page, length, 4, 1) })
      await expect(scoreFor(4, 1)).toHaveAttribute('aria-busy', 'true')
      await explorer.shown({ query: '5', key: '2' })
      await page.mouse.move(1, 1)
      await expect(scoreFor(5, 2)).toHaveAttribute('aria-busy', 'false')
    },
  )

  await explorer.step('query and key by a click on the map; every view follows', { text }, async () => {
    const { length } = await explorer.result()
    await frameOf(page).click({ position: await cell(page, length, 5, 2) })
    await explorer.shown({ query: '5', key: '2' })
    await expect(page.getByTestId('tokens').getByRole('button', { name: /position 2, key/ })).toBeVisible()
    await expect(scoreOf(page)).toBeVisible()
  })

  await explorer.step('the score’s parts explain differences of weights', { text }, async () => {
    const { length, attention } = await explorer.result()
    const scores: number[] = []
    for (const key of [1, 2]) {
      await frameOf(page).click({ position: await cell(page, length, 4, key) })
      const score = page.getByRole('group', { name: new RegExp(`^\\S+ 4 and \\S+ ${key}: score .*, as in the model`) })
      await expect(score).toBeVisible()
      const [, number = ''] = /score (\S+),/.exec((await score.getAttribute('aria-label')) ?? '') ?? []
      scores.push(Number(number.replace('−', '-')))
    }
    const [first = NaN, second = NaN] = scores
    const row = attention.slice(4 * length, 5 * length)
    // Both are written with two digits.
    expect(Math.abs(first - second - Math.log((row[1] ?? NaN) / (row[2] ?? NaN)))).toBeLessThan(0.011)
  })

  await explorer.step('the keyboard moves the cursor of the map and reads out the value', { text }, async () => {
    await page.getByTestId('attention-map-frame').focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await explorer.shown({ key: '1' })
    await expect(page.getByTestId('attention-map-live')).toContainText(/key .* 1: /)
  })

  await explorer.step('the keyboard reaches every control, and focus is always seen', { text }, async () => {
    await page.locator('body').click({ position: { x: 1, y: 1 } })
    const names = new Set<string>()
    for (let press = 0; press < 80; press++) {
      await page.keyboard.press('Tab')
      const focus = await page.evaluate(() => {
        const element = document.activeElement
        if (!(element instanceof HTMLElement) || element === document.body) return null
        const look = () => {
          const { outline, borderBottom, boxShadow, background, transform } = getComputedStyle(element)
          return [outline, borderBottom, boxShadow, background, transform].join()
        }
        const focused = look()
        element.blur()
        const visible = look() !== focused
        element.focus()
        const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? ''
        return { is: `${element.tagName} ${element.getAttribute('role') ?? ''} ${name}`, visible }
      })
      if (!focus) break
      expect(focus.visible, `focus on ${focus.is}`).toBe(true)
      names.add(focus.is)
    }
    const all = [...names].join('\n')
    for (const control of ['TEXTAREA', 'gridcell layer', 'application Attention', 'BUTTON  more'])
      expect(all).toContain(control)
  })

  await explorer.step('a choice never runs the model: only the text and its masks do', { text }, async () => {
    // No step before has read this head.
    const runs = await explorer.requestCount('run')
    await page.getByRole('gridcell', { name: 'layer 0, head 2' }).click()
    await explorer.answered('head', ({ layer, head }) => layer === 0 && head === 2)
    await page.getByTestId('attention-map-frame').focus()
    for (const key of ['Home', 'ArrowRight', 'ArrowDown', 'End']) await page.keyboard.press(key)
    for (const id of ['score', 'map']) await page.getByTestId('tabs').locator(`[data-view=${id}]`).click()
    await page.getByTestId('panes').selectOption('1')
    await page.getByRole('button', { name: 'Wider grid' }).click()
    await page.getByTestId('theme').selectOption('dark')
    await page.getByRole('link', { name: 'Read' }).click()
    await page.getByRole('link', { name: /^5 Many speeds/ }).click()
    await page.getByTestId('ruler-headSize').selectOption('8')
    await page.getByRole('link', { name: 'About' }).click()
    await page.goBack()
    await page.getByRole('link', { name: 'Explorer' }).first().click()
    await explorer.shown({ layer: '0', head: '2', headSize: '8' })
    expect(await explorer.requestCount('run')).toBe(runs)
    await page.getByTestId('tokens').getByRole('button').nth(3).click()
    expect(await explorer.requestCount('run')).toBe(runs)
    await page.getByTestId('tokens').getByRole('button').nth(3).focus()
    await explorer.resultAfter(() => page.keyboard.press('m'))
    expect(await explorer.requestCount('run')).toBe(runs + 1)
  })
})
