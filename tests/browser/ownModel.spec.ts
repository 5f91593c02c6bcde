import { cp, readFile, rm, truncate, unlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, overflow, test } from './explorer'

const here = { model: 'roformer-english', room: 'models', text: 'the [MASK] sat .' }

test('@cpu a model of one’s own', async ({ explorer, page, tinyModel }) => {
  await explorer.step('is opened by the folder picker, runs, and is sent nowhere', here, async () => {
    await page.getByTestId('pick-folder').setInputFiles(tinyModel)
    const { model } = await explorer.message('loaded', ({ model }) => model.name === basename(tinyModel))
    expect(model).toMatchObject({ architecture: 'RoFormerForMaskedLM', num_hidden_layers: 2, vocab_size: 99 })
    await expect(page.getByTestId('loaded-model')).toContainText('your files, read in this browser only')
    const row = page
      .getByTestId('models-table')
      .locator('tbody')
      .first()
      .getByRole('row', { name: basename(tinyModel) })
    await expect(row).toContainText('2 × 4')
    await expect(row).toContainText('base 10,000')
    await page.getByRole('link', { name: 'Explorer' }).first().click()
    await explorer.resultAfter(() => explorer.type('the [MASK] sat on the mat .'))
  })

  await explorer.step('may have vocab.txt alone, and comes by files, too', here, async () => {
    const files = ['config.json', 'model.safetensors', 'vocab.txt'].map((name) => join(tinyModel, name))
    const loaded = await explorer.count('loaded')
    await page.getByTestId('pick-files').setInputFiles(files)
    await expect.poll(() => explorer.count('loaded')).toBe(loaded + 1)
    await page.getByRole('link', { name: 'Explorer' }).first().click()
    await expect(page.getByTestId('tokens').getByRole('button')).toContainText(
      '[CLS] the [MASK] sat . [SEP]'.split(' '),
    )
  })

  for (const width of [390, 1280]) {
    await explorer.step(`has its place first, above the table, at ${width} px`, here, async () => {
      await page.setViewportSize({ width, height: 844 })
      const zone = page.getByTestId('open-model')
      await expect(zone.getByRole('heading', { name: 'Drop a model’s folder here' })).toBeInViewport()
      const english = page.locator('[data-model=roformer-english]')
      for (const fact of ['RoFormer', '4 × 8', '8.6 MB', 'CC0', 'base 10,000'])
        await expect(english).toContainText(fact)
      const [above, below] = [await zone.boundingBox(), await english.boundingBox()]
      expect(above && below && above.y + above.height < below.y).toBe(true)
      expect(await overflow(page), 'nothing scrolls sideways').toBe(0)
    })
  }

  await explorer.step('is opened by dropping its files', here, async () => {
    const names = ['config.json', 'model.safetensors', 'vocab.txt']
    const files = await Promise.all(
      names.map(async (name) => ({ name, bytes: [...(await readFile(join(tinyModel, name)))] })),
    )
    const transfer = await page.evaluateHandle((files) => {
      const transfer = new DataTransfer()
      for (const { name, bytes } of files) transfer.items.add(new File([Uint8Array.from(bytes)], name))
      return transfer
    }, files)
    const loaded = await explorer.count('loaded')
    await page.getByTestId('open-model').dispatchEvent('drop', { dataTransfer: transfer })
    await expect.poll(() => explorer.count('loaded')).toBe(loaded + 1)
    await expect(page.getByTestId('loaded-model')).toContainText('your files')
  })

  await explorer.step('files dropped anywhere are opened, and never take the place of the page', here, async () => {
    await page.getByRole('link', { name: 'Explorer' }).first().click()
    const prevented = await page.evaluate(() => {
      const files = new DataTransfer()
      files.items.add(new File(['{}'], 'notes.json'))
      const at = { dataTransfer: files, bubbles: true, cancelable: true }
      return ['dragover', 'drop'].map((type) => !document.body.dispatchEvent(new DragEvent(type, at)))
    })
    expect(prevented).toEqual([true, true])
    await expect(page.getByTestId('trouble-load')).toContainText('config.json')
    await explorer.resultAfter(() => explorer.type('the [MASK] sat on the mat .'))
  })

  await explorer.step('is what Back leads to, whatever was dropped and refused meanwhile', here, async () => {
    const named = (name: string) => explorer.message('loaded', ({ model }) => model.name === name)
    await page.getByTestId('pick-folder').setInputFiles(tinyModel)
    await named(basename(tinyModel))
    await expect(page.getByTestId('loaded-model')).toContainText('your files')
    await page.getByRole('button', { name: 'Open roformer-english', exact: true }).click()
    await named('roformer-english')
    await explorer.shown({ model: 'roformer-english' })
    const transfer = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['no model'], 'photograph.jpeg'))
      return transfer
    })
    await page.getByTestId('open-model').dispatchEvent('drop', { dataTransfer: transfer })
    await expect(page.getByTestId('trouble-load')).toBeVisible()
    await page.goBack()
    await named(basename(tinyModel))
  })

  /** The fault, how to cause it, and the page's message. */
  const broken: [string, (folder: string) => Promise<void>, RegExp][] = [
    ['cut short', (folder) => truncate(join(folder, 'model.safetensors'), 5000), /cut short|bytes/],
    ['with a config that is not JSON', (folder) => writeFile(join(folder, 'config.json'), 'layers: 2'), /config\.json/],
    [
      'of another family',
      (folder) => writeFile(join(folder, 'config.json'), '{"model_type":"bert"}'),
      /model_type|bert/,
    ],
    ['without weights', (folder) => unlink(join(folder, 'model.safetensors')), /model\.safetensors/],
    [
      'that is one of PyTorch’s by another name',
      (folder) => writeFile(join(folder, 'model.safetensors'), 'PK\x03\x04 and the rest of an archive'),
      /Rename it to pytorch_model\.bin/,
    ],
  ]
  await explorer.step('that is broken is refused in words, and the one before stays', here, async () => {
    const trouble = page.getByTestId('trouble-load')
    for (const [at, [what, spoil, words]] of broken.entries()) {
      const own = `${tinyModel}-${at}`
      await cp(tinyModel, own, { recursive: true })
      await spoil(own)
      await page.getByTestId('pick-folder').setInputFiles(own)
      await expect(trouble, what).toContainText(words)
      await expect(trouble).toContainText('stays loaded')
      await rm(own, { recursive: true })
      await trouble.getByRole('button', { name: /^Dismiss/ }).click()
    }
    await page.getByRole('link', { name: 'Explorer' }).first().click()
    await explorer.resultAfter(() => explorer.type('the [MASK] sat on the mat .'))
  })
})

test('@cpu a model of one’s own that a link names', async ({ explorer, page, tinyModel }) => {
  await explorer.step('its receiver opens the folder and gets the rest of the link', here, async () => {
    await page.getByTestId('pick-folder').setInputFiles(tinyModel)
    await explorer.message('loaded', ({ model }) => model.name === basename(tinyModel))
    await explorer.shown({ model: `own:${basename(tinyModel)}` })
    const state = { text: 'the cat sat on the mat .', layer: '1', head: '2', query: '3', key: '1', open: 'map' }
    await page.goto('about:blank')
    await explorer.visit({ model: `own:${basename(tinyModel)}`, ...state })
    const notice = page.getByTestId('missing-model')
    await expect(notice).toContainText(`“${basename(tinyModel)}”`)
    await expect(page.getByTestId('model-menu')).toContainText('no model')
    await expect(notice.getByText('Open its folder')).toBeVisible()
    await page.getByTestId('open-missing').setInputFiles(tinyModel)
    await explorer.result()
    await expect(notice).toBeHidden()
    await explorer.shown({ model: `own:${basename(tinyModel)}`, ...state })
    await expect(page.getByTestId('model-menu')).toContainText(basename(tinyModel))
  })

  for (const model of ['own:my-finetune', 'unheard-of', ''])
    await test.step(`that nobody opens gives way to a bundled one: a link with “${model}”`, async () => {
      await page.goto('about:blank')
      await explorer.visit({ model, text: 'the [MASK] sat .', layer: '1', head: '2' })
      const notice = page.getByTestId('missing-model')
      await expect(notice).toContainText(model === '' ? 'does not name' : model.replace('own:', ''))
      await notice.getByRole('button', { name: 'Look at roformer-english instead' }).click()
      await explorer.result()
      await expect(notice).toBeHidden()
      await explorer.shown({ model: 'roformer-english', text: 'the [MASK] sat .', layer: '1', head: '2' })
    })
})
