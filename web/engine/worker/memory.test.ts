// A model that no memory holds is refused by its config and the header of its weights: nothing is allocated for it, and the engine goes on.
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { expect, it, vi } from 'vitest'

/** Of Llama's shape: 0.27 GB a layer as f32, and 16 kB a word. */
function model(layers: number, words: number): { config: string; header: Uint8Array } {
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
  const described = Buffer.from(JSON.stringify(Object.fromEntries(tensors)))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(described.length))
  const config = {
    ...{ model_type: 'llama', architectures: ['LlamaForCausalLM'], vocab_size: words, hidden_size: hidden },
    ...{ num_hidden_layers: layers, num_attention_heads: 32, num_key_value_heads: 32, intermediate_size: inner },
    ...{ hidden_act: 'silu', tie_word_embeddings: true },
  }
  return { config: JSON.stringify(config), header: Uint8Array.from([...length, ...described]) }
}

it('what cannot fit is refused from its header, before memory is allocated', async () => {
  setFlagsFromString('--experimental-wasm-relaxed-simd')
  // An engine of its own: the memory of one that other tests have used has grown.
  vi.resetModules()
  const wasm = await import('../../wasm/ropescope.js')
  const { memory } = wasm.initSync({ module: readFileSync('web/wasm/ropescope_bg.wasm') })
  const engine = await wasm.Engine.open('cpu', () => {})
  const begin = async (layers: number, words: number) => {
    const { config, header } = model(layers, words)
    const loading = await engine.begin(config, header, 0, 'f32')
    loading.free()
  }
  // A word table of 6 GB; 22 layers of 6 GB, of which two thirds would fit; and one layer.
  await expect(begin(1, 360_000)).rejects.toMatchObject({ code: 'memory-refused' })
  await expect(begin(22, 100)).rejects.toMatchObject({ code: 'memory-refused' })
  await begin(1, 100)
  expect(memory.buffer.byteLength).toBeLessThan(400e6)
})
