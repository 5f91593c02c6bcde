// A causal Llama with its cache as an ONNX graph, as Hugging Face's exports for transformers.js have it: attention, rotation and cache are one
// operator of ONNX Runtime's, and 4-bit matrices another.
import type { LlamaConfig } from './gguf'
import { Graph, microsoft, type Name } from './onnx'
import type { Tensor } from './safetensors'

export const dtypes = ['fp32', 'q4'] as const
export type Dtype = (typeof dtypes)[number]

/** Numbers of a block that share a scale. */
const block = 32

/** Rows in blocks of 4 bits: q − 8 times the scale, two to a byte, the first in its low half. */
export function inBlocks({ shape: [rows = 0, columns = 0], data }: Tensor): {
  codes: Uint8Array
  scales: Float32Array
} {
  const codes = new Uint8Array((rows * columns) / 2)
  const scales = new Float32Array((rows * columns) / block)
  for (let at = 0; at < scales.length; at++) {
    const of = data.subarray(at * block, (at + 1) * block)
    const largest = of.reduce((most, number) => (Math.abs(number) > Math.abs(most) ? number : most), 0)
    const scale = Math.fround(largest / -8)
    scales[at] = scale
    const code = (index: number) => (scale ? Math.min(15, Math.trunc((of[index] ?? 0) / scale + 8.5)) : 8)
    for (let pair = 0; pair < block / 2; pair++)
      codes[(at * block) / 2 + pair] = code(2 * pair) | (code(2 * pair + 1) << 4)
  }
  return { codes, scales }
}

function transposed({ shape: [rows = 0, columns = 0], data }: Tensor): Float32Array {
  const out = new Float32Array(data.length)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) out[column * rows + row] = data[row * columns + column] ?? 0
  }
  return out
}

/** Gives the logits of the last token alone, and every layer's keys and values. */
export function llamaGraph(
  config: LlamaConfig,
  tensors: ReadonlyMap<string, Tensor>,
  positions: number,
  dtype: Dtype,
): Uint8Array {
  const { hidden_size: hidden, num_attention_heads: heads, num_key_value_heads: keyHeads } = config
  const size = hidden / heads
  const graph = new Graph()
  const ids = graph.input('input_ids', ['batch_size', 'sequence_length'])
  const mask = graph.input('attention_mask', ['batch_size', 'total_sequence_length'])
  const tensor = (name: string): Tensor => {
    const found = tensors.get(`${name}.weight`)
    if (!found) throw new Error(`${name} is missing`)
    return found
  }
  const product = (x: Name, weight: Tensor): Name => {
    const [rows = 0, columns = 0] = weight.shape
    if (dtype === 'fp32') return graph.node('MatMul', [x, graph.floats([columns, rows], transposed(weight))])
    const { codes, scales } = inBlocks(weight)
    const packed = graph.bytesOf([rows, columns / block, block / 2], codes)
    const how = { K: columns, N: rows, bits: 4, block_size: block }
    return graph.node('MatMulNBits', [x, packed, graph.floats([scales.length], scales)], how, microsoft)
  }
  const norm = (x: Name, name: string): Name => {
    const gain = graph.floats([hidden], tensor(name).data)
    return graph.node('SimplifiedLayerNormalization', [x, gain], { axis: -1, epsilon: { float: config.rms_norm_eps } })
  }
  const table = (turn: (angle: number) => number): Name => {
    const half = size / 2
    const angle = (at: number) => Math.floor(at / half) * config.rope_theta ** (-(at % half) / half)
    return graph.floats(
      [positions, half],
      Float32Array.from({ length: positions * half }, (_, at) => turn(angle(at))),
    )
  }
  const [cos, sin] = [table(Math.cos), table(Math.sin)]
  // How many tokens there are before the last one, and in all.
  const sum = graph.node('ReduceSum', [mask, graph.integers([1])], { keepdims: 0 })
  const last = graph.node('Cast', [graph.node('Sub', [sum, graph.integers([1])])], { to: 6 })
  const shape = graph.node('Shape', [mask])
  const whole = graph.node('Squeeze', [graph.node('Gather', [shape, graph.integers([1])]), graph.integers([0])])
  const total = graph.node('Cast', [whole], { to: 6 })

  const words = tensor('model.embed_tokens')
  let x = graph.node('Gather', [graph.floats(words.shape, words.data), ids])
  for (let layer = 0; layer < config.num_hidden_layers; layer++) {
    const of = (name: string) => `model.layers.${layer}.${name}`
    const past = (what: string) =>
      graph.input(`past_key_values.${layer}.${what}`, ['batch_size', keyHeads, 'past_sequence_length', size], 'float')
    const normed = norm(x, of('input_layernorm'))
    const [q = '', k = '', v = ''] = ['q', 'k', 'v'].map((role) =>
      product(normed, tensor(of(`self_attn.${role}_proj`))),
    )
    const how = { num_heads: heads, kv_num_heads: keyHeads, do_rotary: 1, rotary_interleaved: 0 }
    const inputs = [q, k, v, past('key'), past('value'), last, total, cos, sin]
    const [context = '', key = '', value = ''] = graph.nodeOf(3, 'GroupQueryAttention', inputs, how, microsoft)
    graph.output(`present.${layer}.key`, key, ['batch_size', keyHeads, 'total_sequence_length', size])
    graph.output(`present.${layer}.value`, value, ['batch_size', keyHeads, 'total_sequence_length', size])
    x = graph.node('Add', [x, product(context, tensor(of('self_attn.o_proj')))])
    const again = norm(x, of('post_attention_layernorm'))
    const gate = product(again, tensor(of('mlp.gate_proj')))
    const active = graph.node('Mul', [gate, graph.node('Sigmoid', [gate])])
    const inner = graph.node('Mul', [active, product(again, tensor(of('mlp.up_proj')))])
    x = graph.node('Add', [x, product(inner, tensor(of('mlp.down_proj')))])
  }
  const end = graph.node('Gather', [norm(x, 'model.norm'), graph.integers([-1])], { axis: 1 })
  graph.output('logits', product(end, words), ['batch_size', 1, config.vocab_size])
  return graph.file()
}
