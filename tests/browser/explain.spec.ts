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

test('@cpu an address that the model lacks gets a sentence, and the page goes on', async ({ explorer, page }) => {
  await explorer.open({ text, open: 'explain', 'explain.at': 'attentions.7[0,1,2]' })
  const view = page.getByTestId('view-explain')
  await expect(view).toContainText('There is no attentions.7: the model has 2 layers.')
  await explorer.follow({ text, open: 'explain', 'explain.at': '<b>nothing</b>' })
  await expect(view).toContainText('“<b>nothing</b>” is not a site')
  await explorer.follow({ text, open: 'explain' })
  await expect(view.getByTestId('explain-formula')).toContainText('exp(logit) / (Σ exp(logit))')
})
