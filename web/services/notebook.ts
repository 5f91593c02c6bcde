// The RoFormer of a Hungarian notebook, with its sizes and 77,509,632 random weights.
import { failure } from '../engine/protocol/failure'
import type { ModelSource } from '../engine/protocol/protocol'
import { bundledSource } from './bundled'

export const notebookName = 'roformer-notebook'

export const notebookSizes = {
  vocab_size: 32_000,
  hidden_size: 768,
  intermediate_size: 3072,
  n_layers: 4,
  n_heads: 4,
  block_size: 1024,
}

/** Its config.json. */
export const notebookConfig = {
  model_type: 'roformer_notebook',
  ...notebookSizes,
  rope_base: 1_000_000,
  layer_norm_eps: 1e-5,
}

type NotebookSizes = typeof notebookSizes

/** Of its state dict. */
export function notebookTensors({ vocab_size, hidden_size, intermediate_size, n_layers }: NotebookSizes) {
  const tensors: (readonly [name: string, shape: readonly number[]])[] = [
    ['token_embeddings.weight', [vocab_size, hidden_size]],
  ]
  const linear = (name: string, rows: number, columns: number) =>
    tensors.push([`${name}.weight`, [rows, columns]], [`${name}.bias`, [rows]])
  const norm = (name: string) => tensors.push([`${name}.weight`, [hidden_size]], [`${name}.bias`, [hidden_size]])
  for (let layer = 0; layer < n_layers; layer++) {
    const at = `layers.${layer}`
    for (const part of ['query', 'key', 'value', 'w_o']) linear(`${at}.attention.${part}`, hidden_size, hidden_size)
    linear(`${at}.feed_forward.c_fc`, intermediate_size, hidden_size)
    linear(`${at}.feed_forward.c_proj`, hidden_size, intermediate_size)
    for (const part of ['feed_forward.layer_norm', 'attention_norm', 'ffn_norm']) norm(`${at}.${part}`)
  }
  tensors.push(['output.weight', [vocab_size, hidden_size]])
  return tensors
}

/** All weights repeat this many random numbers, each from another start. */
const randomCount = 1 << 20
/** 1 in f16. */
const one = 0x3c00

/** f16 of both signs, with sizes from 0.008 to 0.06. */
function randomHalves(): Uint16Array<ArrayBuffer> {
  let state = 1
  return Uint16Array.from({ length: randomCount }, () => {
    state = (state * 48_271) % 2_147_483_647
    return ((state & 1) << 15) | (0x2000 + ((state >> 4) % 0xb80))
  })
}

/** A safetensors file of f16; gains are 1, biases 0. */
export function randomWeights(sizes: NotebookSizes): Blob {
  const block = randomHalves()
  const parts: BlobPart[] = []
  let end = 0
  const header = notebookTensors(sizes).map(([name, shape], index) => {
    const size = shape.reduce((all, size) => all * size, 1)
    if (name.endsWith('.bias')) parts.push(new Uint16Array(size))
    else if (/norm\.weight$/.test(name)) parts.push(new Uint16Array(size).fill(one))
    else {
      let start = (index * 104_729) % randomCount
      for (let left = size; left > 0; start = 0) {
        const part = block.subarray(start, Math.min(randomCount, start + left))
        parts.push(part)
        left -= part.length
      }
    }
    const first = end
    end += 2 * size
    return [name, { dtype: 'F16', shape, data_offsets: [first, end] }] as const
  })
  const headerBytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(header)))
  const length = new BigUint64Array([BigInt(headerBytes.length)])
  return new Blob([length, headerBytes, ...parts])
}

/**
 * The model with the tokenizer of roformer-english, whose vocabulary is smaller.
 *
 * @throws {Failure} where the tokenizer cannot be fetched
 */
export async function notebookSource(): Promise<ModelSource> {
  const from = bundledSource('roformer-english')
  const base = from.kind === 'url' ? from.base : document.baseURI
  const answer = await fetch(new URL('tokenizer.json', base)).catch(() => undefined)
  if (!answer?.ok) throw failure('fetch', String(answer?.status ?? ''), true)
  const files = [
    new File([JSON.stringify(notebookConfig)], 'config.json'),
    new File([randomWeights(notebookSizes)], 'model.safetensors'),
    new File([await answer.blob()], 'tokenizer.json'),
  ]
  return { kind: 'files', name: notebookName, files }
}
