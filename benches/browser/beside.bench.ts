// ropescope beside onnxruntime-web: the same models and ids, in one page, on one thread, run in turn.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { ids } from './ids'
import { measure, type Job, type Measured, type Timing } from './measure'
import { median } from './median'
import { Graph } from './onnx'
import { roformerGraph, type Config } from './roformer'
import { readSafetensors } from './safetensors'

const root = resolve(import.meta.dirname, '../..')
const server = process.env['BENCH_REPOSITORY'] ?? ''
const models = [
  { name: 'demo model', folder: 'models/roformer-english' },
  { name: '6 layers, 384, 6 heads', folder: process.env['BENCH_RANDOM_MODEL'] ?? '' },
]
const lengths = [16, 128]
const runs = { cpu: 31, gpu: 3 }

/** Writes the graphs for onnxruntime-web. */
async function peers(folder: string, config: Config, length: number): Promise<NonNullable<Job['peers']>> {
  const tensors = readSafetensors(await readFile(join(root, folder, 'model.safetensors')))
  await mkdir(join(root, 'target/bench'), { recursive: true })
  const graphs = []
  for (const form of ['exported', 'fused'] as const) {
    const path = `target/bench/${basename(folder)}-${length}-${form}.onnx`
    await writeFile(join(root, path), roformerGraph(config, tensors, length, form))
    graphs.push({ name: `onnxruntime-web 1.30.0, graph ${form}`, path: `/${path}` })
  }
  const empty = new Graph()
  empty.output('zero', empty.floats([1], Float32Array.of(0)), [1])
  return { graphs, empty: [...empty.file()] }
}

function row({ name, start, load, first, runs }: Timing, more: (string | number | undefined)[]): string {
  const numbers = [start, load, first, median(runs), Math.min(...runs)].map((value) => value.toFixed(1))
  return `| ${[name, ...numbers, ...more].join(' | ')} |`
}

const header = `
| | start ms | load ms | first run ms | median run ms | least ms | dispatches | MB held | bytes read back | median, onnxruntime-web / ropescope |
|---|---|---|---|---|---|---|---|---|---|`

function counts({ dispatches, bytesHeld = NaN, bytesReadBack }: Measured['report']): (string | number | undefined)[] {
  return [dispatches, (bytesHeld / 1e6).toFixed(1), bytesReadBack]
}

for (const { name, folder } of models) {
  for (const length of lengths) {
    test(`${name}, ${length} tokens`, async ({ page, browser }) => {
      const config = JSON.parse(await readFile(join(root, folder, 'config.json'), 'utf8')) as Config
      const job = { model: `/${folder}`, ids: ids(1, length, config.vocab_size), row: length >> 1 }
      console.log(
        `\n${name}, ${length} tokens, Chromium ${browser.version()}; WASM on one thread, ${runs.cpu} runs in turn`,
      )

      await page.goto(`${server}/benches/browser/blank.html`)
      const onCpu: Job = { ...job, peers: await peers(folder, config, length), backend: 'cpu', runs: runs.cpu }
      const { timings, report } = await page.evaluate(measure, onCpu)
      const [ours, ...theirs] = timings
      if (!ours) throw new Error('nothing was measured')
      for (const peer of theirs) expect(ours.topIds, 'both compute the same').toEqual(peer.topIds)
      const best = Math.min(...theirs.map(({ runs }) => median(runs)))
      console.log(header)
      console.log(row({ ...ours, name: 'ropescope, CPU' }, [...counts(report), (best / median(ours.runs)).toFixed(2)]))
      for (const peer of theirs) console.log(row(peer, ['', '', '', '']))

      await page.reload()
      const onGpu: Job = { ...job, backend: 'gpu', runs: runs.gpu }
      const measured = await page.evaluate(measure, onGpu)
      const [gpu] = measured.timings
      if (!gpu) throw new Error('nothing was measured')
      expect(gpu.topIds, 'both backends compute the same').toEqual(ours.topIds)
      const { vendor, architecture } = JSON.parse(measured.adapter) as Record<string, string>
      const adapter = `ropescope, GPU (${vendor} ${architecture}), ${runs.gpu} runs`
      console.log(row({ ...gpu, name: adapter }, [...counts(measured.report), '']))
    })
  }
}
