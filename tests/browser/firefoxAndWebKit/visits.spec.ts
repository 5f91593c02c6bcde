// A visit in Firefox and in WebKit, on the CPU.
import { copyFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledModel, root } from '../explorer'
import { Site } from '../site'
import { writeTinyModel, writeTinyTokenizer } from '../tinyModel'
import { expect, test } from './test'
import { AppPage } from './visitor'

const text = 'The cat sat on the mat.'

let folder: string

test.beforeEach(async ({ visitor, browserEngine }) => {
  folder = await mkdtemp(join(tmpdir(), 'ropescope-'))
  // Fails if the browser is not the expected one.
  expect(visitor.browser.toLowerCase()).toMatch(new RegExp(`^${browserEngine}/\\d`))
})

test.afterEach(() => rm(folder, { recursive: true }))

/** A Llama with a byte-level tokenizer, as visitors have it. */
async function writeLlama(): Promise<void> {
  for (const name of ['config.json', 'model.safetensors']) {
    await copyFile(join(root, 'tests/fixtures/decoder', name), join(folder, name))
  }
  await copyFile(join(root, 'tests/fixtures/tokenizers/llama3/tokenizer.json'), join(folder, 'tokenizer.json'))
}

const files = (...names: string[]) => names.map((name) => join(folder, name))

/** Opens the page of models, then these files, and goes to the Explorer. */
async function openFiles(app: AppPage, selector: string, paths: string[], name: RegExp): Promise<void> {
  await app.open('models', { text: 'the cat' })
  await app.waitForText('[data-testid=loaded-model]', /roformer-english/)
  await app.visitor.choose(selector, paths)
  await app.waitForText('[data-testid=loaded-model]', name)
  await app.visitor.evaluate(toExplorer)
}

/** Types a word of one token into the text, and waits for the result. */
async function addWord(app: AppPage, word: string): Promise<void> {
  const before = await app.tokenCount()
  await app.click('[data-testid=text]')
  await app.visitor.type(word)
  await app.waitForResult(before + 1)
}

/** In the page. */
function toExplorer(): void {
  location.hash = location.hash.replace(/^#\/\w+/, '#/explorer')
}

test.describe('the first result', () => {
  for (const model of ['roformer-english', 'roformer-english-causal', 'roformer-linear-english', 'marian-numbers']) {
    test(`of ${model} comes without an error`, async ({ app }) => {
      await app.open('explorer', { model })
      await app.waitForResult()
      await app.expectNoTrouble()
    })
  }

  test('of a Llama that is opened by its files comes without an error', async ({ app }) => {
    await writeLlama()
    await openFiles(
      app,
      '[data-testid=pick-files]',
      files('config.json', 'model.safetensors', 'tokenizer.json'),
      /LlamaForCausalLM/,
    )
    await app.waitForResult()
    await app.expectNoTrouble()
  })

  test('of a model with PyTorch’s weights comes without an error', async ({ app }) => {
    await copyFile(join(root, 'tests/golden/masked_lm_head_size_2/config.json'), join(folder, 'config.json'))
    await copyFile(join(root, 'tests/golden/checkpoints/archive/pytorch_model.bin'), join(folder, 'pytorch_model.bin'))
    await writeTinyTokenizer(folder)
    await openFiles(
      app,
      '[data-testid=pick-files]',
      files('config.json', 'pytorch_model.bin', 'tokenizer.json'),
      /your files/,
    )
    await app.waitForResult()
    await app.expectNoTrouble()
    // The same worker keeps answering.
    await addWord(app, ' a')
    await app.expectNoTrouble()
  })
})

test('a model’s folder is opened', async ({ app }) => {
  await writeTinyModel(folder)
  await app.open('models', { text: 'the cat' })
  await app.waitForText('[data-testid=loaded-model]', /roformer-english/)
  const names = ['config.json', 'model.safetensors', 'vocab.txt', 'tokenizer.json']
  const given = await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'base64')]))
  // No driver can answer a folder picker: the input gets the files that a picker would return.
  await app.visitor.evaluate((given) => {
    const transfer = new DataTransfer()
    for (const [name = '', bytes = ''] of given) {
      const file = new File([Uint8Array.from(atob(bytes), (byte) => byte.charCodeAt(0))], name)
      transfer.items.add(file)
    }
    const input = document.querySelector<HTMLInputElement>('[data-testid=pick-folder]')
    if (!input?.webkitdirectory) throw new Error('there is no folder input')
    input.files = transfer.files
    for (const file of input.files) Object.defineProperty(file, 'webkitRelativePath', { value: `tiny/${file.name}` })
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }, given)
  await app.waitForText('[data-testid=loaded-model]', /Facts of tiny/)
  await app.visitor.evaluate(toExplorer)
  await app.waitForResult()
  await app.expectNoTrouble()
})

test('@firefox twenty visits in a row show no error', async ({ app }) => {
  test.setTimeout(300_000)
  for (let visit = 0; visit < 20; visit++) {
    await app.open('explorer', { text: 'The cat sat' })
    await app.waitForResult()
    // The next text is painted over the first one's maps.
    await addWord(app, ' down')
    await app.expectNoTrouble()
  }
})

test('heads are chosen by a click and by keys', async ({ app }) => {
  // In a small window the grid is folded, unless a link opens it.
  await app.open('explorer', { text, layer: '0', head: '0', dock: 'narrow' })
  await app.waitForResult()
  // Patterns come after the maps, and make room.
  await app.waitForText('[data-testid=head-patterns]', /L2·H6/)
  await app.click('[role=gridcell][data-layer="2"][data-head="6"]')
  await app.waitForText('[data-testid=headline]', /^Head L2·H6 looks one token back/)
  await app.visitor.type(']')
  await app.waitForText('[data-testid=headline]', /^Head L2·H7 /)
  await app.expectNoTrouble()
})

test('typing changes the tokens', async ({ app }) => {
  await app.open('explorer', { text })
  await app.waitForResult(9)
  await app.visitor.evaluate(() => {
    const box = document.querySelector<HTMLTextAreaElement>('[data-testid=text]')
    box?.focus()
    box?.setSelectionRange(box.value.length, box.value.length)
  })
  await app.visitor.type(' It slept.')
  await app.waitForResult(12)
  await app.expectNoTrouble()
})

test('a causal model writes on', async ({ app }) => {
  await app.open('explorer', {
    model: 'roformer-english-causal',
    text: 'The old man',
    maxNewTokens: '4',
    temperature: '0',
  })
  await app.waitForResult()
  await app.click('[data-testid=write-on] .go')
  await app.waitForText('[data-testid=ended]', /4 tokens/)
  await app.expectNoTrouble()
})

test('Read shows a chapter and its figure', async ({ app }) => {
  await app.open('read/4')
  await app.waitForText('[data-testid=chapter-4]', /\w/)
  await expect.poll(() => app.count('[data-testid=view-turn] svg'), { timeout: 30_000 }).toBeGreaterThan(0)
  await app.expectNoTrouble()
})

test('the page and its model work without a network', async ({ visitor }) => {
  const site = new Site(join(folder, 'site'))
  await site.open()
  const app = new AppPage(visitor, site.url)
  try {
    await app.open('explorer', { text })
    await app.waitForResult()
    await app.click('[data-testid=engine-menu]')
    const state = () =>
      visitor.evaluate(() => document.querySelector('[data-testid=offline]')?.getAttribute('data-state'))
    await expect.poll(state, { timeout: 60_000 }).toBe('ready')
  } finally {
    await site.close()
  }
  await visitor.reload()
  await app.waitForResult()
  await app.expectNoTrouble()
})

test('the element’s example shows its heads', async ({ visitor, example, serve }) => {
  const copy = await example('element')
  await cp(bundledModel, join(copy, 'models/roformer-english'), { recursive: true })
  await visitor.open(await serve(copy))
  const captions = () =>
    visitor.evaluate(() =>
      [...document.querySelectorAll('rope-attention')].map(
        (element) => element.shadowRoot?.querySelector('figcaption')?.textContent ?? '',
      ),
    )
  await expect
    .poll(captions, { timeout: 60_000 })
    .toEqual([
      expect.stringMatching(
        /Layer 2, head 6.*roformer-english on the CPU|roformer-english on the CPU.*Layer 2, head 6/s,
      ),
      expect.stringMatching(
        /Layer 1, head 1.*roformer-english on the CPU|roformer-english on the CPU.*Layer 1, head 1/s,
      ),
    ])
})
