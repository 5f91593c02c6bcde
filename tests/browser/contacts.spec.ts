// A protein model: its contacts are a view that other models lack.
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from './explorer'

const residues = 'L A G V S E R T I D P K Q N F Y M H W C X B U Z O . - <null_1> <mask>'.split(' ')
const vocabulary = ['<cls>', '<pad>', '<eos>', '<unk>', ...residues]

test('contacts of a protein are told, and of no other model', async ({ explorer, page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'ropescope-esm-'))
  for (const name of ['config.json', 'model.safetensors']) {
    await copyFile(join('tests/golden/readers/esm', name), join(folder, name))
  }
  await writeFile(join(folder, 'vocab.txt'), vocabulary.join('\n'))
  await explorer.open({ room: 'models', text: 'the cat sat .' })
  await page.getByTestId('pick-folder').setInputFiles(folder)
  const { model } = await explorer.message('loaded', ({ model }) => model.name === basename(folder))
  expect(model).toMatchObject({ architecture: 'EsmForMaskedLM', has_contact_head: true, is_decoder: false })
  await page.getByRole('link', { name: 'Explorer' }).first().click()
  await explorer.type('M K T A Y I A K Q R Q I S F V K S H F')
  await explorer.result(21)
  await page.getByTestId('tabs').getByRole('button', { name: 'Contacts' }).click()
  const view = page.getByTestId('view-contacts')
  await expect(view.getByTestId('contacts-scene')).toBeVisible()
  await expect(page.getByTestId('headline')).toContainText('are the likeliest contact')
  const map = view.getByRole('application')
  await map.focus()
  await page.keyboard.press('End')
  await expect(map).toHaveAccessibleName(/F 19/)
  await rm(folder, { recursive: true })
})

test('@cpu other models have no such view', async ({ explorer, page }) => {
  await explorer.open({ text: 'the cat sat .' })
  await explorer.result(6)
  await expect(page.getByTestId('tabs').getByRole('button', { name: 'layers' })).toBeVisible()
  await expect(page.getByTestId('tabs').getByRole('button', { name: 'Contacts' })).toHaveCount(0)
})
