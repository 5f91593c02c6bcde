// ropescope beside onnxruntime-web: the same models and ids, on one thread and on two, with and without relaxed SIMD, and on a GPU. Writes a
// series of the subject `race`; with BENCH_BUSY of the subject `busy`, on the CPU alone.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { startBusy } from './busy'
import type { Contender } from './contender'
import { ids } from './ids'
import type { Row } from '../markdown.js'
import { machineWith, type Machine } from './machine'
import { median } from './median'
import { Graph } from './onnx'
import { prepare, race } from './race'
import type { Race, Raced } from './racing'
import { roformerGraph, type Config } from './roformer'
import { readSafetensors } from './safetensors'
import { Series } from './series'

const root = resolve(import.meta.dirname, '../..')
const server = process.env['BENCH_REPOSITORY'] ?? ''
const models = [
  { name: 'demo model', short: 'demo', folder: 'models/roformer-english' },
  { name: '6 layers, 384, 6 heads', short: '6 layers', folder: process.env['BENCH_RANDOM_MODEL'] ?? '' },
]
const lengths = [16, 128]
const isBusy = Boolean(process.env['BENCH_BUSY'])
const backends = isBusy ? (['cpu'] as const) : (['cpu', 'gpu'] as const)
const runs = { cpu: Number(process.env['BENCH_RUNS'] ?? 31), gpu: Number(process.env['BENCH_GPU_RUNS'] ?? 3) }
const empty = 'target/bench/empty.onnx'

const series = new Series()
/** Single runs of all races. */
const singleRuns: object[] = []
/** Rows of ratios and of cold starts, with a column for each model and length. */
const ratios: Record<string, Row> = {}
const colds: Record<string, Row> = {}
let machine: Machine
let endBusy = () => {}

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
  if (isBusy) endBusy = startBusy()
})

test.afterAll(async () => {
  endBusy()
  if (isBusy) series.note('One other process of this machine computed without pause.')
  series.add('ratios', 'Ours / theirs: median, least', Object.values(ratios))
  series.add('cold', 'From nothing to the first result, least ms', Object.values(colds))
  const command = `${isBusy ? 'BENCH_BUSY=1 ' : ''}cargo xtask bench${process.env['BENCH_PEERS'] ? ' --peers' : ''}`
  await series.write(isBusy ? 'busy' : 'race', machine, command, { races: singleRuns })
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

function row({ name, backend, threads }: Contender, { start, load, first, runs, report, adapter }: Raced): Row {
  return {
    runtime: adapter === '' ? name : `${name} (${adapter})`,
    threads: backend === 'gpu' ? null : threads,
    'start ms': start,
    'load ms': load,
    'first run ms': first,
    'median run ms': median(runs),
    'least ms': Math.min(...runs),
    dispatches: report.dispatches ?? null,
    'MB held': report.bytesAllocated === undefined ? null : report.bytesAllocated / 1e6,
    'bytes read back': report.bytesReadBack ?? null,
  }
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

const kinds = [median, (times: number[]) => Math.min(...times)]

for (const { name, short } of models) {
  for (const length of lengths) {
    for (const backend of backends) {
      test(`${name}, ${length} tokens, ${backend}`, async ({ page }) => {
        const wanted = (race: Race) => race.model === name && race.tokens === length && race.backend === backend
        const { contenders } = races.find(wanted)!
        await page.goto(`${server}/benches/race.html`)
        const all = await race(page, contenders, runs[backend])
        for (const { topIds } of all) expect(topIds, 'all compute the same').toEqual(all[0]?.topIds)
        const rows = contenders.map(({ name, threads, relaxed, backend }, at) => {
          const { topIds: _, ...rest } = all[at]!
          return { name, threads, relaxed, backend, ...rest }
        })
        singleRuns.push({ model: name, tokens: length, backend, rows })
        const column = `${short}, ${length}`
        series.add(
          `${column}, ${backend}`,
          `${name}, ${length} tokens, ${backend}: ${runs[backend]} runs in turn`,
          all.map((one, at) => row(contenders[at]!, one)),
        )
        const [mine, theirs] = [{ runtime: 'ropescope' } as const, { runtime: 'onnxruntime-web' } as const]
        const cold = ({ start, load, first }: Raced) => start + load + first
        for (const { runtime } of [mine, theirs]) {
          const isCold = (at: number) => contenders[at]?.runtime === runtime && contenders[at]?.threads === 1
          const what = `${runtime}, ${backend}`
          colds[what] = {
            runtime: what,
            ...colds[what],
            [column]: Math.min(...all.filter((_, at) => isCold(at)).map(cold)),
          }
        }
        const ratio = (one: Partial<Contender>, other: Partial<Contender>) =>
          kinds.map((by) => Number((least(contenders, all, by, one) / least(contenders, all, by, other)).toFixed(3)))
        const [one, two] = [
          { threads: 1, relaxed: true },
          { threads: 2, relaxed: true },
        ]
        const adapter = all.find(({ adapter }) => adapter !== '')?.adapter ?? ''
        const comparisons =
          backend === 'gpu'
            ? { [`WebGPU, ${/swiftshader/i.test(adapter) ? 'SwiftShader' : adapter}`]: ratio(mine, theirs) }
            : {
                'one thread': ratio({ ...mine, ...one }, { ...theirs, threads: 1 }),
                'one thread, without relaxed SIMD': ratio(
                  { ...mine, ...one, relaxed: false },
                  { ...theirs, threads: 1 },
                ),
                'two threads': ratio({ ...mine, ...two }, { ...theirs, threads: 2 }),
                "two threads, of one's": ratio({ ...mine, ...two }, { ...mine, ...one }),
                "onnxruntime-web's two threads, of its one": ratio(
                  { ...theirs, threads: 2 },
                  { ...theirs, threads: 1 },
                ),
                "two threads' time of one's, of onnxruntime-web's": kinds.map((by) => {
                  const scaling = (runtime: Partial<Contender>) =>
                    least(contenders, all, by, { ...runtime, threads: 2 }) /
                    least(contenders, all, by, { ...runtime, threads: 1 })
                  return Number((scaling({ ...mine, relaxed: true }) / scaling(theirs)).toFixed(3))
                }),
              }
        for (const [what, figures] of Object.entries(comparisons))
          ratios[what] = { 'ours / theirs': what, ...ratios[what], [column]: figures }
      })
    }
  }
}
