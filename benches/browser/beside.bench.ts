// ropescope beside onnxruntime-web: the same models and ids, on one thread and on two, with and without relaxed SIMD, and on a GPU. Leaves
// benches/results/beside.json.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Contender } from './contender'
import { ids } from './ids'
import { machineWith } from './machine'
import { median } from './median'
import { Graph } from './onnx'
import { prepare, race } from './race'
import type { Race, Raced } from './racing'
import { roformerGraph, type Config } from './roformer'
import { readSafetensors } from './safetensors'

const root = resolve(import.meta.dirname, '../..')
const server = process.env['BENCH_REPOSITORY'] ?? ''
const models = [
  { name: 'demo model', folder: 'models/roformer-english' },
  { name: '6 layers, 384, 6 heads', folder: process.env['BENCH_RANDOM_MODEL'] ?? '' },
]
const lengths = [16, 128]
const backends = ['cpu', 'gpu'] as const
const runs = { cpu: Number(process.env['BENCH_RUNS'] ?? 31), gpu: Number(process.env['BENCH_GPU_RUNS'] ?? 3) }
const empty = 'target/bench/empty.onnx'

/** What all races came to. */
const told: object[] = []
let machine = {}

/** All that are run. */
const races: Race[] = []

test.beforeAll(async ({ browser }) => {
  machine = await machineWith(browser.version())
  await mkdir(join(root, 'target/bench'), { recursive: true })
  const graph = new Graph()
  graph.output('zero', graph.floats([1], Float32Array.of(0)), [1])
  await writeFile(join(root, empty), graph.file())
  for (const { name: model, folder } of models) {
    const config = JSON.parse(await readFile(join(root, folder, 'config.json'), 'utf8')) as Config
    for (const tokens of lengths) {
      const all = await contendersOf(folder, config, tokens)
      for (const backend of backends)
        races.push({ model, tokens, backend, contenders: all.filter((one) => one.backend === backend) })
    }
  }
  await prepare(races)
})

test.afterAll(async () => {
  const results = join(root, 'benches/results')
  await mkdir(results, { recursive: true })
  const date = new Date().toISOString().slice(0, 10)
  await writeFile(join(results, 'beside.json'), `${JSON.stringify({ date, machine, races: told }, null, 2)}\n`)
})

/** All that run a text of this length through the model of this folder. Writes the graphs for onnxruntime-web. */
async function contendersOf(folder: string, config: Config, length: number): Promise<Contender[]> {
  const tensors = readSafetensors(await readFile(join(root, folder, 'model.safetensors')))
  const same = { empty: `/${empty}`, ids: ids(1, length, config.vocab_size), row: length >> 1 }
  const own = { ...same, runtime: 'ropescope', path: `/${folder}` } as const
  const contenders: Contender[] = []
  for (const relaxed of [true, false]) {
    for (const threads of [1, 2]) {
      const name = `ropescope, CPU${relaxed ? '' : ' without relaxed SIMD'}`
      contenders.push({ ...own, name, backend: 'cpu', threads, relaxed })
    }
  }
  contenders.push({ ...own, name: 'ropescope, GPU', backend: 'gpu', threads: 1, relaxed: true })
  for (const form of ['exported', 'fused'] as const) {
    const path = `target/bench/${basename(folder)}-${length}-${form}.onnx`
    await writeFile(join(root, path), roformerGraph(config, tensors, length, form))
    const theirs = { ...same, runtime: 'onnxruntime-web', path: `/${path}`, relaxed: true } as const
    const name = `onnxruntime-web 1.30.0, graph ${form}`
    for (const threads of [1, 2]) contenders.push({ ...theirs, name, backend: 'cpu', threads })
    contenders.push({ ...theirs, name: `${name}, WebGPU`, backend: 'gpu', threads: 1 })
  }
  return contenders
}

const header = `
| | threads | start ms | load ms | first run ms | median run ms | least ms | dispatches | MB held | bytes read back |
|---|---|---|---|---|---|---|---|---|---|`

function row({ name, backend, threads }: Contender, { start, load, first, runs, report, adapter }: Raced): string {
  const numbers = [start, load, first, median(runs), Math.min(...runs)].map((value) => value.toFixed(1))
  const { dispatches = '', bytesHeld, bytesReadBack = '' } = report
  const held = bytesHeld === undefined ? '' : (bytesHeld / 1e6).toFixed(1)
  const called = adapter === '' ? name : `${name} (${adapter})`
  return `| ${[called, backend === 'gpu' ? '' : threads, ...numbers, dispatches, held, bytesReadBack].join(' | ')} |`
}

/** Of those that are wanted the quickest one's time. */
function least(
  contenders: readonly Contender[],
  all: readonly Raced[],
  by: (times: number[]) => number,
  wanted: Partial<Contender>,
): number {
  const fits = (one: Contender) => Object.entries(wanted).every(([key, value]) => one[key as keyof Contender] === value)
  return Math.min(...contenders.flatMap((one, at) => (fits(one) ? by(all[at]?.runs ?? []) : [])))
}

const kinds: [string, (times: number[]) => number][] = [
  ['medians', median],
  ['least times', (times) => Math.min(...times)],
]

for (const { name } of models) {
  for (const length of lengths) {
    for (const backend of backends) {
      test(`${name}, ${length} tokens, ${backend}`, async ({ page, browser }) => {
        const wanted = (race: Race) => race.model === name && race.tokens === length && race.backend === backend
        const { contenders } = races.find(wanted)!
        await page.goto(`${server}/benches/race.html`)
        const all = await race(page, contenders, runs[backend])
        for (const { topIds } of all) expect(topIds, 'all compute the same').toEqual(all[0]?.topIds)
        const rows = contenders.map(({ name, threads, relaxed, backend }, at) => {
          const { topIds: _, ...raced } = all[at]!
          return { name, threads, relaxed, backend, ...raced }
        })
        told.push({ model: name, tokens: length, backend, rows })
        console.log(`\n${name}, ${length} tokens, Chromium ${browser.version()}, ${runs[backend]} runs in turn`)
        console.log(header)
        all.forEach((raced, at) => console.log(row(contenders[at]!, raced)))
        const [mine, theirs] = [{ runtime: 'ropescope' } as const, { runtime: 'onnxruntime-web' } as const]
        const cold = ({ start, load, first }: Raced) => start + load + first
        const coldest = (runtime: Contender['runtime']) =>
          all.filter((_, at) => contenders[at]?.runtime === runtime && contenders[at]?.threads === 1).map(cold)
        const [ours, others] = [coldest('ropescope'), coldest('onnxruntime-web')].map((times) => Math.min(...times))
        console.log(
          `Cold, start to first result, least ms: ${ours?.toFixed(0)}; onnxruntime-web ${others?.toFixed(0)}.`,
        )
        for (const [what, by] of kinds) {
          const ratio = (one: Partial<Contender>, other: Partial<Contender>) =>
            (least(contenders, all, by, one) / least(contenders, all, by, other)).toFixed(2)
          console.log(
            backend === 'gpu'
              ? `By ${what}, of onnxruntime-web's time: ${ratio(mine, theirs)}.`
              : `By ${what}, of onnxruntime-web's time: one thread ${ratio({ ...mine, threads: 1, relaxed: true }, { ...theirs, threads: 1 })}, without relaxed SIMD ${ratio({ ...mine, threads: 1, relaxed: false }, { ...theirs, threads: 1 })}, two ${ratio({ ...mine, threads: 2, relaxed: true }, { ...theirs, threads: 2 })}. Two threads, of one's time: ${ratio({ ...mine, threads: 2, relaxed: true }, { ...mine, threads: 1, relaxed: true })}; onnxruntime-web's ${ratio({ ...theirs, threads: 2 }, { ...theirs, threads: 1 })}.`,
          )
        }
      })
    }
  }
}
