// <rope-attention> of the packed archive: in a plain page with a strict policy, and under a notebook's cell.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { gzipSync } from 'node:zlib'
import type { Locator, Page } from '@playwright/test'
import { faults } from './axe'
import { run } from './commandLine'
import { bundledModel, expect, root, type Options } from './explorer'
import { test } from './packed'

const text = 'The little dog sat on the mat.'

/** SwiftShader compiles first. */
const slow = { timeout: 60_000 }

/** Elements choose the backend by themselves; tests override it. */
async function choose(page: Page, backend: Options['backend'], url: string | RegExp): Promise<void> {
  await page.route(url, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/<rope-attention(?=\s)/g, `<rope-attention backend="${backend}"`)
    await route.fulfill({ response, body })
  })
}

const frame = (element: Locator) => element.getByRole('application')
const readOut = (element: Locator) => element.getByTestId('attention-map-readout')

test('@cpu shows two heads of one model, read by keys and as a table', async ({ page, backend, example, serve }) => {
  const folder = await example('element')
  await cp(bundledModel, join(folder, 'models/roformer-english'), { recursive: true })
  // The elements of package/README.md are in the example.
  const readme = await readFile(join(root, 'package/README.md'), 'utf8')
  const [, shown = ''] = /```html\n([^]*?)```/.exec(readme) ?? []
  const flat = (html: string) => html.replace(/\s+/g, ' ')
  const source = flat(await readFile(join(folder, 'index.html'), 'utf8'))
  for (const element of flat(shown).match(/<[a-z].*?<\/[a-z-]+>/g) ?? ['none']) expect(source).toContain(element)
  const [complaints, asked]: [string[], string[]] = [[], []]
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => asked.push(request.url()))
  const origin = await serve(folder)
  await choose(page, backend, origin)
  await page.goto(origin)

  const elements = page.locator('rope-attention')
  const [first, second] = [elements.nth(0), elements.nth(1)]
  for (const element of [first, second]) {
    await expect(element.locator('figcaption')).toContainText(`roformer-english on the ${backend.toUpperCase()}`, slow)
  }
  await expect(first.locator('figcaption')).toContainText('Layer 2, head 6')
  await expect(second.locator('figcaption')).toContainText('Layer 1, head 1')
  expect(asked.filter((url) => url.endsWith('/model.safetensors'))).toHaveLength(1)
  expect(asked.every((url) => url.startsWith(origin))).toBe(true)

  const tensors = await run(bundledModel, text)
  const weight = (layer: number, head: number, query: number, key: number) =>
    tensors.get(`attentions.${layer}`)?.data[(head * 10 + query) * 10 + key] ?? NaN
  const [most] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].sort((a, b) => weight(1, 1, 4, b) - weight(1, 1, 4, a))
  await expect(readOut(second)).toContainText(`sat 4 → `)
  await expect(readOut(second)).toContainText(weight(1, 1, 4, most ?? 0).toFixed(2))

  await expect(readOut(first)).toContainText('the 1 → [CLS] 0')
  await frame(first).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect(readOut(first)).toContainText('little 2 → the 1')
  const live = first.getByTestId('attention-map-live')
  await expect(live).toHaveText(/^layer 2 head 6, query 'little' 2, key 'the' 1: /)
  expect(Number(/: ([\d.]+), first of 10 keys/.exec(await live.innerText())?.[1])).toBeCloseTo(weight(2, 6, 2, 1), 2)
  // Each element has its own cursor.
  await expect(readOut(second)).toContainText('sat 4')

  await first.getByText('numbers as a table').click()
  const cells = first.getByRole('row').nth(3).getByRole('cell')
  await expect(cells).toHaveCount(10)
  const row = await cells.allInnerTexts()
  row.forEach((cell, key) => expect(Number(cell)).toBeCloseTo(weight(2, 6, 2, key), 4))
  expect(await faults(page, 8)).toEqual([])
  // Optional files of a model may be missing.
  expect(complaints.filter((text) => !/404/.test(text))).toEqual([])
})

test('follows its attributes, the theme, and says what is wrong @cpu', async ({ page, example, serve }) => {
  const folder = await example('element')
  await cp(bundledModel, join(folder, 'models/roformer-english'), { recursive: true })
  const source = await readFile(join(folder, 'index.html'), 'utf8')
  await writeFile(
    join(folder, 'index.html'),
    source.replace(/<main>[^]*<\/main>/, '<main><rope-attention backend="cpu"></rope-attention></main>'),
  )
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(await serve(folder))
  const element = page.locator('rope-attention')
  const set = (attributes: Record<string, string>) =>
    element.evaluate((element, attributes) => {
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    }, attributes)
  const alert = element.getByRole('alert')

  await expect(alert).toHaveText(/^There is no attribute model/)
  await set({ model: 'models/nowhere/' })
  await expect(alert).toHaveText(/^There is no attribute text/)
  await set({ text })
  await expect(alert).toHaveText(/^The map cannot be shown: /)
  await set({ model: 'models/roformer-english/', layer: 'two' })
  await expect(alert).toHaveText('The attribute layer is two: give it a whole number from 0 on.')
  await set({ layer: '9' })
  await expect(alert).toHaveText(/There is no layer 9 head 0: layers are 0 to 3, heads 0 to 7\./, slow)
  await set({ layer: '2', head: '6' })
  await expect(element.locator('figcaption')).toContainText('Layer 2, head 6')
  await expect(alert).toHaveCount(0)

  // The map's corner: a head that looks one token back has no weight there, so it has the background's colour.
  const corner = () =>
    element
      .locator('canvas')
      .first()
      .evaluate((canvas: HTMLCanvasElement) => [
        ...(canvas
          .getContext('2d')
          ?.getImageData(canvas.width - 2, 0, 1, 1)
          .data.slice(0, 3) ?? []),
      ])
  const near = (colour: readonly number[]) => async () =>
    Math.max(...(await corner()).map((byte, at) => Math.abs(byte - (colour[at] ?? NaN))))
  await expect.poll(near([23, 26, 32])).toBeLessThan(12)
  expect(await faults(page, 8)).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(near([255, 255, 255])).toBeLessThan(12)
  // The page sets colours by script, as its style sheet would.
  await element.evaluate((element) => element.style.setProperty('--rope-card', 'rgb(253, 240, 200)'))
  await expect.poll(near([253, 240, 200])).toBeLessThan(12)

  // An element that is moved in the page keeps its state.
  await frame(element).press('End')
  await expect(readOut(element)).toContainText('the 1 → [SEP] 9')
  await element.evaluate((element) => element.parentElement?.prepend(document.createElement('hr'), element))
  await expect(element.locator('figcaption')).toContainText('Layer 2, head 6')
})

test('weighs at most 150 kB packed, besides the engine @cpu', async ({ example }) => {
  const installed = join(await example('element'), 'node_modules/ropescope')
  const element = await readFile(join(installed, 'element.js'), 'utf8')
  // Its other imports are the engine's.
  const imports = [...element.matchAll(/\b(?:from|import)\s*\(?\s*["'`](\.[^"'`]+)/g)].map(([, file]) => file)
  expect(new Set(imports)).toEqual(new Set(['./index.js']))
  expect(gzipSync(element, { level: 9 }).length).toBeLessThan(150_000)
})

/** Acts as a notebook: runs the cells, and shows the last line's value. Ends when its input closes. */
const notebook = `
import ast, json, sys
cells = json.load(open('head.ipynb'))['cells']
assert all(not cell.get('outputs') for cell in cells)
code = ast.parse(''.join(''.join(cell['source']) for cell in cells if cell['cell_type'] == 'code'))
shown = ast.Expression(code.body.pop().value)
scope = {}
exec(compile(code, 'head.ipynb', 'exec'), scope)
print(eval(compile(shown, 'head.ipynb', 'eval'), scope)._repr_html_(), flush=True)
sys.stdin.read()
`

test('@cpu shows a head under a notebook’s cell', async ({ page, backend, example, serve }) => {
  const folder = await example('notebook')
  await cp(bundledModel, join(folder, 'models/roformer-english'), { recursive: true })
  const python = spawn('python3', ['-B', '-c', notebook], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    const [shown] = (await once(createInterface(python.stdout), 'line')) as [string]
    await writeFile(join(folder, 'output.html'), `<!doctype html><title>Output</title>${shown}`)
    await choose(page, backend, /\/heads\/\d+$/)
    await page.goto(`${await serve(folder)}output.html`)
    const element = page.frameLocator('iframe').locator('rope-attention')
    await expect(element.locator('figcaption')).toContainText(`roformer-english on the ${backend.toUpperCase()}`, slow)
    await expect(element.locator('figcaption')).toContainText('Layer 2, head 6')
    await expect(readOut(element)).toContainText('the 1 → [CLS] 0')
    const address = new URL((await page.locator('iframe').getAttribute('src')) ?? '')
    const statuses = await Promise.all(
      [
        '/heads/9',
        '/ropescope/',
        '/ropescope/..',
        '/models/0/',
        '/models/0/other/config.json',
        '/models/0/../../head.ipynb',
        '/head.ipynb',
      ].map(async (path) => (await fetch(`${address.origin}${path}`)).status),
    )
    expect(statuses).toEqual(statuses.map(() => 404))
  } finally {
    python.stdin.end()
    await once(python, 'exit')
  }
})
