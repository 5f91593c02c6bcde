// Weights in other forms than one safetensors file, opened from folders.
import { copyFile, mkdtemp, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { difference, mapOf, run } from './commandLine'
import { expect, root, test as base } from './explorer'
import { vocabulary } from './tinyModel'

const golden = join(root, 'tests/golden')
const text = 'the [MASK] sat on .'

/** The golden checkpoints, each with the case that has the same weights. */
const forms = [
  ['archive', 'masked_lm_head_size_2'],
  ['stream', 'masked_lm_head_size_2'],
  ['shards', 'masked_lm_head_size_2'],
  ['archive_shards', 'masked_lm_head_size_2'],
  ['training', 'decoders/llama_bfloat16'],
  ['training_stream', 'decoders/llama_float16'],
] as const
type Form = (typeof forms)[number][0]

interface Fixtures {
  /** Writes a model's folder with weights in this form, or in the case's own. */
  folderOf: (form: Form, plain?: boolean) => Promise<string>
}

const test = base.extend<Fixtures>({
  folderOf: async ({}, use) => {
    const folders: string[] = []
    await use(async (form, plain = false) => {
      const folder = await mkdtemp(join(tmpdir(), 'ropescope-'))
      folders.push(folder)
      const model = join(golden, forms.find(([name]) => name === form)?.[1] ?? '')
      const weights = plain ? [join(model, 'model.safetensors')] : await filesOf(join(golden, 'checkpoints', form))
      for (const file of [join(model, 'config.json'), ...weights]) await copyFile(file, join(folder, basename(file)))
      const { vocab_size } = JSON.parse(await readFile(join(model, 'config.json'), 'utf8')) as { vocab_size: number }
      await writeFile(join(folder, 'vocab.txt'), vocabulary.slice(0, vocab_size).join('\n'))
      return folder
    })
    for (const folder of folders) await rm(folder, { recursive: true })
  },
})

async function filesOf(folder: string): Promise<string[]> {
  return (await readdir(folder)).map((name) => join(folder, name))
}

/** A pickle as PyTorch wrote before 1.6, with an entry that would run a command. */
function hostile(): Buffer {
  const short = (text: string) => `X${String.fromCharCode(text.length)}\0\0\0${text}`
  const pickles = [
    '\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.',
    '\x80\x02M\xe9\x03.',
    '\x80\x02}.',
    `\x80\x02}${short('optimizer')}cos\nsystem\n${short('touch here')}\x85Rs.`,
    '\x80\x02].',
  ]
  return Buffer.from(pickles.join(''), 'latin1')
}

test.describe('@cpu weights in other forms', () => {
  test('give what one safetensors file gives, and what the command line says', async ({ explorer, page, folderOf }) => {
    const fetched: string[] = []
    page.on('request', (request) => fetched.push(request.url()))
    await explorer.open({ room: 'models', text, layer: '0', head: '1' })
    const reader = () => fetched.filter((url) => url.includes('ropescope_weights_bg')).length
    const opened = async (folder: string) => {
      const result = await explorer.resultAfter(() => page.getByTestId('pick-folder').setInputFiles(folder))
      expect((await explorer.message('loaded')).model.name).toBe(basename(folder))
      return result
    }
    for (const [form] of forms) {
      const plain = await opened(await folderOf(form, true))
      // The reader of other forms is not fetched for plain files.
      if (form === forms[0][0]) expect(reader()).toBe(0)
      const folder = await folderOf(form)
      const result = await opened(folder)
      expect(reader()).toBe(1)
      // Not equal: one of both may have run before the kernels with relaxed SIMD were there.
      expect(difference(result.attention, plain.attention), form).toBeLessThanOrEqual(1e-6)
      expect(difference(result.topProbabilities, plain.topProbabilities), form).toBeLessThanOrEqual(1e-6)

      expect(difference(result.attention, mapOf(await run(folder, text), 0, 1)), form).toBeLessThanOrEqual(1e-5)
    }
  })

  test('are opened wherever they are dropped', async ({ explorer, page, folderOf }) => {
    await explorer.open({ text })
    const files = await Promise.all(
      (await filesOf(await folderOf('shards'))).map(async (path) => ({
        name: basename(path),
        bytes: [...(await readFile(path))],
      })),
    )
    for (const [index, name] of ['Explorer', 'Read', 'Models', 'About'].entries()) {
      await page.getByRole('link', { name }).first().click()
      const loaded = await explorer.count('loaded')
      await page.evaluate((files) => {
        const dataTransfer = new DataTransfer()
        for (const { name, bytes } of files) dataTransfer.items.add(new File([Uint8Array.from(bytes)], name))
        const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
        document.querySelector('main')?.dispatchEvent(drop)
      }, files)
      await expect.poll(() => explorer.count('loaded'), { message: `dropped ${index}` }).toBe(loaded + 1)
      expect((await explorer.message('loaded')).model.vocab_size).toBe(97)
    }
  })

  /** The fault, how to cause it, and the page's message. */
  const broken: [string, Form, (folder: string) => Promise<void>, RegExp][] = [
    [
      'without one of their files',
      'shards',
      (folder) => unlink(join(folder, 'model-00002-of-00003.safetensors')),
      /model-00002-of-00003\.safetensors" is missing/,
    ],
    [
      'with an index of something else',
      'archive_shards',
      (folder) => writeFile(join(folder, 'pytorch_model.bin.index.json'), '{"weight_map":{}}'),
      /pytorch_model\.bin\.index\.json.*lists no tensors in weight_map/,
    ],
    [
      'that want to run a command',
      'stream',
      (folder) => writeFile(join(folder, 'pytorch_model.bin'), hostile()),
      /os\.system.*under "optimizer".*ran nothing/,
    ],
    [
      'of which several may be meant',
      'training',
      (folder) => writeFile(join(folder, 'first.pt'), 'x'),
      /first\.pt, last\.pt/,
    ],
    [
      'that are something else',
      'archive',
      (folder) => writeFile(join(folder, 'pytorch_model.bin'), '<!doctype html>'),
      /does not read pytorch_model\.bin: it is neither safetensors/,
    ],
  ]
  test('that are broken are refused in words, and the model before stays', async ({ explorer, page, folderOf }) => {
    await explorer.open({ room: 'models', text })
    const trouble = page.getByTestId('trouble-load')
    for (const [what, form, spoil, words] of broken) {
      const folder = await folderOf(form)
      await spoil(folder)
      await page.getByTestId('pick-folder').setInputFiles(folder)
      await expect(trouble, what).toContainText(words)
      await expect(trouble).toContainText('stays loaded')
      await trouble.getByRole('button', { name: /^Dismiss/ }).click()
    }
    await page.getByRole('link', { name: 'Explorer' }).first().click()
    await explorer.resultAfter(() => explorer.type('the [MASK] sat on the mat .'))
  })
})
