// The lesson: from the first screen through nine steps, its answers, its movement, and the way into the Explorer and back.
import { expect, test } from './explorer'

const text = 'the cat [MASK] on the mat .'

test('nine steps lead from the text to the guess, by keyboard alone', async ({ explorer, page, backend }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await explorer.open({ text, layer: '1', head: '0', query: '2', key: '1' })
  expect((await explorer.result()).report.backend).toBe(backend)
  const runs = await explorer.requestCount('run')
  const view = page.getByTestId('view-lesson')
  await page.getByTestId('to-lesson').focus()
  await page.keyboard.press('Enter')
  const steps = view
    .getByRole('radio')
    .or(view.getByRole('button', { pressed: true }))
    .first()
  await expect(steps).toBeVisible()
  const titles: string[] = []
  for (let step = 1; step <= 9; step++) {
    await explorer.settled()
    const title = page.getByTestId('headline')
    await expect(title).not.toHaveText(titles.at(-1) ?? '')
    titles.push((await title.textContent()) ?? '')
    await expect(view.getByTestId('lesson-text')).toHaveText(/\w{3}/)
    const question = (await view.getByTestId('lesson-question').textContent()) ?? ''
    expect(question).toMatch(/\?$/)
    // Its picture is of the present run, and no answer is given away.
    await expect(view.getByTestId('lesson-status')).toHaveText('')
    await view.getByRole('group', { name: question }).getByRole('button').first().focus()
    await page.keyboard.press('Enter')
    await expect(view.getByTestId('lesson-status')).toContainText(
      /^(Right|Not right)\..*You can move the picture by hand now\.$/,
    )
    await expect(view.getByRole('slider', { name: 'Move the picture' })).toBeVisible()
    if (step === 9) break
    await view.getByRole('button', { name: 'Next ›' }).focus()
    await page.keyboard.press('Enter')
  }
  expect(new Set(titles).size).toBe(9)
  // Steps ask about the run on screen, and make none of their own for the page.
  expect(await explorer.requestCount('run')).toBe(runs)
})

test('@cpu the picture moves once, can be moved by hand, and a link opens a step', async ({ explorer, page }) => {
  await explorer.open({ text })
  await page.goto(
    `./#/explorer?lesson=4&backend=cpu&${new URLSearchParams({ text, layer: '1', head: '0', query: '4', key: '1' })}`,
  )
  const view = page.getByTestId('view-lesson')
  await expect(page.getByTestId('headline')).toHaveText('Rotation tells positions')
  await expect(page.getByTestId('tabs').locator('[data-station=rotate]')).toHaveAttribute('aria-pressed', 'true')
  await view.getByRole('button', { name: 'It grows' }).click()
  const status = view.getByTestId('lesson-status')
  await expect(status).toHaveText('The picture moves…')
  await expect(status).toContainText('Not right. It stays')
  const slider = view.getByRole('slider', { name: 'Move the picture' })
  const scores = () => view.locator('svg text', { hasText: /^score/ }).textContent()
  const end = await scores()
  await slider.focus()
  await page.keyboard.press('ArrowLeft')
  // In its second half both tokens move on together: the score stays.
  expect(await scores()).toBe(end)
  await page.keyboard.press('Home')
  await expect(async () => expect(await scores()).not.toBe(end)).toPass()

  await view.getByRole('button', { name: 'More in the Explorer' }).click()
  await expect(page.getByTestId('view-rotate')).toBeVisible()
  await explorer.shown({ layer: '1', head: '0', query: '4', key: '1' })
  await expect(view).toBeVisible()
  await page.getByTestId('tabs').locator('[data-view=map]').first().click()
  await page.getByTestId('to-lesson').click()
  await expect(page.getByTestId('headline')).toHaveText('Rotation tells positions')
  await explorer.shown({ layer: '1', head: '0', query: '4', key: '1' })
})

test('@cpu the end of Read leads to the lesson', async ({ explorer, page }) => {
  await explorer.open({ text })
  await page.goto('./#/read/10?backend=cpu')
  await page.getByTestId('to-lesson').click()
  await expect(page.getByTestId('view-lesson')).toBeVisible()
  await expect(page.getByTestId('headline')).toHaveText('A text becomes tokens')
})
