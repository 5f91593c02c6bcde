// ropescope beside llama.cpp in WASM (wllama) and transformers.js: a causal model of SmolLM2-135M's shape, the same weights and ids, a page and so a process each,
// asked in turn. Writes a series of the subject `peers`.
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test, type Browser, type Page } from '@playwright/test'
import { formats, type Format } from './blocks'
import { characters, ggufFile, type LlamaConfig } from './gguf'
import { ids } from './ids'
import { dtypes, llamaGraph, type Dtype } from './llamaOnnx'
import { machineWith } from './machine'
import { median } from './median'
import { openRopescope, openTransformers, openWllama, write, type Opened, type Written } from './peers'
import { readSafetensors } from './safetensors'
import { Series } from './series'

const root = resolve(import.meta.dirname, '../..')
const server = process.env['BENCH_REPOSITORY'] ?? ''
const folder = process.env['BENCH_DECODER'] ?? ''

const [prompt, tokens] = [128, 32]
/** What the tables of cosines are made for. */
const positions = 512
/** The first turn is cold: it is told apart. */
const turns = Number(process.env['BENCH_TURNS'] ?? 4)

interface Contender {
  name: string
  /** Bits a weight, scales included. */
  bits: number
  /** Which of ours it is beside. */
  beside: (typeof ours)[number]['format']
  open(page: Page): Promise<Opened>
}

/** What both keep of a weight in about the same bits. */
const ours = [
  { format: 'f16', bits: 16 },
  { format: 'int8', bits: 8.5 },
  { format: 'int4', bits: 4.5 },
] as const
const theirs = [
  { format: 'f16', bits: 16, beside: 'f16' },
  { format: 'q8_0', bits: 8.5, beside: 'int8' },
  { format: 'q4_0', bits: 4.5, beside: 'int4' },
] as const satisfies readonly { format: Format; bits: number; beside: string }[]
const graphs = [
  { dtype: 'fp32', bits: 32, beside: 'f16' },
  { dtype: 'q4', bits: 5, beside: 'int4' },
] as const satisfies readonly { dtype: Dtype; bits: number; beside: string }[]
/** Paths of the files that llama.cpp reads. */
const ggufs: Partial<Record<Format, string>> = {}
const onnx = 'target/bench/random-135m-onnx'
const onnxOf = (dtype: Dtype) => `${onnx}/onnx/model${dtype === 'fp32' ? '' : `_${dtype}`}.onnx`

const contenders: Contender[] = [
  ...ours.map(({ format, bits }) => ({
    ...{ name: `ropescope, ${format}`, bits, beside: format },
    open: (page: Page) => page.evaluate(openRopescope, { model: `/${folder}`, format }),
  })),
  ...theirs.map(({ format, bits, beside }) => ({
    ...{ name: `wllama 3.8.1, ${format}`, bits, beside },
    open: (page: Page) => page.evaluate(openWllama, { file: `/${ggufs[format]}`, characters }),
  })),
  ...graphs.map(({ dtype, bits, beside }) => ({
    ...{ name: `transformers.js 4.3.1, ${dtype}`, bits, beside },
    open: (page: Page) => page.evaluate(openTransformers, { model: `/${onnx}`, dtype }),
  })),
]

/** Writes what the other runtimes read, where it is not there yet. */
async function prepare(config: LlamaConfig): Promise<void> {
  const weights = join(root, folder, 'model.safetensors')
  const missing = async (path: string) => !(await stat(join(root, path)).catch(() => undefined))
  for (const format of formats) ggufs[format] = await ggufFile(config, folder, format)
  await mkdir(join(root, onnx, 'onnx'), { recursive: true })
  await copyFile(join(root, folder, 'config.json'), join(root, onnx, 'config.json'))
  for (const dtype of dtypes) {
    if (!(await missing(onnxOf(dtype)))) continue
    const graph = llamaGraph(config, readSafetensors(await readFile(weights)), positions, dtype)
    await writeFile(join(root, onnxOf(dtype)), graph)
  }
}

/** The most memory that a page's process of this browser ever held, in bytes: it has one page. Linux alone tells it. */
async function peak(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const pages = processInfo.filter(({ type }) => type === 'renderer')
  const told = await Promise.all(pages.map(({ id }) => readFile(`/proc/${id}/status`, 'utf8').catch(() => '')))
  return Math.max(...told.map((status) => 1024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0)))
}

interface Row extends Opened {
  name: string
  bits: number
  beside: string
  /** Bytes of code and of the model. */
  fetched: number
  /** Of the process of the page, bytes. */
  peak: number
  /** Milliseconds to the first token of the first turn. */
  cold: number
  firsts: number[]
  behinds: number[]
  ids: number[]
}

test('peers', async ({ playwright, launchOptions }) => {
  const config = JSON.parse(await readFile(join(root, folder, 'config.json'), 'utf8')) as LlamaConfig
  await prepare(config)
  const rows: Row[] = []
  const pages: { page: Page; browser: Browser }[] = []
  for (const { name, bits, beside, open } of contenders) {
    // A browser each, so that what a page's process held is known to be this one's.
    const browser = await playwright.chromium.launch(launchOptions)
    const page = await browser.newPage()
    const row: Row = {
      ...{ name, bits, beside, load: NaN, fetched: 0, peak: NaN, cold: NaN },
      ...{ firsts: [], behinds: [], ids: [] },
    }
    page.on('requestfinished', async (request) => {
      const { responseBodySize } = await request.sizes()
      row.fetched += responseBodySize
    })
    await page.goto(`${server}/benches/browser/blank.html`)
    Object.assign(row, await open(page))
    pages.push({ page, browser })
    rows.push(row)
    console.log(`${name}: there after ${(row.load / 1000).toFixed(1)} s`)
  }
  for (let turn = 0; turn < turns; turn++) {
    for (const [at, row] of rows.entries()) {
      const written: Written | undefined = await pages[at]?.page.evaluate(write, {
        prompt: ids(turn + 1, prompt, config.vocab_size),
        tokens,
      })
      expect(written?.ids.length, `${row.name} tells its tokens`).toBe(tokens + 1)
      row.ids.push(written?.ids[0] ?? NaN)
      if (!written) continue
      if (turn === 0) {
        row.cold = written.first
        continue
      }
      row.firsts.push(written.first)
      row.behinds.push(written.behind)
    }
  }
  let version = ''
  for (const [at, { browser }] of pages.entries()) {
    const row = rows[at]
    if (row) row.peak = await peak(browser)
    version = browser.version()
    await browser.close()
  }
  const series = new Series()
  series.add(
    'peers',
    `SmolLM2-135M's shape, random weights, WASM, one thread; medians of ${turns - 1} prompts of ${prompt} tokens and ${tokens} behind`,
    rows.map((row, at) => {
      const [first, behind] = [median(row.firsts), median(row.behinds)]
      const mine = rows[ours.findIndex(({ format }) => format === row.beside)]
      const ratio = [first / median(mine?.firsts ?? []), behind / median(mine?.behinds ?? [])]
      return {
        runtime: row.name,
        'bits a weight': row.bits,
        'load ms': row.load,
        'first token ms, cold': row.cold,
        'first token ms': first,
        'prefill tokens/s': (1000 * prompt) / first,
        'decode tokens/s': (1000 * tokens) / behind,
        'fetched MB': row.fetched / 1e6,
        'peak MB': row.peak / 1e6,
        "prefill, decode: ropescope's / this one's": at < ours.length ? null : ratio,
      }
    }),
  )
  const runs = rows.map(({ ids: _, ...row }) => row)
  await series.write('peers', await machineWith(version), 'cargo xtask bench --peers', {
    prompt,
    tokens,
    turns: turns - 1,
    rows: runs,
  })
  // Halves are the same numbers for both; what is rounded in blocks is not.
  expect(rows[0]?.ids, 'llama.cpp goes on with the same token').toEqual(rows[ours.length]?.ids)
  expect(rows[0]?.ids, 'transformers.js goes on with the same token').toEqual(rows[2 * ours.length]?.ids)
})
