import { expect, test } from './explorer'

test('@cpu everything follows while one types', async ({ explorer, page }) => {
  await explorer.open({ text: 'the cat' })
  await explorer.textBox.press('End')
  await explorer.textBox.pressSequentially(' sat on [MASK] .', { delay: 20 })
  // Intermediate texts have eight tokens too.
  const { rows } = await explorer.answered('run', ({ length, rows }) => length === 8 && rows.length > 0)
  expect(Array.from(rows)).toEqual([5])
  await expect(page.getByTestId('tokens').getByRole('button')).toContainText(
    '[CLS] the cat sat on [MASK] . [SEP]'.split(' '),
  )
  await expect(page.getByTestId('guess')).toContainText('%')
  await explorer.shown({ text: 'the cat sat on [MASK] .' })
})

test('@cpu undoing and doing again leave the caret where the text changes', async ({ explorer }) => {
  await explorer.open({ text: 'the cat sat on the mat' })
  const box = explorer.textBox
  const caret = () => box.evaluate((area: HTMLTextAreaElement) => [area.selectionStart, area.selectionEnd])
  await box.focus()
  await box.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(4, 4))
  await box.pressSequentially('old')
  expect(await caret()).toEqual([7, 7])
  await box.press('Control+z')
  await expect(box).toHaveValue('the cat sat on the mat')
  expect(await caret()).toEqual([4, 4])
  await box.press('Control+Shift+z')
  await expect(box).toHaveValue('the oldcat sat on the mat')
  expect(await caret()).toEqual([7, 7])
})

test('@webgpu of many texts in quick succession the last is shown, and of a long one what the model can read', async ({
  explorer,
  page,
}) => {
  await explorer.open({ text: 'the' })
  for (let words = 2; words <= 12; words++) await explorer.type('the cat '.repeat(words).trim())
  await explorer.result(26)
  // No older result arrives later.
  await explorer.settled()
  expect((await explorer.result()).length).toBe(26)
  await expect(page.getByRole('columnheader').first()).toBeAttached()
  // A pasted text that is longer than the model.
  const long = 'the cat sat on the mat . '.repeat(100)
  await explorer.type(long)
  await explorer.result(512)
  await expect(page.getByTestId('notes')).toContainText('the model’s 512 tokens')
  await expect(explorer.textBox).toHaveValue(long)
})

test('@cpu right-to-left text runs from right to left', async ({ explorer, page }) => {
  await explorer.open({ text: 'שלום עולם' })
  await expect(page.getByTestId('tokens')).toHaveAttribute('dir', 'rtl')
  await expect(explorer.textBox).toHaveCSS('direction', 'rtl')
  await expect(page.getByRole('alert')).toBeEmpty()
})

test('@cpu while an input method composes its text is run, and nothing is written over', async ({ explorer, page }) => {
  await explorer.open({ text: 'the cat' })
  await explorer.textBox.focus()
  await page.keyboard.press('End')
  const keyboard = await page.context().newCDPSession(page)
  await explorer.resultAfter(async () => {
    for (const text of ['s', 'し', 'しろ']) {
      await keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
    }
  })
  await expect(explorer.textBox).toHaveValue('the catしろ')
  await explorer.resultAfter(() => keyboard.send('Input.insertText', { text: '白' }))
  await expect(explorer.textBox).toHaveValue('the cat白')
})
