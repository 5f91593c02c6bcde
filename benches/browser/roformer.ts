// RoFormerForMaskedLM as an ONNX graph over a fixed length: for onnxruntime-web, to measure beside.
import { Graph, type Name } from './onnx'
import type { Tensor } from './safetensors'

export interface Config {
  vocab_size: number
  embedding_size: number
  hidden_size: number
  num_hidden_layers: number
  num_attention_heads: number
  layer_norm_eps: number
}

/** `exported`: node for node what PyTorch's exporter makes of Hugging Face's model. `fused`: onnxruntime's own operators. */
export type Form = 'exported' | 'fused'

/**
 * The graph's file. Inputs: `ids` (1, length), `rows` (1): the position whose tokens are predicted.
 * Output: `logits` (1, 1, vocab_size).
 */
export function roformerGraph(config: Config, tensors: Map<string, Tensor>, length: number, form: Form): Uint8Array {
  const builder = new Builder(config, tensors, length, form)
  return builder.build()
}

class Builder {
  private readonly graph = new Graph()
  private readonly headSize: number
  private readonly weights = new Map<string, Name>()

  constructor(
    private readonly config: Config,
    private readonly tensors: Map<string, Tensor>,
    private readonly length: number,
    private readonly form: Form,
  ) {
    this.headSize = config.hidden_size / config.num_attention_heads
  }

  build(): Uint8Array {
    const { graph, config } = this
    const ids = graph.input('ids', [1, this.length])
    const rows = graph.input('rows', [1])
    const words = graph.node('Gather', [this.weight('roformer.embeddings.word_embeddings.weight'), ids], { axis: 0 })
    const types = this.tensor('roformer.embeddings.token_type_embeddings.weight').data.slice(0, config.embedding_size)
    const typed = graph.node('Add', [words, graph.floats([config.embedding_size], types)])
    let hidden = this.layerNorm('roformer.embeddings.LayerNorm', typed)
    if (config.embedding_size !== config.hidden_size) hidden = this.linear('roformer.embeddings_project', hidden)
    for (let layer = 0; layer < config.num_hidden_layers; layer++) {
      hidden = this.layer(`roformer.encoder.layer.${layer}`, hidden)
    }
    const chosen = graph.node('Gather', [hidden, rows], { axis: 1 })
    const dense = graph.node('Gelu', [this.linear('cls.predictions.transform.dense', chosen)])
    const transformed = this.layerNorm('cls.predictions.transform.LayerNorm', dense)
    const decoder = this.transposed('roformer.embeddings.word_embeddings.weight')
    const logits = graph.node('Add', [
      graph.node('MatMul', [transformed, decoder]),
      this.weight('cls.predictions.bias'),
    ])
    graph.output('logits', logits, [1, 1, config.vocab_size])
    return graph.file()
  }

  private layer(name: string, hidden: Name): Name {
    const self = `${name}.attention.self`
    const [query, key, value] = ['query', 'key', 'value'].map((part) => this.linear(`${self}.${part}`, hidden))
    if (!query || !key || !value) throw new Error('three parts')
    const context = this.form === 'fused' ? this.fusedAttention(query, key, value) : this.attention(query, key, value)
    const attended = this.residual(`${name}.attention.output`, context, hidden)
    const inner = this.activated(`${name}.intermediate.dense`, attended)
    return this.residual(`${name}.output`, inner, attended)
  }

  private attention(query: Name, key: Name, value: Name): Name {
    const { graph, config, length } = this
    const heads = graph.integers([1, length, config.num_attention_heads, this.headSize])
    const split = (x: Name) => graph.node('Transpose', [graph.node('Reshape', [x, heads])], { perm: [0, 2, 1, 3] })
    const keys = graph.node('Transpose', [this.rotated(split(key))], { perm: [0, 1, 3, 2] })
    const scores = graph.node('MatMul', [this.rotated(split(query)), keys])
    const scaled = graph.node('Div', [scores, graph.floats([], Float32Array.of(Math.sqrt(this.headSize)))])
    const probabilities = graph.node('Softmax', [scaled], { axis: -1 })
    const context = graph.node('MatMul', [probabilities, split(value)])
    const merged = graph.node('Transpose', [context], { perm: [0, 2, 1, 3] })
    return graph.node('Reshape', [merged, graph.integers([1, length, config.hidden_size])])
  }

  /** x·cos + rotate_half(x)·sin, adjacent pairs (1, heads, length, head_size). */
  private rotated(x: Name): Name {
    const { graph, length, headSize } = this
    const every = (start: number) =>
      graph.node('Slice', [
        x,
        graph.integers([start]),
        graph.integers([headSize]),
        graph.integers([3]),
        graph.integers([2]),
      ])
    const last = graph.integers([4])
    const odd = graph.node('Unsqueeze', [graph.node('Neg', [every(1)]), last])
    const even = graph.node('Unsqueeze', [every(0), last])
    const pairs = graph.node('Concat', [odd, even], { axis: -1 })
    const shape = graph.integers([1, this.config.num_attention_heads, length, headSize])
    const turned = graph.node('Reshape', [pairs, shape])
    const table = (angle: (theta: number) => number) =>
      graph.floats(
        [1, 1, length, headSize],
        this.table(headSize, (dimension) => dimension >> 1, angle),
      )
    return graph.node('Add', [graph.node('Mul', [x, table(Math.cos)]), graph.node('Mul', [turned, table(Math.sin)])])
  }

  private fusedAttention(query: Name, key: Name, value: Name): Name {
    const { graph, config, length, headSize } = this
    const heads = { num_heads: config.num_attention_heads }
    const table = (angle: (theta: number) => number) =>
      graph.floats(
        [length, headSize / 2],
        this.table(headSize / 2, (pair) => pair, angle),
      )
    const positions = graph.node('Unsqueeze', [graph.integers([...Array(length).keys()]), graph.integers([0])])
    const rotated = (x: Name) =>
      graph.node(
        'RotaryEmbedding',
        [x, positions, table(Math.cos), table(Math.sin)],
        { ...heads, interleaved: 1, rotary_embedding_dim: headSize },
        'com.microsoft',
      )
    return graph.node('MultiHeadAttention', [rotated(query), rotated(key), value], heads, 'com.microsoft')
  }

  /** (length, columns): a function of mθ_i, with i from the column. */
  private table(columns: number, pair: (column: number) => number, angle: (theta: number) => number): Float32Array {
    return Float32Array.from({ length: this.length * columns }, (_, index) => {
      const theta = 10000 ** ((-2 * pair(index % columns)) / this.headSize)
      return angle(Math.floor(index / columns) * theta)
    })
  }

  /** LayerNorm(x W + b + skip). */
  private residual(name: string, x: Name, skip: Name): Name {
    const { graph, config } = this
    if (this.form === 'exported') {
      return this.layerNorm(`${name}.LayerNorm`, graph.node('Add', [this.linear(`${name}.dense`, x), skip]))
    }
    const product = graph.node('MatMul', [x, this.transposed(`${name}.dense.weight`)])
    const parts = ['LayerNorm.weight', 'LayerNorm.bias', 'dense.bias'].map((part) => this.weight(`${name}.${part}`))
    const epsilon = { float: config.layer_norm_eps }
    return graph.node('SkipLayerNormalization', [product, skip, ...parts], { epsilon }, 'com.microsoft')
  }

  private activated(name: string, x: Name): Name {
    if (this.form === 'exported') return this.graph.node('Gelu', [this.linear(name, x)])
    const product = this.graph.node('MatMul', [x, this.transposed(`${name}.weight`)])
    return this.graph.node('BiasGelu', [product, this.weight(`${name}.bias`)], {}, 'com.microsoft')
  }

  private linear(name: string, x: Name): Name {
    const product = this.graph.node('MatMul', [x, this.transposed(`${name}.weight`)])
    return this.graph.node('Add', [product, this.weight(`${name}.bias`)])
  }

  private layerNorm(name: string, x: Name): Name {
    const parameters = [this.weight(`${name}.weight`), this.weight(`${name}.bias`)]
    const epsilon = { float: this.config.layer_norm_eps }
    return this.graph.node('LayerNormalization', [x, ...parameters], { axis: -1, epsilon })
  }

  private tensor(name: string): Tensor {
    const tensor = this.tensors.get(name)
    if (!tensor) throw new Error(`the model has no ${name}`)
    return tensor
  }

  private weight(name: string): Name {
    const { shape, data } = this.tensor(name)
    return this.once(name, () => this.graph.floats(shape, data))
  }

  /** PyTorch keeps (out, in); MatMul takes (in, out). */
  private transposed(name: string): Name {
    const { shape, data } = this.tensor(name)
    const [rows = 0, columns = 0] = shape
    return this.once(`${name} transposed`, () => {
      const turned = new Float32Array(data.length)
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) turned[column * rows + row] = data[row * columns + column] ?? 0
      }
      return this.graph.floats([columns, rows], turned)
    })
  }

  private once(key: string, make: () => Name): Name {
    const made = this.weights.get(key) ?? make()
    this.weights.set(key, made)
    return made
  }
}
