// Every view, page and menu, read in Korean and in Hungarian: none has a word of another language.
import type { Locator, Page } from '@playwright/test'
import { expect, test, type Explorer } from './explorer'
import { foreignIn, georgian, Reader } from './foreignWords'
import { change, follow, hashOf, otherParams, serveModels, text, walk } from './walk'

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
  expect(await foreignIn('hu', 'Az L2·H6 fej weights értéke, 가중치, a RoPE szerint')).toEqual(['weights', '가중치'])
  expect(await foreignIn('hu', 'Show the súlyok')).toEqual(['Show'])
  expect(await foreignIn('ko', '키(key), Page 키: attention, weights')).toEqual(['attention', 'weights'])
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
    reader.end(room === 'views' ? 800 : 420)
  })

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

async function readSheets(explorer: Explorer, page: Page, reader: Reader): Promise<void> {
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
  await readSheets(explorer, page, reader)
  await readChanges(explorer, page, reader)
  await readPhone(explorer, page, reader)
  await readWriting(explorer, page, reader)
  await readOtherPages(page, reader)
  await remove()
  reader.end(2100)
})
