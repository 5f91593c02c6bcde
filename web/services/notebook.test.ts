import { describe, expect, it } from 'vitest'
import { notebookSizes, notebookTensors, randomWeights } from './notebook'

const numbers = (shape: readonly number[]) => shape.reduce((all, size) => all * size, 1)

describe('the notebook’s RoFormer', () => {
  it('has the numbers that the notebook counts', () => {
    const all = notebookTensors(notebookSizes).reduce((sum, [, shape]) => sum + numbers(shape), 0)
    expect(all).toBe(77_509_632)
  })

  it('is a safetensors file whose header tells of every byte', async () => {
    const sizes = { ...notebookSizes, vocab_size: 30, hidden_size: 8, intermediate_size: 12, n_layers: 2 }
    const bytes = new Uint8Array(await randomWeights(sizes).arrayBuffer())
    const length = Number(new DataView(bytes.buffer).getBigUint64(0, true))
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))) as Record<
      string,
      { shape: number[]; data_offsets: [number, number] }
    >
    const tensors = notebookTensors(sizes)
    expect(Object.keys(header)).toEqual(tensors.map(([name]) => name))
    let end = 0
    for (const [name, shape] of tensors) {
      const [from, to] = header[name]?.data_offsets ?? [0, 0]
      expect([from, to - from], name).toEqual([end, 2 * numbers(shape)])
      end = to
    }
    expect(bytes.length).toBe(8 + length + end)
    const [gain = 0] = header['layers.1.ffn_norm.weight']?.data_offsets ?? []
    expect([bytes[8 + length + gain], bytes[8 + length + gain + 1]]).toEqual([0, 0x3c])
  })
})
