// Both backends of the WASM itself, side by side, over sizes that take every path through the kernels.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeModel, type Sizes } from './commandLine'
import { expect, root, test } from './explorer'

/** What is compared of one run: the largest difference of each result, over all layers. */
type Differences = Record<'query' | 'key' | 'attention' | 'topProbabilities', number>

interface Output extends Record<keyof Differences, Float32Array> {
  topIds: Uint32Array
}

interface Wasm {
  default(): Promise<unknown>
  giveShaders(texts: string): void
  Engine: { open(backend: string, onLost: (message: string) => void): Promise<Engine> }
  headerBytes(start: Uint8Array): number
}

interface Loading {
  push(chunk: Uint8Array): void
}

interface Engine {
  change(
    muted: Uint32Array,
    off: Uint32Array,
    labels: Int32Array,
    ropeScaling: string,
    rotaryValue: boolean,
    rotatesValues: boolean,
    logN: number | undefined,
    reach: number | undefined,
    beyondLength: boolean,
    attention: string,
  ): unknown
  begin(config: string, header: Uint8Array, fileLength: number, weights: string): Promise<Loading>
  adopt(loading: Loading): string
  run(
    ids: Uint32Array,
    rows: Uint32Array,
    topK: number,
    layer: number,
    head: number,
    positionOffset: number,
    change: unknown,
    pause: () => Promise<boolean>,
  ): Promise<Output>
}

/** In the page. Also tells whether both name the same tokens. */
async function compare({
  layers,
  heads,
  length,
  vocabulary,
}: Sizes & { length: number }): Promise<Differences & { same: boolean }> {
  const path = '/wasm/ropescope.js'
  const wasm = (await import(path)) as Wasm
  await wasm.default()
  wasm.giveShaders(await (await fetch('/wasm/shaders.wgsl')).text())
  const config = await (await fetch('/own/config.json')).text()
  const weights = new Uint8Array(await (await fetch('/own/model.safetensors')).arrayBuffer())
  const header = wasm.headerBytes(weights.subarray(0, 8))
  const ids = Uint32Array.from({ length }, (_, position) => (position * 31 + 7) % vocabulary)
  const rows = Uint32Array.of(0, length - 1)
  const open = async (backend: string) => {
    const engine = await wasm.Engine.open(backend, (message) => {
      throw new Error(message)
    })
    const loading = await engine.begin(config, weights.subarray(0, header), weights.length, 'f32')
    // In pieces that end anywhere.
    for (let at = header; at < weights.length; at += 4099) loading.push(weights.subarray(at, at + 4099))
    engine.adopt(loading)
    return engine
  }
  const [gpu, cpu] = [await open('gpu'), await open('cpu')]
  const found = { query: 0, key: 0, attention: 0, topProbabilities: 0, same: true }
  for (let layer = 0; layer < layers; layer++) {
    const none = new Uint32Array()
    const run = (engine: Engine) => {
      const change = engine.change(none, none, new Int32Array(), '', false, false, undefined, undefined, false, '')
      return engine.run(ids, rows, 10, layer, heads - 1, 0, change, () => Promise.resolve(true))
    }
    const [a, b] = [await run(gpu), await run(cpu)]
    for (const name of ['query', 'key', 'attention', 'topProbabilities'] as const) {
      const [left, right] = [a[name], b[name]]
      const largest = left.reduce((most, value, at) => Math.max(most, Math.abs(value - (right[at] ?? NaN))), 0)
      found[name] = Math.max(found[name], left.length === right.length ? largest : NaN)
    }
    found.same &&= a.topIds.join() === b.topIds.join()
  }
  return found
}

const cases: (Sizes & { length: number })[] = [
  // Heads wider than a tile of 32 columns, texts longer than one of 32 rows, sizes that no vec4 divides.
  { layers: 2, hidden: 128, heads: 2, intermediate: 256, vocabulary: 300, length: 40 },
  { layers: 2, hidden: 66, heads: 1, intermediate: 50, vocabulary: 101, length: 33 },
  { layers: 2, hidden: 54, heads: 3, intermediate: 37, vocabulary: 99, length: 70 },
  { layers: 2, hidden: 50, heads: 5, intermediate: 37, vocabulary: 1030, length: 7 },
  { layers: 2, hidden: 36, heads: 9, intermediate: 4, vocabulary: 65, length: 1 },
]

test.describe('@webgpu both backends', () => {
  for (const { length, ...sizes } of cases) {
    test(`agree at hidden size ${sizes.hidden}, ${sizes.heads} heads, ${length} tokens`, async ({ page, baseURL }) => {
      const own = await mkdtemp(join(tmpdir(), 'ropescope-'))
      await makeModel(own, sizes)
      for (const [name, folder] of [
        ['wasm', join(root, 'web/wasm')],
        ['own', own],
      ] as const) {
        await page.route(`**/${name}/*`, (route) => {
          const file = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
          return route.fulfill({ path: join(folder, file) })
        })
      }
      await page.route('**/blank', (route) => route.fulfill({ body: '<title>blank</title>', contentType: 'text/html' }))
      await page.goto(`${baseURL}blank`)
      const found = await page.evaluate(compare, { ...sizes, length })
      await rm(own, { recursive: true })
      expect(found.same, 'both name the same tokens').toBe(true)
      for (const name of ['query', 'key', 'attention', 'topProbabilities'] as const) {
        expect(found[name], name).toBeLessThanOrEqual(1e-4)
      }
    })
  }
})
