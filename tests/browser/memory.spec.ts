// A model that no memory holds is refused by its config and the header of its weights: nothing is taken for it, and the engine goes on.
import { join } from 'node:path'
import type * as Wasm from '../../web/wasm/ropescope'
import { expect, root, test } from './explorer'

/** Of Llama's shape: 0.27 GB a layer as f32, and 16 kB a word. */
function model([layers, words]: readonly [number, number]): { config: string; header: number[] } {
  const [hidden, inner] = [4096, 32]
  const shapes: Record<string, number[]> = {
    'model.embed_tokens.weight': [words, hidden],
    'model.norm.weight': [hidden],
  }
  for (let layer = 0; layer < layers; layer++) {
    const at = `model.layers.${layer}`
    for (const name of ['q', 'k', 'v', 'o']) shapes[`${at}.self_attn.${name}_proj.weight`] = [hidden, hidden]
    for (const name of ['gate', 'up']) shapes[`${at}.mlp.${name}_proj.weight`] = [inner, hidden]
    shapes[`${at}.mlp.down_proj.weight`] = [hidden, inner]
    for (const name of ['input', 'post_attention']) shapes[`${at}.${name}_layernorm.weight`] = [hidden]
  }
  let end = 0
  const tensors = Object.entries(shapes).map(([name, shape]) => {
    const start = end
    end += 2 * shape.reduce((all, size) => all * size)
    return [name, { dtype: 'F16', shape, data_offsets: [start, end] }]
  })
  const told = Buffer.from(JSON.stringify(Object.fromEntries(tensors)))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(told.length))
  const config = {
    ...{ model_type: 'llama', architectures: ['LlamaForCausalLM'], vocab_size: words, hidden_size: hidden },
    ...{ num_hidden_layers: layers, num_attention_heads: 32, num_key_value_heads: 32, intermediate_size: inner },
    ...{ hidden_act: 'silu', tie_word_embeddings: true },
  }
  return { config: JSON.stringify(config), header: [...length, ...told] }
}

/** In the page: what each model is answered with, and the WASM's memory at the end. */
async function begin(models: { config: string; header: number[] }[]): Promise<{ answers: string[]; memory: number }> {
  const path = '/wasm/ropescope.js'
  const wasm = (await import(path)) as typeof Wasm
  const { memory } = await wasm.default()
  const engine = await wasm.Engine.open('cpu', () => {})
  const answers: string[] = []
  for (const { config, header } of models) {
    try {
      const loading = await engine.begin(config, Uint8Array.from(header), 0, 'f32')
      loading.free()
      answers.push('begun')
    } catch (error) {
      answers.push((error as { code: string }).code)
    }
  }
  return { answers, memory: memory.buffer.byteLength }
}

test('@cpu what cannot fit is refused from its header, before memory is taken', async ({ page, baseURL }) => {
  await page.route('**/wasm/*', (route) => {
    const file = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    return route.fulfill({ path: join(root, 'web/wasm', file) })
  })
  await page.route('**/blank', (route) => route.fulfill({ body: '<title>blank</title>', contentType: 'text/html' }))
  await page.goto(`${baseURL}blank`)
  // A word table of 6 GB; 22 layers of 6 GB, of which two thirds would fit; and one layer.
  const sizes = [
    [1, 360_000],
    [22, 100],
    [1, 100],
  ] as const
  const { answers, memory } = await page.evaluate(begin, sizes.map(model))
  expect(answers).toEqual(['memory-refused', 'memory-refused', 'begun'])
  expect(memory).toBeLessThan(400e6)
})
