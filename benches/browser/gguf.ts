// A causal Llama of Hugging Face's form as a GGUF file, as llama.cpp reads it.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { kinds, stored, whole, type Format } from './blocks'

export interface LlamaConfig {
  vocab_size: number
  hidden_size: number
  num_hidden_layers: number
  num_attention_heads: number
  num_key_value_heads: number
  intermediate_size: number
  max_position_embeddings: number
  rms_norm_eps: number
  rope_theta: number
}

type Value = number | { float: number } | string | boolean | readonly string[] | { int32s: readonly number[] }

/** Runs of characters, by the first and how many: as many as there are ids, each stands for one. Texts are cut into characters then. */
export const characters: readonly (readonly [first: number, count: number])[] = [
  [0x3400, 6592],
  [0x4e00, 20992],
  [0xac00, 11172],
  [0x20000, 42720],
]

/** The character that an id is written as. */
export function characterOf(id: number): string {
  let rest = id
  for (const [first, count] of characters) {
    if (rest < count) return String.fromCodePoint(first + rest)
    rest -= count
  }
  throw new Error(`there is no character for ${id}`)
}

/** Tensors of a GGUF file begin at multiples of this. */
const alignment = 32

const roles: Record<string, string> = {
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
  input_layernorm: 'attn_norm',
  post_attention_layernorm: 'ffn_norm',
}

/** The name that llama.cpp knows a tensor by. */
export function nameOf(name: string): string {
  if (name === 'model.embed_tokens.weight') return 'token_embd.weight'
  if (name === 'model.norm.weight') return 'output_norm.weight'
  const [, layer, role = ''] = /^model\.layers\.(\d+)\.(.*)\.weight$/.exec(name) ?? []
  const known = roles[role]
  if (!known) throw new Error(`${name} is no tensor of a tied Llama`)
  return `blk.${layer}.${known}.weight`
}

/** Rows of heads in llama.cpp's order: pairs that turn together lie beside each other, where Hugging Face has them half a head apart. */
export function paired(rows: Float32Array, heads: number, width: number): Float32Array {
  const size = rows.length / width / heads
  const out = new Float32Array(rows.length)
  for (let row = 0; row < heads * size; row++) {
    const [head, at] = [Math.floor(row / size), row % size]
    const from = head * size + (at % 2) * (size / 2) + (at >> 1)
    out.set(rows.subarray(from * width, (from + 1) * width), row * width)
  }
  return out
}

const text = (words: string) => {
  const bytes = new TextEncoder().encode(words)
  return [u64(bytes.length), bytes]
}
const u32 = (value: number) => new Uint8Array(Uint32Array.of(value).buffer)
const u64 = (value: number) => new Uint8Array(BigUint64Array.of(BigInt(value)).buffer)

function valued(value: Value): Uint8Array[] {
  if (typeof value === 'number') return [u32(4), u32(value)]
  if (typeof value === 'boolean') return [u32(7), Uint8Array.of(value ? 1 : 0)]
  if (typeof value === 'string') return [u32(8), ...text(value)]
  if ('float' in value) return [u32(6), new Uint8Array(Float32Array.of(value.float).buffer)]
  if ('int32s' in value) {
    return [u32(9), u32(5), u64(value.int32s.length), new Uint8Array(Int32Array.from(value.int32s).buffer)]
  }
  return [u32(9), u32(8), u64(value.length), ...value.flatMap(text)]
}

function described(config: LlamaConfig): Record<string, Value> {
  const words = Array.from({ length: config.vocab_size }, (_, id) => characterOf(id))
  return {
    'general.architecture': 'llama',
    'llama.block_count': config.num_hidden_layers,
    'llama.context_length': config.max_position_embeddings,
    'llama.embedding_length': config.hidden_size,
    'llama.feed_forward_length': config.intermediate_size,
    'llama.attention.head_count': config.num_attention_heads,
    'llama.attention.head_count_kv': config.num_key_value_heads,
    'llama.attention.layer_norm_rms_epsilon': { float: config.rms_norm_eps },
    'llama.rope.dimension_count': config.hidden_size / config.num_attention_heads,
    'llama.rope.freq_base': { float: config.rope_theta },
    'llama.vocab_size': config.vocab_size,
    // It takes texts alone: each id is a character.
    'tokenizer.ggml.model': 'llama',
    'tokenizer.ggml.tokens': words,
    'tokenizer.ggml.token_type': { int32s: words.map(() => 1) },
    'tokenizer.ggml.bos_token_id': 0,
    'tokenizer.ggml.eos_token_id': 0,
    'tokenizer.ggml.unknown_token_id': 0,
    'tokenizer.ggml.add_bos_token': false,
    'tokenizer.ggml.add_space_prefix': false,
  }
}

interface Entry {
  shape: number[]
  data_offsets: [number, number]
}

const root = resolve(import.meta.dirname, '../..')

/** Writes the file of a model of SmolLM2-135M's shape, where it is not there yet. @returns its path in the repository */
export async function ggufFile(config: LlamaConfig, folder: string, format: Format): Promise<string> {
  const path = `target/bench/random-135m-${format}.gguf`
  const isThere = await stat(join(root, path)).catch(() => undefined)
  if (!isThere) await writeGguf(config, join(root, folder, 'model.safetensors'), join(root, path), format)
  return path
}

/** Writes the file of a model whose safetensors are halves; vectors become f32, as llama.cpp wants them. */
async function writeGguf(config: LlamaConfig, weights: string, out: string, format: Format): Promise<void> {
  const file = await open(weights)
  const read = async (from: number, length: number) => {
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, from)
    return new Uint8Array(buffer)
  }
  const length = Number(new DataView((await read(0, 8)).buffer).getBigUint64(0, true))
  const header = JSON.parse(new TextDecoder().decode(await read(8, length))) as Record<string, Entry>
  const tensors = Object.entries(header).filter(([name]) => name !== '__metadata__')

  const entries = Object.entries(described(config))
  const head: Uint8Array[] = [new TextEncoder().encode('GGUF'), u32(3), u64(tensors.length), u64(entries.length)]
  head.push(...entries.flatMap(([name, value]) => [...text(name), ...valued(value)]))
  let offset = 0
  const padded = (bytes: number) => Math.ceil(bytes / alignment) * alignment
  for (const [name, { shape }] of tensors) {
    const { type, numbers, bytes } = kinds[shape.length > 1 ? format : 'f32']
    head.push(...text(nameOf(name)), u32(shape.length), ...shape.toReversed().map(u64), u32(type), u64(offset))
    offset += padded((shape.reduce((all, one) => all * one, 1) / numbers) * bytes)
  }
  const stream = createWriteStream(out)
  let written = 0
  const write = async (bytes: Uint8Array) => {
    written += bytes.length
    if (!stream.write(bytes)) await once(stream, 'drain')
  }
  const pad = () => write(new Uint8Array(padded(written) - written))
  for (const bytes of head) await write(bytes)
  await pad()
  for (const [name, { shape, data_offsets }] of tensors) {
    const halves = await read(8 + length + data_offsets[0], data_offsets[1] - data_offsets[0])
    const numbers = Float32Array.from(new Uint16Array(halves.buffer), whole)
    const heads = /q_proj/.test(name)
      ? config.num_attention_heads
      : /k_proj/.test(name)
        ? config.num_key_value_heads
        : undefined
    const rows = heads === undefined ? numbers : paired(numbers, heads, shape[1] ?? 1)
    await write(shape.length > 1 ? stored(rows, format) : new Uint8Array(numbers.buffer))
    await pad()
  }
  stream.end()
  await once(stream, 'finish')
  await file.close()
}
