// The npm package as a developer gets it: the packed archive and the examples, outside of the repository.
import { execFileSync } from 'node:child_process'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createServer } from 'vite'
import webpack from 'webpack'
import type * as Package from '../../web/package'
import { generate, run } from './commandLine'
import { bundledModel, expect, root } from './explorer'
import { choose, packed, test } from './packed'
import { writeTinyPair } from './tinyPair'

const causalModel = join(root, 'models/roformer-english-causal')
const pairModel = join(root, 'models/marian-numbers')

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
  const sum = row.reduce((sum, logit) => sum + Math.exp(logit), 0)
  const best = [...row].sort((a, b) => b - a).slice(0, 3)
  const percents = (await page.getByRole('listitem').allInnerTexts()).map((line) =>
    Number(/([\d.]+) %$/.exec(line)?.[1]),
  )
  percents.forEach((percent, at) => expect(percent).toBeCloseTo((100 * Math.exp(best[at] ?? NaN)) / sum, 1))
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
  // Optional files of a model may be missing.
  expect(complaints.filter((text) => !/404/.test(text))).toEqual([])
})

test('@cpu writes on in a page that Vite bundles', async ({ page, backend, example, serve }) => {
  const folder = await example('vite')
  await cp(causalModel, join(folder, 'public/models/roformer-english-causal'), { recursive: true })
  // The example's other dependencies.
  await symlink(join(root, 'node_modules/vite'), join(folder, 'node_modules/vite'), 'junction')
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
  execFileSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build'], { cwd: folder })
  const opened = `roformer-english-causal on the ${backend.toUpperCase()}`
  // While developing, the package is not bundled.
  const development = await createServer({ root: folder, server: { port: 0 }, logLevel: 'error' })
  await development.listen()
  await choose(page, backend, /main\.ts$/)
  await page.goto(development.resolvedUrls?.local[0] ?? '')
  await expect(page.locator('#state')).toHaveText(opened, { timeout: 60_000 })
  await development.close()

  await choose(page, backend, /index-[^/]*\.js$/)
  await page.goto(await serve(join(folder, 'dist')))

  await expect(page.locator('#state')).toHaveText(opened, { timeout: 60_000 })
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

test('@cpu compares sentences in a page that webpack bundles', async ({ page, backend, example, serve }) => {
  const folder = await example('webpack')
  await cp(bundledModel, join(folder, 'models/roformer-english'), { recursive: true })
  const { default: config } = (await import(pathToFileURL(join(folder, 'webpack.config.js')).href)) as {
    default: webpack.Configuration
  }
  const built = await new Promise<webpack.StatsCompilation>((resolve, reject) =>
    webpack({ ...config, context: folder, output: { path: join(folder, 'dist') } }, (error, stats) =>
      stats ? resolve(stats.toJson({ all: false, errors: true, warnings: true })) : reject(error),
    ),
  )
  expect({ errors: built.errors, warnings: built.warnings }).toEqual({ errors: [], warnings: [] })
  await choose(page, backend, /main\.js$/)
  await page.goto(await serve(folder))

  await expect(page.locator('#state')).toHaveText(`roformer-english on the ${backend.toUpperCase()}`, {
    timeout: 60_000,
  })
  await expect(page.locator('dd')).toHaveCount(2, { timeout: 60_000 })
  const { load } = await packed(folder)
  const model = await load(bundledModel)
  const [first, ...others] = await Promise.all(
    ['The dog ran home.', 'A dog ran to the house.', 'It is a matter of law.'].map((text) => model.embed(text)),
  )
  const product = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? NaN), 0)
  const cosines = (await page.locator('dd').allInnerTexts()).map(Number)
  if (!first) throw new Error('no vector')
  others.forEach((vector, at) =>
    expect(cosines[at]).toBeCloseTo(
      product(first, vector) / Math.sqrt(product(first, first) * product(vector, vector)),
      2,
    ),
  )
  await model.dispose()
})

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
  // Calls that wait when the model is disposed of are rejected too.
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

test('writes after a source, and tells of both stacks, as the command line does @cpu', async ({ example }) => {
  const { load } = await packed(await example('plain'))
  const model = await load(pairModel)
  const source = '>>hu<<1984'
  const pieces: Package.Piece[] = []
  for await (const piece of model.generate(source)) pieces.push(piece)
  const ids = await generate(pairModel, source, pieces.length)
  expect(pieces.map(({ id }) => id)).toEqual(ids)
  expect(pieces.at(-1)?.ended).toBe('end')
  const text = pieces.map(({ text }) => text).join('')
  const searched: Package.Piece[] = []
  for await (const piece of model.generate({ source }, { numBeams: 3 })) searched.push(piece)
  // For so certain a model, beam search finds the greedy text.
  expect(searched.map(({ text }) => text).join('')).toBe(text)

  const ran = await model.run({ source, text }, { taps: ['attentions', 'hidden_states'] })
  expect(ran.source?.tokens.length).toBeGreaterThan(ran.source?.tokens.indexOf('1') ?? NaN)
  const expected = await run(pairModel, source, '--decoder-ids', Array.from(ran.ids).join(','))
  for (const [name, { data, shape }] of Object.entries({ ...ran.attentions, ...ran.hidden_states, ...ran.outputs })) {
    expect(shape, name).toEqual(expected.get(name)?.shape)
    const apart = data.map((value, at) => Math.abs(value - (expected.get(name)?.data[at] ?? NaN)))
    expect(Math.max(...apart), name).toBeLessThan(1e-4)
  }
  expect(Object.keys(ran.attentions)).toContain('cross_attentions.1')
  const { tokens, weights } = await model.attention(`${source}\t${text}`, { layer: 1, head: 2 })
  const [sources, all] = [ran.source?.ids.length ?? 0, tokens.length]
  expect(all).toBe(sources + ran.ids.length)
  // The text's queries come after the source, and see the source alone.
  const cross = expected.get('cross_attentions.1')?.data ?? new Float32Array()
  const last = ran.ids.length - 1
  for (let key = 0; key < all; key++) {
    const there = key < sources ? (cross[(2 * ran.ids.length + last) * sources + key] ?? NaN) : 0
    expect(weights.data[(all - 1) * all + key]).toBeCloseTo(there, 4)
  }
  const states = expected.get('encoder_hidden_states.2')?.data ?? new Float32Array()
  const [vector, width] = [await model.embed(source), states.length / sources]
  const first = Array.from({ length: sources }, (_, row) => states[row * width] ?? NaN)
  expect(vector[0]).toBeCloseTo(first.reduce((sum, value) => sum + value, 0) / sources, 4)
  await model.dispose()
})

test('fills masks of an encoder–decoder that writes its source again @cpu', async ({ example }) => {
  const folder = await example('plain')
  const own = join(folder, 'models')
  await mkdir(own)
  await writeTinyPair(own, 'bart')
  await writeFile(join(own, 'special_tokens_map.json'), JSON.stringify({ mask_token: '<x>' }))
  const { load } = await packed(folder)
  const model = await load(own)
  const text = 'b e <x> a d'
  const [fills] = await model.fillMask(text, { topK: 3 })
  const { source } = await model.run(text)
  const ids = Array.from(source?.ids ?? [])
  const at = ids.indexOf(3)
  // The start token is 0.
  const written = await run(own, text, '--decoder-ids', [0, ...ids.slice(0, -1)].join(','))
  const logits = [...(written.get('logits')?.data ?? [])].slice(at * 29, (at + 1) * 29)
  const whole = logits.reduce((sum, logit) => sum + Math.exp(logit), 0)
  const best = logits.map((logit, id) => ({ id, logit })).sort((a, b) => b.logit - a.logit)
  expect(fills?.map(({ id }) => id)).toEqual(best.slice(0, 3).map(({ id }) => id))
  fills?.forEach(({ probability }, rank) =>
    expect(probability).toBeCloseTo(Math.exp(best[rank]?.logit ?? NaN) / whole, 4),
  )
  await model.dispose()
})

test('reads Chinese by the word with the words that it is given @cpu', async ({ example }) => {
  const folder = await example('plain')
  const model = join(folder, 'models')
  await mkdir(model)
  for (const file of ['config.json', 'model.safetensors']) await cp(join(bundledModel, file), join(model, file))
  const vocabulary = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', '今天', '天气', '好']
  await writeFile(join(model, 'vocab.txt'), vocabulary.join('\n'))
  await writeFile(join(model, 'tokenizer_config.json'), JSON.stringify({ tokenizer_class: 'RoFormerTokenizer' }))
  const { load } = await packed(folder)
  expect(await load(model).catch((error: unknown) => error)).toMatchObject({
    code: 'tokenizer',
    message: expect.stringMatching(/^models reads Chinese by the word: give load\(\) a function cutWords/),
  })
  const words = ['今天', '天气', '真', '好']
  const opened = await load(model, { cutWords: (text) => (text === words.join('') ? words : [text]) })
  expect((await opened.tokenize('今天天气真好')).tokens).toEqual(['[CLS]', '今天', '天气', '[UNK]', '好', '[SEP]'])
  await opened.dispose()
})
