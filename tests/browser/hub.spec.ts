import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test, type HubServer } from './hubServer'

const names = ['config.json', 'model.safetensors', 'vocab.txt', 'tokenizer.json']
const text = 'the [MASK] sat .'

async function modelFiles(folder: string): Promise<Map<string, Buffer>> {
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)))
}

test.beforeEach(async ({ hubOfTest, tinyModel }) => hubOfTest.reset(await modelFiles(tinyModel)))

const rowOf = (page: Page, name: string) => page.getByTestId('models-table').locator(`[data-model="${name}"]`)
const card = (page: Page) => page.getByTestId('hub-model')

/** Types a name, and requests its description from the hub. */
async function lookUp(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name of a model on huggingface.co' }).fill(name)
  await page.getByRole('button', { name: 'Look it up' }).click()
}

const fetchIt = (page: Page) => card(page).getByRole('button', { name: /^(Fetch|Go on)/ })

test.describe('@cpu a model of the hub', () => {
  test('is shown with sizes and licence, fetched at a click, kept, and deleted', async ({
    explorer,
    page,
    hubOfTest: hub,
  }) => {
    await explorer.open({ room: 'models', text })
    expect(hub.requests, 'before anything is asked for').toEqual([])
    await lookUp(page, hub.name)
    await expect(card(page)).toHaveAttribute('data-stage', 'described')
    await expect(card(page)).toContainText('mit')
    await expect(card(page)).toContainText('roformer, RoFormerForMaskedLM')
    expect(hub.requests.map(({ path }) => path)).toEqual([
      '/api/models/tests/tiny/revision/main',
      `/tests/tiny/resolve/${hub.commit}/config.json`,
    ])
    await fetchIt(page).click()
    await explorer.message('loaded', ({ model }) => model.name === hub.name)
    await explorer.shown({ model: `hub:${hub.name}@${hub.commit}` })
    await expect(page.getByTestId('loaded-model')).toContainText('huggingface.co, commit abababab')
    expect(hub.fetched).toEqual([undefined])
    expect(
      hub.requests.filter(({ method }) => method !== 'GET'),
      'no request asks for leave first',
    ).toEqual([])

    // The next visit opens it from the disk, without a request to the hub.
    const before = hub.requests.length
    await page.reload()
    await explorer.message('loaded', ({ model }) => model.name === hub.name)
    await page.getByRole('link', { name: 'Explorer' }).first().click()
    await explorer.resultAfter(() => explorer.type('the [MASK] sat on the mat .'))
    expect(hub.requests.length).toBe(before)

    await page.getByRole('link', { name: 'Models' }).first().click()
    await expect(page.getByTestId('stored')).toContainText('1 model')
    // Its config.json is on this machine: the row has its facts.
    const row = rowOf(page, hub.name)
    await expect(row).toContainText('RoFormer')
    await expect(row).toContainText('2 × 4')
    await expect(row).toContainText('base 10,000')
    await row.getByRole('button', { name: `Delete ${hub.name}` }).click()
    await expect(row).toBeHidden()
    const left = await page.evaluate(async () => {
      const names: string[] = []
      const root = await navigator.storage.getDirectory()
      for await (const directory of (
        root as unknown as { values(): AsyncIterable<FileSystemDirectoryHandle> }
      ).values()) {
        const within = directory as unknown as { values(): AsyncIterable<FileSystemHandle> }
        for await (const { name } of within.values()) names.push(name)
      }
      return names
    })
    expect(left).toEqual([])
  })

  test('that was deleted behind the page’s back is said to be gone', async ({ explorer, page, hubOfTest: hub }) => {
    await explorer.open({ room: 'models', text })
    await lookUp(page, hub.name)
    await fetchIt(page).click()
    await explorer.message('loaded', ({ model }) => model.name === hub.name)
    await page.getByRole('button', { name: 'Open roformer-english', exact: true }).click()
    await explorer.message('loaded', ({ model }) => model.name === 'roformer-english')
    const row = rowOf(page, hub.name)
    await expect(row.getByRole('button', { name: `Open ${hub.name}` })).toBeVisible()
    await page.evaluate(async () => {
      const root = await navigator.storage.getDirectory()
      const found = root as unknown as { values(): AsyncIterable<FileSystemHandle> }
      for await (const { name } of found.values()) await root.removeEntry(name, { recursive: true })
    })
    await row.getByRole('button', { name: `Open ${hub.name}` }).click()
    await expect(page.getByTestId('models-table').getByRole('alert')).toContainText('is no longer on this machine')
    await expect(row).toBeHidden()
  })

  test('goes on after a cut connection and after a stop', async ({ explorer, page, hubOfTest: hub }) => {
    const size = hub.files.get('model.safetensors')?.length ?? 0
    await explorer.open({ room: 'models', text })
    await lookUp(page, hub.name)
    hub.spoil('model.safetensors', { endsAt: 3000 }, { holdAt: 5000 })
    await fetchIt(page).click()
    const bytes = card(page).getByRole('progressbar', { name: 'Bytes of model.safetensors' })
    await expect(bytes).toHaveJSProperty('value', 3000)
    hub.release()
    await expect.poll(() => hub.fetched).toEqual([undefined, 'bytes=3000-'])
    await expect(bytes).toHaveJSProperty('value', 5000)
    await card(page).getByRole('button', { name: 'Stop' }).click()
    await expect(fetchIt(page)).toHaveText(/Go on/)
    await expect(card(page)).toContainText(/ kB of [\d.]+ kB stored/)
    await fetchIt(page).click()
    await explorer.message('loaded', ({ model }) => model.name === hub.name)
    expect(hub.fetched).toEqual([undefined, 'bytes=3000-', 'bytes=5000-'])
    expect(size).toBeGreaterThan(5000)
    expect(hub.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  const refused: [string, (hub: HubServer) => unknown, RegExp][] = [
    ['is not there', (hub) => hub.spoil('info', { status: 404 }), /No model tests\/tiny/],
    [
      'has no such revision',
      (hub) => hub.spoil('info', { status: 404, headers: { 'x-error-code': 'RevisionNotFound' } }),
      /no revision “main”/,
    ],
    ['is gated', (hub) => (hub.info = { gated: 'auto' }), /gated[\s\S]*on the page Models/],
    ['is gated, as only its files tell', (hub) => hub.spoil('config.json', { status: 401 }), /gated/],
    [
      'is asked for too often',
      (hub) => hub.spoil('info', { status: 429, headers: { 'retry-after': '60' } }),
      /60 seconds/,
    ],
    [
      'is of another family',
      (hub) => hub.files.set('config.json', Buffer.from('{"model_type":"bert","architectures":["BertModel"]}')),
      /does not run bert, BertModel/,
    ],
    ['has no weights', (hub) => hub.files.delete('model.safetensors'), /holds no weights/],
  ]
  test('that cannot be had is refused in words', async ({ explorer, page, hubOfTest: hub, tinyModel }) => {
    await explorer.open({ room: 'models', text })
    const files = await modelFiles(tinyModel)
    for (const [what, spoil, text] of refused) {
      await test.step(what, async () => {
        hub.reset(new Map(files))
        spoil(hub)
        await lookUp(page, hub.name)
        await expect(card(page).getByRole('alert')).toContainText(text)
        expect(hub.fetched).toEqual([])
        await card(page).getByRole('button', { name: 'Dismiss' }).click()
      })
    }
  })

  test('that comes in another length is not taken', async ({ explorer, page, hubOfTest: hub }) => {
    await explorer.open({ room: 'models', text })
    await lookUp(page, hub.name)
    hub.spoil('model.safetensors', { length: 2000 }, { length: 2000 })
    await fetchIt(page).click()
    await expect(card(page).getByRole('alert')).toContainText('shorter than the hub lists')
    await fetchIt(page).click()
    await explorer.message('loaded', ({ model }) => model.name === hub.name)
    expect(hub.fetched).toEqual([undefined, 'bytes=2000-', undefined])
  })

  test('with one wrong byte is not taken', async ({ explorer, page, hubOfTest: hub }) => {
    await explorer.open({ room: 'models', text })
    await lookUp(page, hub.name)
    hub.spoil('model.safetensors', { wrongAt: 4000 })
    await fetchIt(page).click()
    await expect(card(page).getByRole('alert')).toContainText('model.safetensors does not match the hub’s checksum')
    await fetchIt(page).click()
    await explorer.message('loaded', ({ model }) => model.name === hub.name)
    expect(hub.fetched, 'nothing of it was there to go on with').toEqual([undefined, undefined])
  })

  test('can come from the hub’s hosts and no others', async ({ explorer, page, hubOfTest: hub }) => {
    await explorer.open({ room: 'models', text })
    // The browser reports a request before its policy refuses it: only requests at the server count.
    explorer.others.add('https://elsewhere.example')
    hub.spoil('model.safetensors', { sentTo: 'https://elsewhere.example/file' })
    const reached = (url: string) =>
      page.evaluate(
        (url) =>
          fetch(url, { credentials: 'omit' }).then(
            ({ ok }) => ok,
            () => false,
          ),
        url,
      )
    const file = `https://huggingface.co/${hub.name}/resolve/${hub.commit}/model.safetensors`
    expect(await reached('https://elsewhere.example/file')).toBe(false)
    expect(await reached(file), 'sent on to a host that is not allowed').toBe(false)
    expect(await reached(file), 'sent on to one that is').toBe(true)
    expect(hub.requests.filter(({ host }) => host.includes('elsewhere'))).toEqual([])
  })

  test('is left out, and the other models stay, where the hub’s code cannot be fetched', async ({ explorer, page }) => {
    const code = '**/assets/hub.svelte-*.js*'
    await page.route(code, (route) => route.abort())
    await explorer.open({ text })
    await page.getByRole('link', { name: 'Models' }).first().click()
    await expect(rowOf(page, 'roformer-english')).toContainText('RoFormer')
    await expect(page.getByTestId('trouble-load')).toContainText('The code for models of the hub could not be fetched')
    const name = page.getByRole('textbox', { name: 'Name of a model on huggingface.co' })
    await expect(name).toHaveCount(0)
    // The next visit of the page tries again.
    await page.unroute(code)
    await page.getByRole('link', { name: 'Explorer' }).first().click()
    await page.getByRole('link', { name: 'Models' }).first().click()
    await expect(name).toBeVisible()
  })

  test('that a link names is asked about first', async ({ explorer, page, hubOfTest: hub }) => {
    await explorer.visit({ model: `hub:${hub.name}`, text })
    await expect(card(page)).toContainText('This link names a model on huggingface.co')
    await expect(page.getByTestId('model-menu')).toContainText('no model')
    expect(hub.requests).toEqual([])
    await card(page).getByRole('button', { name: 'Ask huggingface.co' }).click()
    await expect(card(page)).toContainText('mit')
    expect(hub.fetched).toEqual([])
    await fetchIt(page).click()
    await explorer.result()
    await expect(card(page)).toBeHidden()
    await explorer.shown({ model: `hub:${hub.name}@${hub.commit}` })
    // The same link, after the model is stored.
    const before = hub.requests.length
    await page.goto('about:blank')
    await explorer.visit({ model: `hub:${hub.name}`, text })
    await explorer.result()
    expect(hub.requests.length).toBe(before)
  })

  test('that a link names can be declined', async ({ explorer, page, hubOfTest: hub }) => {
    await explorer.visit({ model: `hub:${hub.name}`, text })
    await card(page).getByRole('button', { name: 'own model instead' }).click()
    await explorer.result()
    await explorer.shown({ model: 'roformer-english' })
    expect(hub.requests).toEqual([])
  })

  test('is fetched once where two tabs want it', async ({ explorer, page, context, hubOfTest: hub }) => {
    await explorer.open({ room: 'models', text })
    const other = await context.newPage()
    await other.goto(page.url())
    for (const tab of [page, other]) await lookUp(tab, hub.name)
    hub.spoil('model.safetensors', { holdAt: 3000 })
    await fetchIt(page).click()
    await expect.poll(() => hub.fetched.length).toBe(1)
    await fetchIt(other).click()
    await expect(card(other)).toContainText('Another tab is fetching this model')
    hub.release()
    for (const tab of [page, other]) {
      await expect(tab.getByTestId('loaded-model')).toContainText('huggingface.co, commit')
      await expect(tab.getByTestId('stored')).toContainText('1 model')
    }
    expect(hub.fetched).toEqual([undefined])
    // A model that one tab deleted is not listed in the other.
    await page.getByRole('button', { name: `Delete ${hub.name}` }).click()
    await expect(rowOf(other, hub.name)).toBeHidden()
  })

  test('of the table is fetched at one click', async ({ explorer, page, hubOfTest: hub }) => {
    await explorer.open({ room: 'models', text })
    const id = 'EleutherAI/pythia-70m'
    const row = rowOf(page, id)
    await expect(row).toContainText('6 × 8')
    await expect(row).toContainText('apache-2.0')
    await row.getByRole('button', { name: `Fetch 166 MB: ${id}` }).click()
    await explorer.message('loaded', ({ model }) => model.name === id)
    expect(hub.fetched).toEqual([undefined])
    expect(hub.requests[0]?.path).toBe(`/api/models/${id}/revision/main`)
    await expect(row).toContainText('commit abababab')
    await expect(row.getByRole('link', { name: 'See its heads' })).toBeVisible()
    await explorer.shown({ model: `hub:${id}@${hub.commit}` })
  })

  test('of the table that cannot be had is refused below its row', async ({ explorer, page, hubOfTest: hub }) => {
    await explorer.open({ room: 'models', text })
    hub.info = { gated: 'auto' }
    await rowOf(page, 'EleutherAI/pythia-14m')
      .getByRole('button', { name: /^Fetch/ })
      .click()
    await expect(card(page).getByRole('alert')).toContainText('gated')
    await expect(card(page)).toBeInViewport()
    expect(hub.fetched).toEqual([])
    // One that is known to be gated is not asked for.
    const gated = rowOf(page, 'google/gemma-3-270m')
    await expect(gated.getByRole('button')).toHaveCount(0)
    await expect(gated.getByRole('link')).toHaveAttribute('href', /^https:\/\/huggingface\.co\/google\/gemma-3-270m/)
  })

  test('of the table that a link names is fetched at one click, or not', async ({ explorer, page, hubOfTest: hub }) => {
    await explorer.visit({ model: 'hub:EleutherAI/pythia-70m', text })
    await expect(card(page)).toContainText('166 MB, licence: apache-2.0')
    await expect(card(page).getByRole('button', { name: 'Fetch 166 MB from huggingface.co' })).toBeVisible()
    await page.getByRole('link', { name: 'Models' }).first().click()
    await expect(card(page)).toBeInViewport()
    expect(hub.requests).toEqual([])
    await card(page).getByRole('button', { name: 'own model instead' }).click()
    await explorer.result()
    await explorer.shown({ model: 'roformer-english' })
    expect(hub.requests).toEqual([])
  })
})
