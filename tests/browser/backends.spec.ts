// Compares both backends of the WASM, over sizes that take every path through the kernels.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as Wasm from '../../web/wasm/ropescope'
import { makeModel, type Sizes } from './commandLine'
import { expect, root, test } from './explorer'

/** The largest difference of each result of one run, over all layers. */
type Differences = Record<'query' | 'key' | 'attention' | 'topProbabilities', number>

type Case = Sizes & { length: number }

/** Runs in the page, for the model in `/own<at>/`. Also says whether both backends predict the same tokens. */
async function compare([at, { layers, heads, length, vocabulary }]: readonly [number, Case]): Promise<
  Differences & { same: boolean }
> {
  const path = '/wasm/ropescope.js'
  const wasm = (await import(path)) as typeof Wasm
  const open = async (backend: Wasm.BackendName) =>
    wasm.Engine.open(backend, (message: string) => {
      throw new Error(message)
    })
  const page = globalThis as unknown as { engines?: Promise<Wasm.Engine[]> }
  page.engines ??= (async () => {
    await wasm.default()
    wasm.giveShaders(await (await fetch('/wasm/shaders.wgsl')).text())
    return [await open('gpu'), await open('cpu')]
  })()
  const config = await (await fetch(`/own${at}/config.json`)).text()
  const weights = new Uint8Array(await (await fetch(`/own${at}/model.safetensors`)).arrayBuffer())
  const header = wasm.headerBytes(weights.subarray(0, 8))
  const ids = Uint32Array.from({ length }, (_, position) => (position * 31 + 7) % vocabulary)
  const rows = Uint32Array.of(0, length - 1)
  for (const engine of await page.engines) {
    const loading = await engine.begin(config, weights.subarray(0, header), weights.length, 'f32')
    // In pieces of an odd size.
    for (let at = header; at < weights.length; at += 4099) loading.push(weights.subarray(at, at + 4099))
    engine.adopt(loading)
  }
  const found = { query: 0, key: 0, attention: 0, topProbabilities: 0, same: true }
  for (let layer = 0; layer < layers; layer++) {
    const run = (engine: Wasm.Engine) => {
      const change = engine.change([], new Int32Array(), '', false, undefined, false)
      return engine.run(ids, rows, 10, 'decoder', layer, heads - 1, 0, change, () => Promise.resolve(true))
    }
    const [a, b] = await Promise.all((await page.engines).map(run))
    if (!a || !b) throw new Error('two engines run')
    for (const name of ['query', 'key', 'attention', 'topProbabilities'] as const) {
      const [left, right] = [a[name], b[name]]
      const largest = left.reduce((most, value, at) => Math.max(most, Math.abs(value - (right[at] ?? NaN))), 0)
      found[name] = Math.max(found[name], left.length === right.length ? largest : NaN)
    }
    found.same &&= a.topIds.join() === b.topIds.join()
  }
  return found
}

const cases: Case[] = [
  // Heads wider than a tile of 32 columns, texts longer than one of 32 rows, sizes that no vec4 divides.
  { layers: 2, hidden: 128, heads: 2, intermediate: 256, vocabulary: 300, length: 40 },
  { layers: 2, hidden: 66, heads: 1, intermediate: 50, vocabulary: 101, length: 33 },
  { layers: 2, hidden: 54, heads: 3, intermediate: 37, vocabulary: 99, length: 70 },
  { layers: 2, hidden: 50, heads: 5, intermediate: 37, vocabulary: 1030, length: 7 },
  { layers: 2, hidden: 36, heads: 9, intermediate: 4, vocabulary: 65, length: 1 },
]

test('@webgpu both backends agree at sizes that take every path', async ({ page, baseURL }) => {
  const folders = await Promise.all(cases.map(() => mkdtemp(join(tmpdir(), 'ropescope-'))))
  for (const [at, { length, ...sizes }] of cases.entries()) await makeModel(folders[at] ?? '', sizes)
  for (const [name, folder] of [['wasm', join(root, 'web/wasm')], ...folders.map((own, at) => [`own${at}`, own])]) {
    await page.route(`**/${name}/*`, (route) => {
      const file = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
      return route.fulfill({ path: join(folder ?? '', file) })
    })
  }
  await page.route('**/blank', (route) => route.fulfill({ body: '<title>blank</title>', contentType: 'text/html' }))
  await page.goto(`${baseURL}blank`)
  for (const [at, sizes] of cases.entries()) {
    const { same, ...differences } = await page.evaluate(compare, [at, sizes] as const)
    const sized = JSON.stringify(sizes)
    expect(same, `both name the same tokens, ${sized}`).toBe(true)
    for (const [name, difference] of Object.entries(differences))
      expect(difference, `${name}, ${sized}`).toBeLessThanOrEqual(1e-4)
  }
  for (const folder of folders) await rm(folder, { recursive: true })
})
