import type { Tensor } from './safetensors'

/** How one vector is made of a text's hidden states: their mean, the first token's, or the last one's. */
export const poolings = ['mean', 'first', 'last'] as const
export type Pooling = (typeof poolings)[number]

/** One vector of hidden states (1, length, hidden_size). Not normalised. */
export function pool({ data, shape }: Tensor, pooling: Pooling): Float32Array {
  const size = shape.at(-1) ?? 0
  const length = size === 0 ? 0 : data.length / size
  const row = (at: number) => data.slice(at * size, (at + 1) * size)
  if (pooling === 'first') return row(0)
  if (pooling === 'last') return row(length - 1)
  return Float32Array.from({ length: size }, (_, column) => {
    let sum = 0
    for (let at = 0; at < length; at++) sum += data[at * size + column] ?? 0
    return sum / length
  })
}
