// A causal model of SmolLM2-135M's shape with its weights as f16, int8 and int4, in turn: load, prefill, decode, and the memory that they take.
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { generate, type Generated } from './generate'
import { ids } from './ids'
import { machineWith } from './machine'
import { median } from './median'
import { Series } from './series'

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

const series = new Series()

test.afterAll(async ({ browser }) => {
  await series.write('formats', await machineWith(browser.version()), 'cargo xtask bench')
})

for (const backend of ['cpu', 'gpu'] as const) {
  test(`weights in formats, ${backend}`, async ({ page }) => {
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
    const speeds = ({ prefills, decodes }: Generated): [number, number] => [
      (1000 * prompt) / median(prefills),
      (1000 * tokens) / median(decodes),
    ]
    const limit = ({ weights }: Generated) => (backend === 'cpu' ? weights : 0) + room
    const [first] = all.map(speeds)
    series.add(
      backend,
      `${vendor} ${architecture}: ${prompts[backend]} prompts of ${prompt} tokens and ${tokens} behind, the first not counted`,
      all.map((one) => {
        const [prefill, decode] = speeds(one)
        return {
          weights: one.format,
          'load ms': one.load,
          'prefill tokens/s': prefill,
          'decode tokens/s': decode,
          'weights MB': one.weights / 1e6,
          'WASM MB, loaded': one.memory.loaded / 1e6,
          'limit MB': limit(one) / 1e6,
          'WASM MB, at the end': one.memory.ended / 1e6,
          'GPU buffers MB': one.gpu.held / 1e6,
          'created at first': prompts[backend] > 0 ? one.gpu.first : null,
          'created later': prompts[backend] > 0 ? one.gpu.later : null,
          'prefill, decode / those of f16': [prefill / (first?.[0] ?? NaN), decode / (first?.[1] ?? NaN)],
        }
      }),
    )
    for (const one of all) expect(one.memory.loaded, `WASM memory, ${one.format}`).toBeLessThanOrEqual(limit(one))
  })
}
