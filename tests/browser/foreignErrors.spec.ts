// A few dozen forced errors, read in Korean and in Hungarian: none has a word of another language.
import { cp, readFile, rename, rm, truncate, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Route } from '@playwright/test'
import type { FromWorker } from '../../web/engine/protocol/messages'
import type { BackendReason } from '../../web/engine/protocol/protocol'
import { expect, type Explorer, holdMessages, test } from './explorer'
import { georgian, Reader } from './foreignWords'
import { writeDescribedHeads } from './tinyModel'
import { change, serveModels, text } from './walk'

test.use({ locale: 'ko-KR' })
test.describe.configure({ timeout: 300_000 })

/** What the page opens with. */
const here = { text: georgian(text), model: 'roformer-english' }

/** How files of a model are spoilt, and what the page says of it in every language. */
const spoilt: readonly [what: string, spoil: (folder: string) => Promise<unknown>, words: RegExp][] = [
  ['a config that is no JSON', (folder) => writeFile(join(folder, 'config.json'), 'layers: 2'), /config\.json/],
  ['another family', (folder) => setConfig(folder, { model_type: 'bert1' }), /bert1/],
  [
    'an activation that does not run',
    (folder) => setConfig(folder, { hidden_act: 'strange1' }),
    /hidden_act.*strange1/,
  ],
  ['a size that is none', (folder) => setConfig(folder, { hidden_size: 1e12 }), /hidden_size/],
  ['heads that do not divide', (folder) => setConfig(folder, { num_attention_heads: 5 }), /num_attention_heads/],
  ['another vocabulary', (folder) => setConfig(folder, { vocab_size: 100 }), /\[99.*\[100/],
  ['no config', (folder) => unlink(join(folder, 'config.json')), /config\.json/],
  ['no tokenizer', (folder) => removeTokenizer(folder), /tokenizer\.json.*vocab\.txt/],
  [
    'a tokenizer of another kind',
    (folder) => writeFile(join(folder, 'tokenizer.json'), '{"model":{"type":"Strange1"}}'),
    /Strange1/,
  ],
  ['a tokenizer that is no JSON', (folder) => writeFile(join(folder, 'tokenizer.json'), 'none'), /tokenizer\.json/],
  ['no weights', (folder) => unlink(weightsIn(folder)), /model\.safetensors/],
  ['weights cut short', (folder) => truncate(weightsIn(folder), 5000), /5[,\s]?000/],
  [
    'a pickle by another name',
    (folder) => writeFile(weightsIn(folder), 'PK\x03\x04 and the rest'),
    /pytorch_model\.bin/,
  ],
  ['weights that are nothing', (folder) => writeFile(weightsIn(folder), 'x'.repeat(100)), /safetensors/],
  [
    'a type of numbers that does not run',
    (folder) => editHeader(folder, (header) => header.replaceAll('"F32"', '"I32"')),
    /I32/,
  ],
  [
    'a tensor by another name',
    (folder) => editHeader(folder, (header) => header.replaceAll('word_embeddings', 'word_embedding1')),
    /word_embeddings/,
  ],
  ['a broken index', (folder) => writeIndex(folder, '{'), /model\.safetensors\.index\.json/],
  [
    'an index without a file',
    (folder) => writeIndex(folder, '{"weight_map":{"a":"b1.safetensors","c":"d2.safetensors"}}'),
    /b1\.safetensors/,
  ],
  [
    'an index to elsewhere',
    (folder) => writeIndex(folder, '{"weight_map":{"a":"../b1.safetensors"}}'),
    /\.\.\/b1\.safetensors/,
  ],
  [
    'a part without an index',
    (folder) => rename(weightsIn(folder), join(folder, 'model-00001-of-00002.safetensors')),
    /model\.safetensors\.index\.json/,
  ],
]

const weightsIn = (folder: string) => join(folder, 'model.safetensors')

async function setConfig(folder: string, set: object): Promise<void> {
  const file = join(folder, 'config.json')
  await writeFile(file, JSON.stringify({ ...(JSON.parse(await readFile(file, 'utf8')) as object), ...set }))
}

async function removeTokenizer(folder: string): Promise<void> {
  for (const file of ['tokenizer.json', 'vocab.txt']) await unlink(join(folder, file))
}

async function writeIndex(folder: string, index: string): Promise<void> {
  await unlink(weightsIn(folder))
  await writeFile(join(folder, 'model.safetensors.index.json'), index)
}

/** Changes the header of the weights, whose length stays. */
async function editHeader(folder: string, edit: (header: string) => string): Promise<void> {
  const file = await readFile(weightsIn(folder))
  const end = 8 + Number(file.readBigUInt64LE(0))
  file.write(edit(file.toString('latin1', 8, end)), 8, 'latin1')
  await writeFile(weightsIn(folder), file)
}

/** A page in which errors are forced, and its reader. */
interface Forced {
  explorer: Explorer
  page: Page
  reader: Reader
}

const trouble = (page: Page, kind: string) => page.getByTestId(`trouble-${kind}`)

/** Waits for a trouble with these words, reads it and takes it away. */
async function saw({ page, reader }: Forced, kind: string, what: string, words: RegExp): Promise<void> {
  await expect(trouble(page, kind), what).toContainText(words)
  await reader.read(what)
  await trouble(page, kind).getByRole('button').last().click()
  await expect(trouble(page, kind)).toHaveCount(0)
}

async function readFolders(forced: Forced, tinyModel: string): Promise<void> {
  const { explorer, page, reader } = forced
  for (const [at, [what, spoil, words]] of spoilt.entries()) {
    const folder = `${tinyModel}-spoilt${at}`
    await cp(tinyModel, folder, { recursive: true })
    await spoil(folder)
    await page.getByTestId('pick-folder').setInputFiles(folder)
    await saw(forced, 'load', what, words)
    await rm(folder, { recursive: true })
  }

  const folder = `${tinyModel}-spoilt-1`
  await cp(tinyModel, folder, { recursive: true })
  await writeDescribedHeads(folder, { previous: 2 })
  await page.getByTestId('pick-folder').setInputFiles(folder)
  await expect(page.getByTestId('loaded-model')).toContainText(/heads\.json[^.]*2 × 4/)
  await reader.read('statistics of heads that are none')
  await rm(folder, { recursive: true })
  // Its tokens are in Latin letters.
  await change(page, here, 'models')
  await explorer.message('loaded', ({ model }) => model.name === here.model)
}

async function readDrops(forced: Forced): Promise<void> {
  const { page } = forced
  const drop = (moved: boolean) =>
    page.evaluate((moved) => {
      const refused = (_: unknown, refuse: (error: DOMException) => void) => refuse(new DOMException('it7 was7 moved7'))
      const entry = { isFile: true, fullPath: '/model/config.json', file: refused }
      if (moved) DataTransferItem.prototype.webkitGetAsEntry = () => entry as unknown as FileSystemEntry
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['{}'], 'photo1.jpeg'))
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    }, moved)
  await drop(false)
  await saw(forced, 'load', 'a dropped photograph', /config\.json/)
  await drop(true)
  await saw(forced, 'load', 'a dropped file that cannot be read', /it7 was7 moved7/)
}

async function readHub({ explorer, page, reader }: Forced): Promise<void> {
  explorer.others.add('https://huggingface.co')
  const card = page.getByTestId('hub-model')
  const byName = page.getByTestId('by-name')
  const lookUp = async (name: string) => {
    await byName.getByRole('textbox').fill(name)
    await byName.getByRole('button').first().click()
  }
  for (const name of ['no name', 'https://example.com/a/b', 'https://huggingface.co/datasets/a/b']) {
    await lookUp(name)
    await expect(byName.getByRole('alert').first()).toBeVisible()
    await reader.read(`the name ${name}`)
  }
  const answers: [what: string, answer: Parameters<Route['fulfill']>[0] | undefined, words: RegExp][] = [
    ['a hub out of reach', undefined, /huggingface\.co/],
    ['no such model', { status: 404 }, /m2\/m1/],
    ['no such revision', { status: 404, headers: { 'x-error-code': 'RevisionNotFound' } }, /main/],
    ['a gated model', { json: { sha: 'a1'.repeat(20), gated: 'auto', siblings: [] } }, /m2\/m1/],
    ['too many requests', { status: 429, headers: { 'retry-after': '60' } }, /60/],
    ['a hub that fails', { status: 500 }, /500/],
    ['an answer that is none', { body: 'none' }, /huggingface\.co/],
    ['a model without weights', { json: { sha: 'a1'.repeat(20), gated: false, siblings: [] } }, /config\.json/],
  ]
  for (const [what, answer, words] of answers) {
    await page.route('https://huggingface.co/**', (route) =>
      answer
        ? route.fulfill({
            ...answer,
            headers: {
              ...answer.headers,
              'access-control-allow-origin': '*',
              'access-control-expose-headers': 'X-Error-Code,Retry-After',
            },
          })
        : route.abort(),
    )
    await lookUp('m2/m1')
    await expect(card.getByRole('alert'), what).toContainText(words)
    await reader.read(what)
    await card.getByRole('button').last().click()
    await page.unroute('https://huggingface.co/**')
  }
  const config = '{"model_type":"bert1"}'
  const siblings = ['config.json', 'vocab.txt', 'model.safetensors'].map((rfilename) => ({
    rfilename,
    size: config.length,
  }))
  await page.route('https://huggingface.co/**', (route) =>
    route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      ...(route.request().url().includes('/api/')
        ? { json: { sha: 'a1'.repeat(20), gated: false, siblings } }
        : { body: config }),
    }),
  )
  await lookUp('m2/m1')
  await expect(card.getByRole('alert'), 'a family that does not run').toContainText(/bert1.+roformer/)
  await reader.read('a family that does not run')
  await card.getByRole('button').last().click()
  await page.unroute('https://huggingface.co/**')
}

async function readLinks({ explorer, page, reader }: Forced): Promise<void> {
  const links: [what: string, set: Record<string, string>, kind: string, words: RegExp][] = [
    ['a scaling that is no JSON', { scaling: 'none1' }, 'run', /JSON/],
    ['a rope of another type', { scaling: '{"rope_type":"strange1"}' }, 'run', /strange1/],
    ['a factor below 1', { scaling: '{"rope_type":"linear","factor":-4}' }, 'run', /factor/],
    ['log-n without a softmax', { logN: '64', attention: 'linear' }, 'run', /log-n/],
  ]
  for (const [what, set, kind, words] of links) {
    await change(page, { ...here, ...set })
    await expect(trouble(page, kind), what).toContainText(words)
    await reader.read(what)
  }
  await change(page, here)
  await expect(trouble(page, 'run')).toHaveCount(0)
  for (const model of ['own:m1', 'm1', '']) {
    await change(page, { ...here, model })
    await expect(page.getByTestId('missing-model')).toContainText(model.replace('own:', ''))
    await reader.read(`a link with the model “${model}”`)
  }
  await change(page, { ...here, model: 'hub:m2/m1' })
  await expect(page.getByTestId('hub-model')).toBeVisible()
  await reader.read('a link with a model of the hub')
  await change(page, here)
  await explorer.settled()
}

async function readNetwork({ explorer, page, reader }: Forced): Promise<void> {
  await page.route('**/roformer-english-causal/model.safetensors', (route) => route.fulfill({ status: 404 }))
  await change(page, { ...here, model: 'roformer-english-causal' })
  await expect(trouble(page, 'load')).toContainText('model.safetensors')
  await reader.read('weights that are not there')
  await page.route('**/marian-numbers/config.json', (route) => route.fulfill({ status: 500 }))
  await change(page, { ...here, model: 'marian-numbers' })
  await expect(trouble(page, 'load')).toContainText('500')
  await reader.read('a server that fails')
  await page.route('**/roformer-linear-english/model.safetensors', (route) => route.abort())
  await change(page, { ...here, model: 'roformer-linear-english' })
  await expect(trouble(page, 'load')).toContainText('model.safetensors')
  await reader.read('a connection that breaks')
  await change(page, here)
  await page.route('**/assets/**', (route) => route.abort())
  await change(page, { ...here, open: 'flow' })
  await expect(page.getByTestId('view-flow').locator('.note')).toBeVisible()
  await reader.read('a view that cannot be fetched')
  await change(page, { ...here, open: 'map' })
  await explorer.settled()
  await page.getByTestId('view-map').locator('.words button').nth(1).click()
  await expect(page.getByTestId('view-map').getByRole('alert')).toBeVisible()
  await reader.read('a sheet that cannot be fetched')
  await change(page, here, 'read/1')
  await expect(page.locator('main').getByRole('button')).toBeVisible()
  await reader.read('a page that cannot be fetched')
  await page.unroute('**/assets/**')
}

/** What the view Mute says of a text for measurements that is none. */
async function readHeldOut({ explorer, page, reader }: Forced): Promise<void> {
  await change(page, { ...here, open: 'mute' })
  await explorer.settled()
  const panel = page.getByTestId('mute-loss')
  const answers: Parameters<Route['fulfill']>[0][] = [
    { body: '{' },
    { json: { rows: 1e9 } },
    { json: { rows: 1, length: 1e5, bits: 7 } },
    { json: { rows: 1, length: 5, bits: 0 } },
    { json: { rows: 1, length: 5, bits: 7 } },
    { status: 500 },
  ]
  for (const [at, answer] of answers.entries()) {
    const said = at === 0 ? '' : await panel.getByRole('alert').innerText()
    await page.route('**/held-out.json', (route) => route.fulfill(answer))
    await panel.getByRole('button').click()
    await expect(panel.getByRole('alert')).toContainText(/held-out\.json/)
    await expect(panel.getByRole('alert')).not.toHaveText(said)
    await reader.read(`the held-out text ${JSON.stringify(answer)}`)
    await page.unroute('**/held-out.json')
  }
}

const reasons: Readonly<Record<BackendReason, true>> = {
  'hardware-adapter': true,
  choice: true,
  'insecure-context': true,
  'no-webgpu': true,
  'no-adapter': true,
  'fallback-adapter': true,
  'device-refused': true,
  'wrong-numbers': true,
  'device-lost': true,
}

/** Messages of the worker that no CPU sends: a device is lost, and every reason why a backend runs. */
async function readDevices({ explorer, page, reader }: Forced): Promise<void> {
  const { info } = await explorer.message('started')
  const say = (message: FromWorker) =>
    page.evaluate((data) => window.engineWorker.dispatchEvent(new MessageEvent('message', { data })), message as object)
  for (const message of ['', 'm1']) {
    await say({ type: 'deviceLost', message })
    await expect(trouble(page, 'engine')).toContainText(`GPU`)
    await expect(trouble(page, 'engine')).toContainText(message)
    await reader.read('a lost device')
  }
  await page.getByTestId('engine-menu').click()
  const backend = page.getByTestId('backend')
  for (const reason of Object.keys(reasons)) {
    await say({ type: 'started', info: { ...info, reason: reason as BackendReason, detail: 'm1' } })
    await expect(backend).toHaveAttribute('data-reason', reason)
    await expect(backend).toContainText(/\(.+\)/)
    await expect(page.getByTestId('advice')).toContainText('m1')
    await reader.read(`the reason ${reason}`)
  }
  await say({ type: 'started', info: { ...info, backend: 'gpu', adapter: 'm1', fallbackAdapter: true } })
  await expect(backend).toContainText('GPU')
  await expect(backend).toContainText('m1')
  await reader.read('a software adapter')
  await say({ type: 'started', info })
  await page.getByTestId('engine-menu').click()
}

/** The worker gets no message until the page has said that it is silent. */
async function readSilence({ explorer, page, reader }: Forced): Promise<void> {
  const release = await holdMessages(page)
  await explorer.type(georgian('the dog sat .'))
  await page.clock.runFor(45_000)
  await expect(trouble(page, 'silent')).toContainText('40')
  await reader.read('an engine that is silent')
  await release()
  await expect(trouble(page, 'silent')).toHaveCount(0)
}

async function readCrashes(forced: Forced): Promise<void> {
  const { explorer, page, reader } = forced
  await change(page, here)
  await explorer.settled()
  await explorer.resultAfter(() => explorer.post({ type: 'panic' }))
  await saw(forced, 'engine', 'a crash', /“.+”|„.+”/)
  explorer.caused.add('m1')
  await page.evaluate(() => void Promise.reject(new Error('m1')))
  await saw(forced, 'page', 'an error of the page', /m1/)
  for (let crash = 0; crash < 4; crash++) await explorer.post({ type: 'panic' })
  await expect(trouble(page, 'engine')).toBeVisible()
  await reader.read('crashes')
}

test('@cpu what fails is said in the language of the page', async ({ explorer, page, tinyModel }) => {
  const forced = { explorer, page, reader: new Reader(page) }
  const remove = await serveModels(page, georgian)
  // Time goes on as ever, until an engine is silent.
  await page.clock.install()
  await page.route('**/roformer-english/heads.json', (route) => route.fulfill({ body: 'none' }))
  await explorer.open({ ...here, room: 'models' })
  await expect(page.getByTestId('loaded-model')).toContainText(/heads\.json[^.]*JSON/)
  await forced.reader.read('statistics of heads that are no JSON')
  await readFolders(forced, tinyModel)
  await readDrops(forced)
  await readHub(forced)
  await readLinks(forced)
  await readNetwork(forced)
  await readHeldOut(forced)
  await readDevices(forced)
  await readSilence(forced)
  await readCrashes(forced)
  await remove()
  forced.reader.end(600)
})
