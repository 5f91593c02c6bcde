// The notebook's RoFormer: a state dict with its own names, opened from a folder.
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { difference, mapOf, run } from './commandLine'
import { expect, root, test } from './explorer'
import { vocabulary } from './tinyModel'

const text = 'the cat sat on .'
/** Of the model in the golden folder. */
const words = 61

test('@cpu the notebook’s RoFormer is opened, and its weights are the command line’s', async ({ explorer, page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'ropescope-'))
  for (const file of ['config.json', 'model.safetensors'])
    await copyFile(join(root, 'tests/golden/sources/notebook', file), join(folder, file))
  await writeFile(join(folder, 'vocab.txt'), vocabulary.slice(0, words).join('\n'))
  await explorer.open({ room: 'models', text, layer: '1', head: '2' })
  const { attention } = await explorer.resultAfter(() => page.getByTestId('pick-folder').setInputFiles(folder))
  await explorer.message('loaded', ({ model }) => model.architecture === 'NotebookRoFormer')
  expect(difference(attention, mapOf(await run(folder, text), 1, 2))).toBeLessThanOrEqual(1e-5)
  await rm(folder, { recursive: true })
})
