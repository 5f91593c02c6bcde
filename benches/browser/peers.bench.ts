// ropescope beside llama.cpp in WASM (wllama): a causal model of SmolLM2-135M's shape, the same weights and ids, a page and so a process each,
// asked in turn. Leaves benches/results/peers.json.
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test, type Browser, type Page } from '@playwright/test'
import { formats } from './blocks'
import { writeGguf, type LlamaConfig } from './gguf'
import { ids } from './ids'
import { median } from './median'
import { openRopescope, openWllama, write, type Opened, type Written } from './peers'

const root = resolve(import.meta.dirname, '../..')
const server = process.env['BENCH_REPOSITORY'] ?? ''
const folder = process.env['BENCH_DECODER'] ?? ''

const [prompt, tokens] = [128, 32]
/** The first turn warms up. */
const turns = Number(process.env['BENCH_TURNS'] ?? 4)

interface Contender {
  name: string
  /** Bits a weight, scales included. */
  bits: number
  open(page: Page): Promise<Opened>
}

/** What both keep of a weight in about the same bits. */
const ours = [
  { format: 'f16', bits: 16 },
  { format: 'int8', bits: 8.5 },
  { format: 'int4', bits: 4.5 },
] as const
const theirs = formats.map((format, at) => ({ format, bits: ours[at]?.bits ?? NaN }))
const ggufOf = (format: string) => `target/bench/random-135m-${format}.gguf`

const contenders: Contender[] = [
  ...ours.map(({ format, bits }) => ({
    ...{ name: `ropescope, ${format}`, bits },
    open: (page: Page) => page.evaluate(openRopescope, { model: `/${folder}`, format }),
  })),
  ...theirs.map(({ format, bits }) => ({
    ...{ name: `wllama 3.8.1, ${format}`, bits },
    open: (page: Page) => page.evaluate(openWllama, { file: `/${ggufOf(format)}` }),
  })),
]

/** Of the processes of pages that are there: the most memory that each ever held, in bytes. Linux alone tells it. */
async function peaks(browser: Browser): Promise<Map<number, number>> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const found = new Map<number, number>()
  for (const { id, type } of processInfo) {
    if (type !== 'renderer') continue
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
    found.set(id, 1024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? NaN))
  }
  return found
}

interface Row extends Opened {
  name: string
  bits: number
  /** Bytes of code and of the model. */
  fetched: number
  /** Of the process of the page, bytes. */
  peak: number
  firsts: number[]
  behinds: number[]
  ids: number[]
}

test('peers', async ({ browser }) => {
  const config = JSON.parse(await readFile(join(root, folder, 'config.json'), 'utf8')) as LlamaConfig
  await mkdir(join(root, 'target/bench'), { recursive: true })
  for (const format of formats) {
    const file = join(root, ggufOf(format))
    if (!(await stat(file).catch(() => undefined))) {
      await writeGguf(config, join(root, folder, 'model.safetensors'), file, format)
    }
  }
  const rows: Row[] = []
  const pages: { page: Page; process: number }[] = []
  for (const { name, bits, open } of contenders) {
    const before = await peaks(browser)
    const page = await (await browser.newContext()).newPage()
    let fetched = 0
    page.on('response', (response) => (fetched += Number(response.headers()['content-length'] ?? NaN)))
    await page.goto(`${server}/benches/browser/blank.html`)
    const opened = await open(page)
    const process = [...(await peaks(browser)).keys()].find((id) => !before.has(id)) ?? NaN
    pages.push({ page, process })
    rows.push({ name, bits, ...opened, fetched, peak: NaN, firsts: [], behinds: [], ids: [] })
    console.log(`${name}: there after ${(opened.load / 1000).toFixed(1)} s`)
  }
  for (let turn = 0; turn < turns; turn++) {
    for (const [at, row] of rows.entries()) {
      const written: Written | undefined = await pages[at]?.page.evaluate(write, {
        prompt: ids(turn + 1, prompt, config.vocab_size),
        tokens,
      })
      expect(written?.ids.length, `${row.name} tells its tokens`).toBe(tokens + 1)
      row.ids.push(written?.ids[0] ?? NaN)
      if (turn === 0 || !written) continue
      row.firsts.push(written.first)
      row.behinds.push(written.behind)
    }
  }
  const held = await peaks(browser)
  rows.forEach((row, at) => (row.peak = held.get(pages[at]?.process ?? NaN) ?? NaN))
  // Halves are the same numbers for both; what is rounded in blocks is not.
  expect(rows[0]?.ids, 'both go on with the same token').toEqual(rows[ours.length]?.ids)

  const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, browser: `Chromium ${browser.version()}` }
  const told = rows.map(({ ids: _, ...row }) => row)
  const results = join(root, 'benches/results')
  await mkdir(results, { recursive: true })
  await writeFile(
    join(results, 'peers.json'),
    `${JSON.stringify({ date: new Date().toISOString().slice(0, 10), machine, prompt, tokens, turns: turns - 1, rows: told }, null, 2)}\n`,
  )
  console.log(
    `\n${machine.cpu}, ${machine.browser}; ${turns - 1} prompts of ${prompt} tokens and ${tokens} behind, WASM, one thread\n`,
  )
  console.log(
    '| | bits a weight | load ms | first token ms | prefill tokens/s | decode tokens/s | fetched MB | peak MB of the process | prefill, decode / wllama’s |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|')
  rows.forEach((row, at) => {
    const peer = rows[ours.length + (at % ours.length)]
    const [first, behind] = [median(row.firsts), median(row.behinds)]
    const ratio = peer ? [median(peer.firsts) / first, median(peer.behinds) / behind].map((one) => one.toFixed(2)) : []
    const cells = [row.name, row.bits, row.load.toFixed(0), first.toFixed(0), ((1000 * prompt) / first).toFixed(1)]
    cells.push(((1000 * tokens) / behind).toFixed(2), (row.fetched / 1e6).toFixed(1), (row.peak / 1e6).toFixed(0))
    console.log(`| ${[...cells, at < ours.length ? ratio.join(', ') : ''].join(' | ')} |`)
  })
})
