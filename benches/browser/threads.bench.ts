// ropescope beside onnxruntime-web on one and on two threads: each in a worker of its own in one page, run in turn.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { rolldown } from 'rolldown'
import type { Contender } from './contender'
import { ids } from './ids'
import { median } from './median'
import { roformerGraph, type Config } from './roformer'
import { readSafetensors } from './safetensors'

const root = resolve(import.meta.dirname, '../..')
const server = process.env['BENCH_REPOSITORY'] ?? ''
const models = [
  { name: 'demo model', folder: 'models/roformer-english' },
  { name: '6 layers, 384, 6 heads', folder: process.env['BENCH_RANDOM_MODEL'] ?? '' },
]
const lengths = [16, 128]
const runs = Number(process.env['BENCH_RUNS'] ?? 41)

test.beforeAll(async () => {
  await mkdir(join(root, 'target/bench'), { recursive: true })
  for (const input of ['benches/browser/contender.ts', 'web/engine/helper.ts']) {
    // What the server has stays where it is.
    const bundle = await rolldown({ input: join(root, input), platform: 'browser', external: /^\/(web|benches)\// })
    await bundle.write({ file: join(root, 'target/bench', basename(input).replace('.ts', '.js')), format: 'esm' })
  }
})

/** In the page: a worker for each contender, all of them once, then in turn. Milliseconds of each, and what it takes for likeliest. */
async function measure({ contenders, runs }: { contenders: Contender[]; runs: number }) {
  if (!crossOriginIsolated) throw new Error('the page is not isolated')
  const workers = contenders.map(() => new Worker('/target/bench/contender.js', { type: 'module' }))
  const told = (worker: Worker, what: Contender | 'run') =>
    new Promise<{ milliseconds: number; topIds: number[] }>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data as { milliseconds: number; topIds: number[] })
      worker.onerror = ({ message }) => reject(new Error(message))
      worker.postMessage(what)
    })
  const results = []
  for (const [at, worker] of workers.entries()) {
    const contender = contenders[at]
    if (!contender) continue
    await told(worker, contender)
    results.push({ worker, topIds: (await told(worker, 'run')).topIds, times: [] as number[] })
  }
  for (let turn = 0; turn < runs; turn++) {
    for (const { worker, times } of results) times.push((await told(worker, 'run')).milliseconds)
  }
  workers.forEach((worker) => worker.terminate())
  return results.map(({ topIds, times }) => ({ topIds, times }))
}

for (const { name, folder } of models) {
  for (const length of lengths) {
    test(`${name}, ${length} tokens, threads`, async ({ page, browser }) => {
      const config = JSON.parse(await readFile(join(root, folder, 'config.json'), 'utf8')) as Config
      const tensors = readSafetensors(await readFile(join(root, folder, 'model.safetensors')))
      const asked = { ids: ids(1, length, config.vocab_size), row: length >> 1 }
      const contenders: Contender[] = []
      for (const relaxed of [true, false]) {
        for (const threads of [1, 2]) {
          contenders.push({ runtime: 'ropescope', threads, relaxed, path: `/${folder}`, ...asked })
        }
      }
      for (const form of ['exported', 'fused'] as const) {
        const path = `/target/bench/${basename(folder)}-${length}-${form}.onnx`
        await writeFile(join(root, path), roformerGraph(config, tensors, length, form))
        for (const threads of [1, 2]) {
          contenders.push({ runtime: 'onnxruntime-web', threads, relaxed: true, path, ...asked })
        }
      }
      await page.goto(`${server}/benches/browser/blank.html`)
      const results = await page.evaluate(measure, { contenders, runs })
      console.log(`\n${name}, ${length} tokens, Chromium ${browser.version()}, ${runs} runs in turn\n`)
      console.log('| | threads | median ms | least ms |\n|---|---|---|---|')
      for (const [at, { topIds, times }] of results.entries()) {
        const { runtime, threads, relaxed, path } = contenders[at] ?? contenders[0]!
        expect(topIds, 'all compute the same').toEqual(results[0]?.topIds)
        const what = runtime === 'ropescope' ? (relaxed ? '' : ', without relaxed SIMD') : `, ${path.split('-').at(-1)}`
        console.log(
          `| ${runtime}${what} | ${threads} | ${median(times).toFixed(1)} | ${Math.min(...times).toFixed(1)} |`,
        )
      }
      const of = (of: (times: number[]) => number, wanted: (contender: Contender) => boolean) =>
        Math.min(...results.flatMap(({ times }, at) => (wanted(contenders[at]!) ? of(times) : [])))
      for (const [what, by] of [
        ['medians', median],
        ['least times', (times: number[]) => Math.min(...times)],
      ] as const) {
        const ours = (threads: number, relaxed: boolean) =>
          of(by, (one) => one.runtime === 'ropescope' && one.threads === threads && one.relaxed === relaxed)
        const theirs = (threads: number) => of(by, (one) => one.runtime !== 'ropescope' && one.threads === threads)
        const ratios = [
          ours(2, true) / ours(1, true),
          theirs(2) / theirs(1),
          ours(1, true) / theirs(1),
          ours(1, false) / theirs(1),
          ours(2, true) / theirs(2),
          ours(2, false) / theirs(2),
        ].map((ratio) => ratio.toFixed(2))
        console.log(
          `by ${what}: two threads / one ${ratios[0]}, of onnxruntime-web ${ratios[1]}; of onnxruntime-web's time on one thread ${ratios[2]}, without relaxed SIMD ${ratios[3]}, on two ${ratios[4]}, ${ratios[5]}`,
        )
      }
    })
  }
}
