// Every view, page, menu and a few dozen forced errors, read in Korean and in Hungarian: none has a word of another language.
import { cp, readFile, rename, rm, truncate, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page, Route } from '@playwright/test'
import { expect, test, type Explorer } from './explorer'
import { foreignIn, georgian, Reader } from './foreignWords'
import { follow, hashOf, otherParams, serveModels, text, walk } from './walk'

test.use({ locale: 'ko-KR' })
test.describe.configure({ timeout: 300_000 })

/** Opens the sheet of a view's word, reads it and closes it. */
async function readSheet(page: Page, reader: Reader, view: Locator, nth: number, state: string): Promise<void> {
  const word = view.locator('.words button').nth(nth)
  if (!(await word.isEnabled())) return
  await word.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator('img, pre').first()).toBeVisible()
  await reader.read(state)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
}

test('@cpu a word of another language is found, and no name, file or term is one', async () => {
  expect(await foreignIn('ko', '헤드 L2·H6의 weight: softmax(config.json)')).toEqual(['weight'])
  expect(await foreignIn('hu', 'Az L2·H6 fej weights értéke, 가중치, a RoPE szerint')).toEqual(['가중치'])
  expect(await foreignIn('hu', 'Show the súlyok')).toEqual(['Show'])
})

for (const room of ['views', 'figures'] as const)
  test(`@cpu ${room} in all their modes are in the language of the page`, async ({ explorer, page }) => {
    const reader = new Reader(page)
    for await (const { declared, model, view } of walk(explorer, page, room, undefined, georgian)) {
      await reader.read(declared.id)
      if (room === 'views') await readSheet(page, reader, view, 1, `the figure of ${declared.id}`)
      for (const params of otherParams(declared)) {
        const spelt = Object.fromEntries(
          Object.entries(params).map(([n, v]) => [n, n.endsWith('.text') ? georgian(v) : v]),
        )
        await follow(page, hashOf(room, declared.id, { text: georgian(model.text), model: model.name, ...spelt }))
        await explorer.settled()
        await reader.read(`${declared.id} with ${JSON.stringify(params)}`)
      }
    }
    reader.end(200)
  })

/** Follows a link that differs from the present one in this. */
const change = (page: Page, set: Record<string, string>, path = 'explorer') =>
  follow(page, `#/${path}?${new URLSearchParams(set)}`)

/** What the page opens with. */
const here = { text: georgian(text), model: 'roformer-english' }

/** The Explorer while its model is on its way, and its first result. */
async function readOpening(explorer: Explorer, page: Page, reader: Reader): Promise<void> {
  let open = () => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
  await page.route('**/model.safetensors', async (route) => {
    await gate
    await route.fallback()
  })
  await explorer.visit({ ...here, open: 'map' })
  await expect(page.getByTestId('loading')).toBeVisible()
  await reader.read('a model on its way')
  open()
  await explorer.result()
  await explorer.settled()
  await reader.read('the first screen')
}

/** The stations of the strip, the tokens, the keys. */
async function readStations(explorer: Explorer, page: Page, reader: Reader): Promise<void> {
  for (const station of await page.getByTestId('tabs').locator('[data-station]').all()) {
    await station.click()
    await explorer.settled()
    await reader.read(`the station ${await station.getAttribute('data-station')}`)
  }
  await page.getByTestId('tokens').locator('button').nth(3).focus()
  for (const key of ['q', 'ArrowRight', 'k', ']', 'b', '?']) await page.keyboard.press(key)
  await expect(page.getByTestId('keys')).toBeVisible()
  await reader.read('the keys')
  await page.keyboard.press('Escape')
}

async function readMenus(explorer: Explorer, page: Page, reader: Reader): Promise<void> {
  // Menus are in the page while they are closed, but for what they fetch.
  for (const menu of await page.locator('main button[aria-expanded=false], header button[aria-expanded=false]').all()) {
    await menu.click()
    await reader.read('a menu')
    await page.keyboard.press('Escape')
  }
  await change(page, { ...here, open: 'map,score' })
  await explorer.settled()
  await readSheet(page, reader, page.getByTestId('view-map'), 2, 'Embed')
  await page.getByTestId('walk').click()
  await expect(page.getByTestId('caption')).toBeVisible()
  await page.getByTestId('walk').click()
  await reader.read('the walk')
}

async function readChanges(explorer: Explorer, page: Page, reader: Reader): Promise<void> {
  const changes = [
    { stop: '1.1:2' },
    { cut: '0:1' },
    { off: '0.1' },
    { off: '0.1', offBy: 'mean' },
    { offset: '1000' },
    { scaling: '{"rope_type":"linear","factor":4}' },
    { rotaryValue: 'on' },
    { rotatesValues: 'on' },
    { logN: '64' },
    { reach: '4' },
    { attention: 'linear' },
    { text: '' },
    { text: georgian('the qqq sat . '.repeat(130)) },
    { text: georgian('the cat sat . '.repeat(130)), beyond: 'on' },
    { text: 'ა'.repeat(9000) },
    { text: georgian('the cat sat .') },
  ]
  for (const set of changes) {
    await change(page, { ...here, ...set, open: 'map,score' })
    await explorer.settled()
    await reader.read(JSON.stringify(set).slice(0, 60))
  }
}

async function readPhone(explorer: Explorer, page: Page, reader: Reader): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  await change(page, { ...here, open: 'map' })
  await explorer.settled()
  await reader.read('a phone')
  await page.setViewportSize({ width: 1280, height: 900 })
}

/** Models that write: a causal one, and the parts of an encoder–decoder. */
async function readWriting(explorer: Explorer, page: Page, reader: Reader): Promise<void> {
  const causal = {
    model: 'roformer-english-causal',
    text: georgian('the cat sat'),
    temperature: '0',
    maxNewTokens: '2',
  }
  await change(page, { ...causal, open: 'predictions' })
  await explorer.message('loaded', ({ model }) => model.name === causal.model)
  await explorer.settled()
  await reader.read('a model that writes')
  await page.getByTestId('write-on').getByRole('button').first().click()
  await expect(page.getByTestId('ended')).toBeVisible()
  await reader.read('what it wrote')
  for (const part of ['encoder', 'decoder', 'cross']) {
    await change(page, { model: 'marian-numbers', text: 'a b c d\te f g', part, open: 'map,score' })
    await explorer.settled()
    await reader.read(`the part ${part}`)
  }
}

/** Models, About and Read with the answers to its questions. */
async function readOtherPages(page: Page, reader: Reader): Promise<void> {
  for (const link of [1, 2, 3]) {
    await page.locator('header nav a').nth(link).click()
    await expect(page.locator('main h1').first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    await reader.read(`the page ${link}`)
  }
  for (let chapter = 1; chapter <= 10; chapter++) {
    await follow(page, page.url().replace(/^[^#]*#\/[^?]*/, `#/read/${chapter}`))
    const guess = page.getByTestId(`guess-${chapter}`).getByRole('button')
    for (const answer of [0, 1]) {
      await guess.nth(answer).click()
      await reader.read(`chapter ${chapter}`)
    }
  }
}

test('@cpu the Explorer, its menus and changes, and all other pages have no word of another language', async ({
  explorer,
  page,
}) => {
  const reader = new Reader(page)
  const remove = await serveModels(page, georgian)
  await readOpening(explorer, page, reader)
  await readStations(explorer, page, reader)
  await readMenus(explorer, page, reader)
  await readChanges(explorer, page, reader)
  await readPhone(explorer, page, reader)
  await readWriting(explorer, page, reader)
  await readOtherPages(page, reader)
  await remove()
  reader.end(200)
})

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

test('@cpu what fails is said in the language of the page', async ({ explorer, page, tinyModel }) => {
  const reader = new Reader(page)
  const remove = await serveModels(page, georgian)
  const here = { text: georgian(text), model: 'roformer-english' }
  await explorer.open({ ...here, room: 'models' })
  const trouble = (kind: string) => page.getByTestId(`trouble-${kind}`)
  /** Waits for a trouble with these words, reads it and takes it away. */
  const saw = async (kind: string, what: string, words: RegExp) => {
    await expect(trouble(kind), what).toContainText(words)
    await reader.read(what)
    await trouble(kind).getByRole('button').last().click()
    await expect(trouble(kind)).toHaveCount(0)
  }
  for (const [at, [what, spoil, words]] of spoilt.entries()) {
    const folder = `${tinyModel}-spoilt${at}`
    await cp(tinyModel, folder, { recursive: true })
    await spoil(folder)
    await page.getByTestId('pick-folder').setInputFiles(folder)
    await saw('load', what, words)
    await rm(folder, { recursive: true })
  }

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
  await saw('load', 'a dropped photograph', /config\.json/)
  await drop(true)
  await saw('load', 'a dropped file that cannot be read', /it7 was7 moved7/)

  // The hub.
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

  // Links.
  const links: [what: string, set: Record<string, string>, kind: string, words: RegExp][] = [
    ['a scaling that is no JSON', { scaling: 'none1' }, 'run', /JSON/],
    ['a rope of another type', { scaling: '{"rope_type":"strange1"}' }, 'run', /strange1/],
    ['a factor below 1', { scaling: '{"rope_type":"linear","factor":-4}' }, 'run', /factor/],
    ['log-n without a softmax', { logN: '64', attention: 'linear' }, 'run', /log-n/],
  ]
  for (const [what, set, kind, words] of links) {
    await change(page, { ...here, ...set })
    await expect(trouble(kind), what).toContainText(words)
    await reader.read(what)
  }
  await change(page, here)
  await expect(trouble('run')).toHaveCount(0)
  for (const model of ['own:m1', 'm1', '']) {
    await change(page, { ...here, model })
    await expect(page.getByTestId('missing-model')).toContainText(model.replace('own:', ''))
    await reader.read(`a link with the model “${model}”`)
  }
  await change(page, { ...here, model: 'hub:m2/m1' })
  await expect(card).toBeVisible()
  await reader.read('a link with a model of the hub')
  await change(page, here)
  await explorer.settled()

  // The network.
  await page.route('**/roformer-english-causal/model.safetensors', (route) => route.fulfill({ status: 404 }))
  await change(page, { ...here, model: 'roformer-english-causal' })
  await expect(trouble('load')).toContainText('model.safetensors')
  await reader.read('weights that are not there')
  await page.route('**/marian-numbers/config.json', (route) => route.fulfill({ status: 500 }))
  await change(page, { ...here, model: 'marian-numbers' })
  await expect(trouble('load')).toContainText('500')
  await reader.read('a server that fails')
  await page.route('**/roformer-linear-english/model.safetensors', (route) => route.abort())
  await change(page, { ...here, model: 'roformer-linear-english' })
  await expect(trouble('load')).toContainText('model.safetensors')
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

  // The engine.
  await change(page, here)
  await explorer.settled()
  await explorer.resultAfter(() => explorer.post({ type: 'panic' }))
  await saw('engine', 'a crash', /“.+”|„.+”/)
  explorer.caused.add('m1')
  await page.evaluate(() => void Promise.reject(new Error('m1')))
  await saw('page', 'an error of the page', /m1/)
  for (let crash = 0; crash < 4; crash++) await explorer.post({ type: 'panic' })
  await expect(trouble('engine')).toBeVisible()
  await reader.read('crashes')
  await remove()
  reader.end(200)
})
