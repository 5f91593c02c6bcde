// A walk from a probability to a row of the embeddings, by keyboard alone, and its files.
import { readFile } from 'node:fs/promises'
import { expect, test } from './explorer'

const text = 'the cat [MASK] on the mat .'

test('a probability leads to a row of the embeddings by keyboard alone', async ({ explorer, page, backend }) => {
  await explorer.open({ text, open: 'predictions' })
  const run = await explorer.result()
  expect(run.report.backend).toBe(backend)
  const view = page.getByTestId('view-explain')
  /** Tab until the focus is at an element of this kind. */
  const tabTo = async (selector: string) => {
    for (let presses = 0; presses < 400; presses++) {
      if (await page.evaluate((selector) => document.activeElement?.matches(selector), selector)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not lead to ${selector}`)
  }
  await tabTo('[data-view=predictions] button.word[title^="Where probabilities"]')
  await page.keyboard.press('Enter')
  await expect(view.getByTestId('explain-formula')).toContainText('exp(logit)')
  const before: string[] = []
  for (;;) {
    await explorer.settled()
    const current = await view.getByRole('group', { name: 'The way here' }).locator('[aria-pressed=true]').innerText()
    before.push(current)
    expect(before.length, before.join(' → ')).toBeLessThan(60)
    if ((await view.locator('td button').count()) === 0) break
    await tabTo('[data-view=explain] td button')
    await page.keyboard.press('Enter')
    await expect(view.getByRole('group', { name: 'The way here' }).locator('[aria-pressed=true]')).not.toHaveText(
      current,
    )
  }
  expect(before[0]).toMatch(/^probabilities\[/)
  expect(before.at(-1)).toMatch(/^embeddings/)
  await expect(view).toContainText('embeddings.weight[')
  await expect(view).toContainText('_ids[')
  // The way back is one of the buttons above, and the link has the path.
  await expect.poll(() => decodeURIComponent(page.url())).toContain(before.slice(-2).join(';'))
  await page.reload()
  await explorer.result()
  await expect(view.getByRole('group', { name: 'The way here' }).locator('[aria-pressed=true]')).toHaveText(
    before.at(-1)!,
  )
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    view.getByRole('button', { name: 'Save as Markdown' }).click(),
  ])
  const written = await readFile(await download.path(), 'utf8')
  expect(written).toContain(`## \`${before.at(-1)}\``)
})

test('@cpu a number can be another one, and the other views show what follows', async ({ explorer, page }) => {
  await explorer.open({ text, open: 'explain,predictions', 'explain.at': 'attentions.1[0,3,2]' })
  const view = page.getByTestId('view-explain')
  const current = view.getByRole('group', { name: 'The way here' }).locator('[aria-pressed=true]')
  const headline = page.getByTestId('headline').getByRole('heading')
  await test.step('where no number can be put, a button leads to one that can be changed', async () => {
    await expect(view.getByRole('spinbutton', { name: 'What if it were' })).toHaveCount(0)
    await view.getByRole('group', { name: 'No number can be put here' }).getByRole('button').click()
    await expect(current).toHaveText(/^layer\.1\.query\[0,3,\d+\]$/)
  })
  await explorer.follow({ text, open: 'explain,predictions', 'explain.at': 'layer.1.residual[3,5]' })
  const field = view.getByRole('spinbutton', { name: 'What if it were' })
  await expect(headline).toContainText('component 5')
  const before = await headline.innerText()
  const typed = await field.inputValue()
  expect(Number(typed)).toBeCloseTo(Number(before.split(' = ')[1]!.replace('−', '-')), 4)
  const guesses = await page.getByTestId('fills').innerText()
  await test.step('a number that is typed is the run’s', async () => {
    await field.fill('12.5')
    await field.press('Enter')
    await expect(headline).toHaveText(/ = 12\.5$/)
    await expect(page.getByTestId('changed')).toContainText('layer.1.residual[3,5] = 12.5')
    await expect(view.getByTestId('explain-formula')).toHaveText('= your number')
    await expect(view.getByTestId('explain-follows')).toContainText(
      'With layer.1.residual[3,5] = 12.5 the best guess for',
    )
    await expect(page.getByTestId('fills')).not.toHaveText(guesses)
    await expect.poll(() => decodeURIComponent(page.url())).toContain('numbers=layer.1.residual[3,5]=12.5')
  })
  await test.step('no number changes nothing', async () => {
    await field.fill('')
    await field.press('Enter')
    await expect(field).toHaveValue('12.5')
    await expect(headline).toHaveText(/ = 12\.5$/)
  })
  await test.step('it leads to Compare, and is put back', async () => {
    await view.getByRole('button', { name: 'Compare' }).click()
    await expect(page.getByTestId('view-compare')).toBeVisible()
    await page.goBack()
    await view.getByRole('button', { name: 'Put it back' }).click()
    await expect(headline).toHaveText(before)
    await expect(page.getByTestId('changed')).toHaveCount(0)
  })
  await test.step('its figure has the number and its operands', async () => {
    await view.getByRole('button', { name: 'Figure' }).click()
    await expect(page.getByTestId('figure-preview')).toBeVisible()
  })
})

test('@cpu an address that the model lacks gets a sentence, and the page goes on', async ({ explorer, page }) => {
  await explorer.open({ text, open: 'explain', 'explain.at': 'attentions.7[0,1,2]' })
  const view = page.getByTestId('view-explain')
  await expect(view).toContainText('There is no attentions.7: the model has 2 layers.')
  await explorer.follow({ text, open: 'explain', 'explain.at': '<b>nothing</b>' })
  await expect(view).toContainText('“<b>nothing</b>” is not a site')
  await explorer.follow({ text, open: 'explain' })
  await expect(view.getByTestId('explain-formula')).toContainText('exp(logit) / (Σ exp(logit))')
})

test('@cpu numbers of a sentence, of a list and of a table lead to their explanations', async ({ explorer, page }) => {
  await explorer.open({ text, open: 'predictions,map' })
  const view = page.getByTestId('view-explain')
  const path = view.getByRole('group', { name: 'The way here' })
  const current = path.locator('[aria-pressed=true]')
  const back = async () => {
    await page.goBack()
    await explorer.settled()
  }
  await test.step('in the headline', async () => {
    const number = page.getByTestId('headline').locator('.site-number').first()
    const site = (await number.getAttribute('data-site')) ?? ''
    expect(site).toMatch(/^probabilities\[/)
    await expect(number).toHaveAttribute('title', `Where ${site} comes from`)
    const written = Number.parseFloat(await number.innerText())
    await number.focus()
    await page.keyboard.press('Enter')
    await expect(current).toHaveText(site)
    // The panel has the same number, with more digits.
    const explained = async () => {
      const headline = await page.getByTestId('headline').getByRole('heading').innerText()
      return Math.abs(100 * Number(/= ([\d.]+)$/.exec(headline)?.[1]) - written)
    }
    await expect.poll(explained).toBeLessThan(0.051)
    await back()
  })
  await test.step('in the list of predictions, beside the button that inserts the token', async () => {
    const row = page.getByTestId('fills').getByRole('listitem').first()
    await row.getByRole('button', { name: 'insert it' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(current).toHaveText(/^probabilities\[/)
    await expect(page.getByRole('textbox', { name: 'Text' })).toHaveValue(text)
    await back()
  })
  await test.step('in a table', async () => {
    await page.getByTestId('more-map').click()
    const menu = page.getByTestId('view-map')
    await menu.locator('summary').first().click()
    const numbers = menu.locator('td .site-number')
    expect(await numbers.count()).toBeGreaterThan(20)
    await expect(menu.locator('td .site-number[tabindex="0"]')).toHaveCount(1)
    await numbers.first().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    const site = await page.evaluate(() => (document.activeElement as HTMLElement).dataset['site'])
    expect(site).toMatch(/\[\d+,1,1\]$/)
    await page.keyboard.press('Enter')
    await expect(current).toHaveText(site!)
    await back()
  })
  await test.step('in the map, by a double click and by the key e', async () => {
    const map = page.getByTestId('attention-map-frame')
    const readout = page.getByTestId('attention-map-readout').locator('.site-number')
    await map.focus()
    await page.keyboard.press('End')
    const site = (await readout.getAttribute('data-site')) ?? ''
    await page.keyboard.press('e')
    await expect(current).toHaveText(site)
    await back()
    const box = (await map.boundingBox())!
    await map.dblclick({ position: { x: box.width * 0.3, y: box.height * 0.3 } })
    await expect(current).toHaveText(/^attentions\./)
    await back()
  })
  await test.step('of Read, in the explorer', async () => {
    await page.goto(
      `./#/read/6?${new URLSearchParams({ text, vectors: 'head', 'near.curve': 'score', backend: 'cpu', v: '2' })}`,
    )
    await page
      .getByTestId('view-near')
      .getByRole('button', { name: /^Explain/ })
      .click()
    await expect(current).toHaveText(/^layer\.\d+\.score\.unscaled\[/)
  })
  await test.step('and of a run with ablated heads they are plain', async () => {
    await explorer.follow({ text, open: 'predictions,map', off: '0.0' })
    await expect(page.getByTestId('fills')).toContainText('%')
    await expect(page.locator('.site-number')).toHaveCount(0)
  })
})
