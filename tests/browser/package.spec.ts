// The npm package as a developer gets it: the packed archive, and the examples around it, outside of the project.
import { execFileSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { build } from 'vite'
import type * as Package from '../../web/package'
import { generate, run } from './commandLine'
import { bundledModel, expect, root, test as base } from './explorer'

const archive = join(root, 'target/package/ropescope-0.1.0.tgz')
const causalModel = join(root, 'models/roformer-english-causal')
const endings: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.wgsl': 'text/plain',
}

interface Fixtures {
  /** A copy of an example with the unpacked package in its node_modules. */
  example: (name: string) => Promise<string>
  /** Serves a folder, and nothing but its files. */
  serve: (folder: string) => Promise<string>
}

const test = base.extend<Fixtures>({
  example: async ({}, use) => {
    const made: string[] = []
    await use(async (name) => {
      const folder = await mkdtemp(join(tmpdir(), 'ropescope-'))
      made.push(folder)
      await cp(join(root, 'examples', name), folder, { recursive: true })
      const installed = join(folder, 'node_modules/ropescope')
      await mkdir(installed, { recursive: true })
      execFileSync('tar', ['-xzf', archive, '-C', installed, '--strip-components=1'])
      return folder
    })
    for (const folder of made) await rm(folder, { recursive: true })
  },
  serve: async ({}, use) => {
    const servers: Server[] = []
    await use(async (folder) => {
      const server = createServer((request, response) => void answer(folder, request.url ?? '/', response))
      servers.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    })
    for (const server of servers) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  },
})

async function answer(folder: string, url: string, response: import('node:http').ServerResponse): Promise<void> {
  const { pathname } = new URL(url, 'http://host')
  const file = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname)
  const size = (await stat(file).catch(() => undefined))?.size
  if (size === undefined) return void response.writeHead(404).end()
  response.writeHead(200, {
    'content-type': endings[extname(file)] ?? 'application/octet-stream',
    'content-length': size,
  })
  createReadStream(file).pipe(response)
}

/** The examples leave the choice of a backend to the package: a test makes it. */
async function choose(page: Page, backend: string, script: RegExp): Promise<void> {
  await page.route(script, async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    const chosen = text.replace(/(models\/roformer-english(?:-causal)?\/["'`])(\)|,\s*\{)/, (_, model, rest) =>
      rest === ')' ? `${model}, { backend: '${backend}' })` : `${model}, { backend: '${backend}',`,
    )
    const told =
      chosen === text ? text : `${chosen}\nglobalThis.usedModel = typeof model === 'object' ? model : undefined`
    await route.fulfill({ response, body: told })
  })
}

test('fills a gap and paints a head in a plain page with a strict policy', async ({
  page,
  backend,
  example,
  serve,
}) => {
  const folder = await example('plain')
  await cp(bundledModel, join(folder, 'models/roformer-english'), { recursive: true })
  const readme = await readFile(join(root, 'package/README.md'), 'utf8')
  expect(readme).toContain(await readFile(join(folder, 'main.js'), 'utf8'))
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await choose(page, backend, /main\.js$/)
  await page.goto(await serve(folder))

  // SwiftShader compiles first.
  await expect(page.getByRole('listitem')).toHaveCount(3, { timeout: 60_000 })
  await page.waitForFunction(() => 'usedModel' in globalThis)
  const used = await page.evaluate(() => (globalThis as unknown as { usedModel: Package.Model }).usedModel.engine)
  expect(used?.backend).toBe(backend)
  const tensors = await run(bundledModel, 'The little dog sat on the [MASK].')
  const logits = tensors.get('logits')
  const row = logits?.data.subarray(7 * 8192, 8 * 8192) ?? new Float32Array()
  const whole = row.reduce((sum, logit) => sum + Math.exp(logit), 0)
  const best = [...row].sort((a, b) => b - a).slice(0, 3)
  const shown = (await page.getByRole('listitem').allInnerTexts()).map((line) => Number(/([\d.]+) %$/.exec(line)?.[1]))
  shown.forEach((percent, at) => expect(percent).toBeCloseTo((100 * Math.exp(best[at] ?? NaN)) / whole, 1))
  // Layer 2, head 6 looks one token back: its diagonal below the main one is dark, the corners are white.
  const canvas = page.locator('canvas')
  const brightness = (x: number, y: number) =>
    canvas.evaluate(
      (element: HTMLCanvasElement, [x, y]) => element.getContext('2d')?.getImageData(x ?? 0, y ?? 0, 1, 1).data[0],
      [x, y],
    )
  const cell = 320 / 10
  await expect.poll(() => brightness(3.5 * cell, 4.5 * cell)).toBeLessThan(120)
  expect(await brightness(9.5 * cell, 0.5 * cell)).toBeGreaterThan(200)
  // A server may not have what a model may come without.
  expect(complaints.filter((text) => !/404/.test(text))).toEqual([])
})

test('writes on in a page that Vite bundles', async ({ page, backend, example, serve }) => {
  const folder = await example('vite')
  await cp(causalModel, join(folder, 'public/models/roformer-english-causal'), { recursive: true })
  // What the example installs besides the package.
  await symlink(join(root, 'node_modules/vite'), join(folder, 'node_modules/vite'), 'junction')
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
  await build({ root: folder, configFile: join(folder, 'vite.config.ts'), logLevel: 'error' })
  await choose(page, backend, /index-[^/]*\.js$/)
  await page.goto(await serve(join(folder, 'dist')))

  await expect(page.locator('#state')).toHaveText(`roformer-english-causal on the ${backend.toUpperCase()}`, {
    timeout: 60_000,
  })
  await page.getByRole('button').click()
  await expect(page.getByRole('button')).toBeEnabled({ timeout: 60_000 })
  const ids = await generate(causalModel, 'Once upon a time', 12)
  const { load } = await packed(folder)
  const model = await load(causalModel)
  const pieces: Package.Piece[] = []
  for await (const piece of model.generate('Once upon a time', { maxNewTokens: 12 })) pieces.push(piece)
  expect(pieces.map(({ id }) => id)).toEqual(ids)
  await expect(page.locator('#text')).toHaveText(`Once upon a time${pieces.map(({ text }) => text).join('')}`)
  await model.dispose()
})

const packed = (folder: string) =>
  import(pathToFileURL(join(folder, 'node_modules/ropescope/node.js')).href) as Promise<typeof Package>

test('gives the command line’s numbers in Node, in order, and stops @cpu', async ({ example }) => {
  const { load, RopescopeError } = await packed(await example('plain'))
  const model = await load(bundledModel)
  expect(model.engine).toMatchObject({ backend: 'cpu', reason: 'no-webgpu' })
  const text = 'The [MASK] sat on the mat.'
  const [{ tokens, attentions, outputs }, vector] = await Promise.all([
    model.run(text, { taps: ['attentions'] }),
    model.embed(text),
  ])
  expect(tokens[2]).toBe('[MASK]')
  const expected = await run(bundledModel, text)
  for (const [name, { data, shape }] of Object.entries({ ...attentions, ...outputs })) {
    expect(shape, name).toEqual(expected.get(name)?.shape)
    const largest = data.reduce(
      (most, value, at) => Math.max(most, Math.abs(value - (expected.get(name)?.data[at] ?? NaN))),
      0,
    )
    expect(largest, name).toBeLessThan(1e-4)
  }
  expect(Object.keys(attentions)).toEqual(['attentions.0', 'attentions.1', 'attentions.2', 'attentions.3'])
  const states = expected.get('hidden_states.4')?.data ?? new Float32Array()
  const mean = [0, 1, 255].map((at) => {
    const column = [...states].filter((_, index) => index % 256 === at)
    return column.reduce((sum, value) => sum + value, 0) / column.length
  })
  ;[0, 1, 255].forEach((at, index) => expect(vector[at]).toBeCloseTo(mean[index] ?? NaN, 4))

  const codes = async (call: Promise<unknown>) =>
    call.then(
      () => 'none',
      (error: unknown) => (error as { code: unknown }).code,
    )
  expect(await codes(model.fillMask('no mask'))).toBe('no-mask')
  expect(await codes(model.generate('x').next())).toBe('writes-nothing')
  expect(await codes(model.run('x', { taps: ['maps' as 'attentions'] }))).toBe('no-tap')
  const failed = await load(join(tmpdir(), 'ropescope-nowhere')).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(RopescopeError)
  await expect(model.run(text, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
  // What waits when the model goes is refused, too.
  const waiting = codes(model.run(text))
  await model.dispose()
  expect(await waiting).toBe('disposed')
  expect(await codes(model.run(text))).toBe('disposed')
})

test('stops a continuation where nobody reads on @cpu', async ({ example }) => {
  const { load } = await packed(await example('plain'))
  const model = await load(pathToFileURL(`${causalModel}/`))
  const read: string[] = []
  for await (const { text } of model.generate('He said', { maxNewTokens: 400 })) if (read.push(text) === 3) break
  const stop = new AbortController()
  const writing = async () => {
    for await (const { text } of model.generate('He said', { maxNewTokens: 400, signal: stop.signal })) {
      if (read.push(text) === 6) stop.abort()
    }
  }
  await expect(writing()).rejects.toThrow(/abort/i)
  expect(read.slice(3, 6)).toEqual(read.slice(0, 3))
  expect((await model.embed('It goes on.')).length).toBe(256)
  await model.dispose()
})

test('tells what is missing of a model without a tokenizer @cpu', async ({ example }) => {
  const folder = await example('plain')
  await mkdir(join(folder, 'models'))
  for (const file of ['config.json', 'model.safetensors'])
    await cp(join(bundledModel, file), join(folder, 'models', file))
  const { load } = await packed(folder)
  const failed = await load(join(folder, 'models')).catch((error: unknown) => error)
  expect(failed).toMatchObject({ name: 'RopescopeError', code: 'missing-tokenizer' })
  await writeFile(join(folder, 'models/vocab.txt'), '')
  expect(await load(join(folder, 'models')).catch((error: unknown) => error)).toMatchObject({ code: 'tokenizer' })
})
