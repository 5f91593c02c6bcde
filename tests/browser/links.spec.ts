import { expect, test } from './explorer'

test('@cpu links', async ({ explorer, page }) => {
  await explorer.step(
    'a link restores text, head, tokens and backend',
    { text: 'the [MASK] sat on one rose .', layer: '1', head: '2', query: '4', key: '3' },
    async () => {
      await expect(explorer.textBox).toHaveValue('the [MASK] sat on one rose .')
      await expect(page.getByRole('heading', { name: /L1·H2/ })).toBeVisible()
      await expect(page.getByTestId('attention-map-readout')).toContainText('on 4 → sat 3')
      await page.getByTestId('engine-menu').click()
      await expect(page.getByTestId('backend')).toHaveAttribute('data-reason', 'choice')
    },
  )

  await explorer.step('what is chosen goes into the fragment, never into the query', {}, async () => {
    await explorer.type('the cat & dog = 100 % [MASK] ?')
    await explorer.shown({ text: 'the cat & dog = 100 % [MASK] ?' })
    expect(new URL(page.url()).search).toBe('')
    await page.reload()
    await expect(explorer.textBox).toHaveValue('the cat & dog = 100 % [MASK] ?')
    // A link that comes while the model loads begins the load anew.
    await explorer.result()
    await explorer.settled()
  })

  await explorer.step('pages are steps of the history', { text: 'the [MASK] sat .' }, async () => {
    await page.getByRole('link', { name: 'Read' }).click()
    await expect(page.getByRole('heading', { name: '1 Who stands where?' })).toBeVisible()
    await page.getByRole('link', { name: 'About' }).click()
    // The page comes with its source code.
    const archive = await page.getByRole('link', { name: 'ropescope-source.tar.gz' }).getAttribute('href')
    const source = await (await page.request.get(new URL(archive ?? '', page.url()).href)).body()
    expect([...source.subarray(0, 2)], 'gzip').toEqual([0x1f, 0x8b])
    await page.goBack()
    await expect(page.getByRole('heading', { name: '1 Who stands where?' })).toBeVisible()
    await page.goBack()
    await expect(explorer.textBox).toHaveValue('the [MASK] sat .')
  })

  await explorer.step(
    'a fragment that makes no sense is no error',
    { layer: '99999999999', head: '-3', query: 'NaN', key: '1e9', pair: '-1', room: 'cellar' },
    async () => {
      await expect(page.getByRole('heading', { name: /L1·H/ })).toBeVisible()
      await expect(page.getByRole('alert')).toBeEmpty()
    },
  )
})

test.describe('@cpu a model opens on its own example', () => {
  test.use({ model: 'bundled' })

  test('where the link names no text', async ({ explorer, page }) => {
    await explorer.open({ model: 'roformer-english-causal', layer: '1' })
    await expect(explorer.textBox).toHaveValue(/^The old man opened the door/)
    await explorer.shown({ layer: '1', head: '7', query: '9', key: '8' })
    expect(await explorer.requestCount('run')).toBe(1)
    expect(await page.evaluate(() => history.length)).toBe(2)
  })

  test('where the former one’s stands untouched, and leaves a text that was typed', async ({ explorer, page }) => {
    const load = async (name: string) => {
      const choice = page.getByRole('listitem').getByText(name, { exact: true })
      if (!(await choice.isVisible())) await page.getByTestId('model-menu').click()
      await choice.click()
      await explorer.message('loaded', ({ model }) => model.name === name)
    }
    await explorer.open()
    await expect(explorer.textBox).toHaveValue(/\[MASK\]/)
    await load('marian-numbers')
    await expect(explorer.textBox).toHaveValue('>>hu<<1984')
    await expect(page.getByTestId('target')).toHaveValue('ezerkilencszáznyolcvannégy')
    await load('roformer-english-causal')
    await expect(explorer.textBox).toHaveValue(/^The old man opened the door/)
    await explorer.type('The cat')
    await load('roformer-english')
    await expect(explorer.textBox).toHaveValue('The cat')
  })
})

test.describe('@cpu a link to another model', () => {
  test.use({ model: 'bundled' })

  test('runs its text on that model alone', async ({ explorer, page }) => {
    await explorer.open({ model: 'roformer-english', text: 'the cat sat' })
    await explorer.follow({ model: 'roformer-english-causal', text: 'the old man opened the door' })
    await expect(page.getByTestId('model-menu')).toContainText('roformer-english-causal')
    await explorer.settled()
    const messages = await page.evaluate(() =>
      window.toWorker.flatMap((message) =>
        message.type === 'load' ? ['load'] : message.type === 'request' && message.kind === 'run' ? ['run'] : [],
      ),
    )
    expect(messages.join(' ')).toMatch(/^(load )+run load run$/)
  })
})
