// Writing in every format in WASM, on one thread: a causal model of SmolLM2-135M's shape, beside llama.cpp (wllama) in its nearest formats. A page
// and so a process each, which take turns. Writes a series of the subject `decode`.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { characters, ggufFile, type LlamaConfig } from './gguf'
import { ids } from './ids'
import { machineWith } from './machine'
import { median } from './median'
import { openRopescope, openWllama, write, type Opened } from './peers'
import { Series } from './series'
import { turnOrder } from './turnOrder'

const root = resolve(import.meta.dirname, '../..')
const server = process.env['BENCH_REPOSITORY'] ?? ''
const folder = process.env['BENCH_DECODER'] ?? ''

const [prompt, tokens] = [16, 64]
/** Behind one that warms up. */
const turns = Number(process.env['BENCH_RUNS'] ?? 31)

const ours = ['f32', 'f16', 'int8', 'int4'] as const
const theirs = [
  { format: 'q8_0', beside: 'int8' },
  { format: 'q4_0', beside: 'int4' },
] as const
const nameOf = (format: (typeof ours)[number]) => `ropescope, ${format}`

interface Contender {
  name: string
  open(page: Page): Promise<Opened>
}

/** Milliseconds of each turn. */
interface Times {
  prefill: number[]
  decode: number[]
}

const kinds = [median, (times: number[]) => Math.min(...times)]

test('decode', async ({ playwright, launchOptions }) => {
  test.setTimeout(60 * 60_000)
  const config = JSON.parse(await readFile(join(root, folder, 'config.json'), 'utf8')) as LlamaConfig
  const contenders: Contender[] = ours.map((format) => ({
    name: nameOf(format),
    open: (page) => page.evaluate(openRopescope, { model: `/${folder}`, format }),
  }))
  for (const { format } of theirs) {
    const file = `/${await ggufFile(config, folder, format)}`
    contenders.push({
      name: `wllama 3.8.1, ${format}`,
      open: (page) => page.evaluate(openWllama, { file, characters }),
    })
  }
  const all: { name: string; page: Page; times: Times }[] = []
  let version = ''
  for (const { name, open } of contenders) {
    const browser = await playwright.chromium.launch(launchOptions)
    version = browser.version()
    const page = await browser.newPage()
    await page.goto(`${server}/benches/browser/blank.html`)
    await open(page)
    all.push({ name, page, times: { prefill: [], decode: [] } })
  }
  for (let turn = 0; turn <= turns; turn++) {
    const job = { prompt: ids(turn + 1, prompt, config.vocab_size), tokens }
    for (const at of turnOrder(turn, all.length)) {
      const { name, page, times } = all[at]!
      const { first, behind, ids } = await page.evaluate(write, job)
      expect(ids.length, `${name} writes its tokens`).toBe(tokens + 1)
      if (turn === 0) continue
      times.prefill.push(first)
      times.decode.push(behind)
    }
  }
  for (const { page } of all) await page.context().browser()?.close()

  const timesOf = (name: string) => all.find((one) => one.name === name)!.times
  const ratio = (what: keyof Times, one: Times, other: Times) =>
    kinds.map((by) => Number((by(one[what]) / by(other[what])).toFixed(3)))
  const [f32, ...smaller] = ours
  const speeds = smaller.map((format) => [format, ratio('decode', timesOf(nameOf(f32)), timesOf(nameOf(format)))])
  const series = new Series()
  series.add(
    'ratios',
    "ropescope's time / theirs: median, least",
    theirs.map(({ format, beside }) => {
      const [mine, other] = [timesOf(nameOf(beside)), timesOf(`wllama 3.8.1, ${format}`)]
      return {
        beside: `wllama 3.8.1, ${format}`,
        ropescope: beside,
        prefill: ratio('prefill', mine, other),
        decode: ratio('decode', mine, other),
      }
    }),
  )
  series.add('speeds', "Decoding speed, as a multiple of f32's: by medians, by least times", [
    { runtime: 'ropescope', ...Object.fromEntries(speeds) },
  ])
  series.add(
    'times',
    'Milliseconds: median, least',
    all.map(({ name, times: { prefill, decode } }) => ({
      runtime: name,
      'prefill ms': kinds.map((by) => by(prefill)),
      'ms a token': kinds.map((by) => by(decode) / tokens),
    })),
  )
  series.note(`Prompts of ${prompt} tokens and ${tokens} behind their first: ${turns} turns behind one that warms up.`)
  const runs = all.map(({ name, times }) => ({ name, ...times }))
  await series.write('decode', await machineWith(version), 'cargo xtask bench --peers', { rows: runs })
})
