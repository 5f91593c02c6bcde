import { expect, holdMessages, test } from './explorer'

const text = 'the [MASK] sat on the mat .'

test('@webgpu a device lost in mid-run comes back with the text', async ({ explorer, page }) => {
  await explorer.open({ text })
  const started = await explorer.count('started')
  const before = await explorer.result()
  await explorer.type(`a ${text}`)
  await explorer.post({ type: 'loseDevice' })
  await expect.poll(() => explorer.count('started'), { timeout: 60_000 }).toBeGreaterThan(started)
  const after = await explorer.result(before.length + 1)
  expect(after.topProbabilities.every(Number.isFinite)).toBe(true)
  await expect(explorer.textBox).toHaveValue(`a ${text}`)
  await page.getByTestId('engine-menu').click()
  await expect(page.getByTestId('backend')).toHaveAttribute('data-backend', 'gpu')
})

test('@cpu a crash of the engine is said, and the engine comes back with the text', async ({ explorer, page }) => {
  await explorer.open({ text })
  const before = await explorer.result()
  const after = await explorer.resultAfter(() => explorer.post({ type: 'panic' }))
  expect(await explorer.count('crashed')).toBe(1)
  await expect(page.getByTestId('trouble-engine')).toContainText('crashed and was started again')
  expect(Array.from(after.topIds)).toEqual(Array.from(before.topIds))
  await expect(explorer.textBox).toHaveValue(text)
})

test('@cpu an engine that gives no sign of life is reported, and the report goes when it answers', async ({
  explorer,
  page,
}) => {
  await page.clock.install()
  await explorer.open({ text })
  await explorer.settled()
  const release = await holdMessages(page)
  await explorer.type('the dog sat on the mat')
  await page.clock.runFor(39_000)
  const trouble = page.getByTestId('trouble-silent')
  await expect(trouble).toHaveCount(0)
  await page.clock.runFor(5_000)
  await expect(trouble).toContainText('No sign of life for more than 40 seconds')
  await expect(trouble.getByRole('button', { name: 'Restart engine' })).toBeVisible()
  await release()
  await expect(trouble).toHaveCount(0)
})

test('@cpu a button restarts the engine', async ({ explorer, page }) => {
  await explorer.open({ text })
  const started = await explorer.count('started')
  await page.getByTestId('engine-menu').click()
  await explorer.resultAfter(() => page.getByRole('button', { name: /restart/i }).click())
  expect(await explorer.count('started')).toBe(started + 1)
  await expect(explorer.textBox).toHaveValue(text)
})

test('@webgpu an adapter is checked after its first result, and remembered at the next visit', async ({
  explorer,
  page,
}) => {
  /** Whether the adapter was trusted before there was a result. */
  const trusted = () =>
    page.evaluate(() => {
      const passed = window.fromWorker.findIndex(({ type }) => type === 'adapterPassed')
      return passed < window.fromWorker.findIndex((message) => message.type === 'result' && message.kind === 'run')
    })
  await explorer.open({ text })
  expect(await trusted()).toBe(false)
  const { adapter } = await explorer.message('adapterPassed')
  expect(adapter).toContain('ropescope_bg')
  await page.reload()
  await explorer.result()
  expect(await trusted()).toBe(true)
  const start = await page.evaluate(() => window.toWorker.find(({ type }) => type === 'start'))
  expect(start).toMatchObject({ trusted: [adapter] })
})

test('@cpu an error that nothing caught is said, with a report to copy', async ({ explorer, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await explorer.open({ text })
  const trouble = page.getByTestId('trouble-page')
  for (const error of ['a promise that nobody waits for', 'an error in a task']) {
    explorer.caused.add(error)
    await page.evaluate((error) => {
      if (error.includes('promise')) void Promise.reject(new Error(error))
      else
        setTimeout(() => {
          throw new Error(error)
        })
    }, error)
    await expect(trouble).toContainText(error)
  }
  await trouble.getByRole('button', { name: 'Copy report' }).click()
  await expect(trouble).toContainText('Copied')
  const report = await page.evaluate(() => navigator.clipboard.readText())
  expect(report).toContain('backend: CPU')
  expect(report).toMatch(/trouble: .*an error in a task[^]*\n\s+at /)
  await trouble.getByRole('button', { name: /^Dismiss/ }).click()
  await expect(trouble).toBeHidden()
})

test('@cpu files that were dropped and cannot be read are named', async ({ explorer, page }) => {
  await explorer.open({ text })
  const loads = () => page.evaluate(() => window.toWorker.filter(({ type }) => type === 'load').length)
  const before = await loads()
  await page.evaluate(() => {
    const refused = (_: unknown, refuse: (error: DOMException) => void) => refuse(new DOMException('it was moved'))
    const entry = { isFile: true, fullPath: '/model/config.json', file: refused }
    DataTransferItem.prototype.webkitGetAsEntry = () => entry as unknown as FileSystemEntry
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['{}'], 'config.json'))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })
  await expect(page.getByTestId('trouble-load')).toContainText('/model/config.json: it was moved')
  expect(await loads()).toBe(before)
})
