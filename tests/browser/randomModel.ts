// A RoFormer of any size with seeded weights in f16, for tests that count rather than compare.
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vocabulary, writeTinyTokenizer } from './tinyModel'

export interface Sizes {
  layers: number
  heads: number
  headSize: number
  /** Small, so that the file stays small. */
  intermediate: number
  /** The longest text in tokens. */
  longest: number
}

const one = 0x3c00

/** f16 numbers of both signs between 2⁻⁷ and 2⁻⁵, as small as trained weights. */
function randomHalves(count: number, seed: number): Uint16Array {
  let state = seed
  return Uint16Array.from({ length: count }, () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state & 0x83ff) | ((8 + ((state >>> 10) & 1)) << 10)
  })
}

function shapes({ layers, heads, headSize, intermediate }: Sizes): [name: string, shape: number[]][] {
  const hidden = heads * headSize
  const linear = (name: string, output: number, input: number): [string, number[]][] => [
    [`${name}.weight`, [output, input]],
    [`${name}.bias`, [output]],
  ]
  const norm = (name: string): [string, number[]][] => [
    [`${name}.LayerNorm.weight`, [hidden]],
    [`${name}.LayerNorm.bias`, [hidden]],
  ]
  const layer = (index: number): [string, number[]][] => {
    const at = `roformer.encoder.layer.${index}`
    const self = ['query', 'key', 'value'].flatMap((part) => linear(`${at}.attention.self.${part}`, hidden, hidden))
    return [
      ...self,
      ...linear(`${at}.attention.output.dense`, hidden, hidden),
      ...norm(`${at}.attention.output`),
      ...linear(`${at}.intermediate.dense`, intermediate, hidden),
      ...linear(`${at}.output.dense`, hidden, intermediate),
      ...norm(`${at}.output`),
    ]
  }
  return [
    ['roformer.embeddings.word_embeddings.weight', [vocabulary.length, hidden]],
    ['roformer.embeddings.token_type_embeddings.weight', [2, hidden]],
    ...norm('roformer.embeddings'),
    ...Array.from({ length: layers }, (_, index) => layer(index)).flat(),
    ...linear('cls.predictions.transform.dense', hidden, hidden),
    ...norm('cls.predictions.transform'),
    ['cls.predictions.bias', [vocabulary.length]],
  ]
}

/** Writes config.json, model.safetensors and the tiny model's tokenizer. */
export async function writeRandomModel(folder: string, sizes: Sizes): Promise<void> {
  const config = {
    model_type: 'roformer',
    architectures: ['RoFormerForMaskedLM'],
    vocab_size: vocabulary.length,
    embedding_size: sizes.heads * sizes.headSize,
    hidden_size: sizes.heads * sizes.headSize,
    num_hidden_layers: sizes.layers,
    num_attention_heads: sizes.heads,
    intermediate_size: sizes.intermediate,
    hidden_act: 'gelu',
    layer_norm_eps: 1e-12,
    max_position_embeddings: sizes.longest,
    type_vocab_size: 2,
    rotary_value: false,
    is_decoder: false,
    pad_token_id: 0,
  }
  await writeFile(join(folder, 'config.json'), JSON.stringify(config))
  await writeTinyTokenizer(folder)

  const tensors = shapes(sizes).map(([name, shape]) => ({ name, shape, size: shape.reduce((all, size) => all * size) }))
  let end = 0
  const header = tensors.map(({ name, shape, size }) => {
    const start = end
    end += 2 * size
    return [name, { dtype: 'F16', shape, data_offsets: [start, end] }] as const
  })
  const told = Buffer.from(JSON.stringify(Object.fromEntries(header)))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(told.length))
  const file = await open(join(folder, 'model.safetensors'), 'w')
  for (const part of [length, told]) await file.write(part)
  for (const [index, { name, size }] of tensors.entries()) {
    const gain = name.endsWith('LayerNorm.weight')
    await file.write(gain ? new Uint16Array(size).fill(one) : randomHalves(size, index + 1))
  }
  await file.close()
}
