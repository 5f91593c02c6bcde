// A causal model of SmolLM2-135M's shape with its weights as f16, int8 and int4, in turn: load, prefill, decode, and the memory that they take.
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { generate, type Generated } from './generate'
import { ids } from './ids'
import { median } from './median'

const root = resolve(import.meta.dirname, '../..')
const server = process.env['BENCH_REPOSITORY'] ?? ''
const folder = process.env['BENCH_DECODER'] ?? ''

const [prompt, tokens] = [128, 32]
/** The first warms up. SwiftShader takes many minutes for one: there the model is loaded, which tells of memory, and not run. */
const prompts = { cpu: 4, gpu: process.env['BENCH_HARDWARE'] ? 4 : 0 }

/** What the engine may have in WASM beyond the weights as they are kept, which on a GPU lie elsewhere. */
const room = 64e6
/** A smaller model would say little about that. */
const least = 250e6

const header = `
| | load ms | prefill tokens/s | decode tokens/s | weights MB | WASM MB, loaded | limit MB | WASM MB, at the end | GPU buffers MB | created at first | later | prefill / the first's | decode / the first's |
|---|---|---|---|---|---|---|---|---|---|---|---|---|`

for (const backend of ['cpu', 'gpu'] as const) {
  test(`weights in formats, ${backend}`, async ({ page, browser }) => {
    expect((await stat(join(root, folder, 'model.safetensors'))).size, 'bytes of the model').toBeGreaterThan(least)
    const { vocab_size } = JSON.parse(await readFile(join(root, folder, 'config.json'), 'utf8')) as {
      vocab_size: number
    }
    await page.goto(`${server}/benches/browser/blank.html`)
    const all = await page.evaluate(generate, {
      ...{ model: `/${folder}`, backend, formats: ['f16', 'int8', 'int4'] as const, tokens },
      prompts: Array.from({ length: prompts[backend] }, (_, turn) => ids(turn + 1, prompt, vocab_size)),
    })
    const { vendor = 'CPU', architecture = '' } = JSON.parse(all[0]?.adapter ?? '{}') as Record<string, string>
    console.log(
      `\n${folder}, ${vendor} ${architecture}, Chromium ${browser.version()}: ${prompts[backend]} prompts of ${prompt} tokens and ${tokens} behind, the first not counted`,
    )
    const speeds = ({ prefills, decodes }: Generated): [number, number] => [
      (1000 * prompt) / median(prefills),
      (1000 * tokens) / median(decodes),
    ]
    const limit = ({ weights }: Generated) => (backend === 'cpu' ? weights : 0) + room
    const written = (number: number, digits: number) => (Number.isNaN(number) ? '' : number.toFixed(digits))
    const megabytes = (bytes: number) => written(bytes / 1e6, 1)
    const [first] = all.map(speeds)
    console.log(header)
    for (const one of all) {
      const [prefill, decode] = speeds(one)
      const beside = [prefill / (first?.[0] ?? NaN), decode / (first?.[1] ?? NaN)].map((ratio) => written(ratio, 2))
      const cells = [
        ...[one.format, written(one.load, 0), written(prefill, 1), written(decode, 2), megabytes(one.weights)],
        ...[one.memory.loaded, limit(one), one.memory.ended, one.gpu.held].map(megabytes),
        ...(prompts[backend] > 0 ? [one.gpu.first, one.gpu.later] : ['', '']),
        ...beside,
      ]
      console.log(`| ${cells.join(' | ')} |`)
    }
    for (const one of all) expect(one.memory.loaded, `WASM memory, ${one.format}`).toBeLessThanOrEqual(limit(one))
  })
}
