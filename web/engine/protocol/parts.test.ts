import { describe, expect, it } from 'vitest'
import { infoOfPart, keysOfPart, mapOfPart, queriesOfPart, partLength, textStart, type Pair } from './parts'
import type { ModelInfo } from './protocol'

const pair = (part: Pair['part']): Pair => ({ source: Uint32Array.of(5, 6, 1), text: Uint32Array.of(0, 7), part })

describe('parts of an encoder–decoder', () => {
  it('stand where views show their tokens', () => {
    const parts = (['encoder', 'decoder', 'cross'] as const).map(pair)
    expect(parts.map(partLength)).toEqual([3, 2, 5])
    expect(parts.map(textStart)).toEqual([0, 0, 3])
    const map = Float32Array.of(1, 2, 3, 4, 5, 6)
    expect(mapOfPart(map, pair('decoder'))).toBe(map)
    expect(mapOfPart(map, undefined)).toBe(map)
    // Two queries of the text look at three keys of the source.
    const rows = [0, 1, 2, 3, 4].map((row) => Array.from(mapOfPart(map, pair('cross')).subarray(5 * row, 5 * row + 5)))
    expect(rows).toEqual([...Array<number[]>(3).fill([0, 0, 0, 0, 0]), [1, 2, 3, 0, 0], [4, 5, 6, 0, 0]])
    expect(Array.from(queriesOfPart(Float32Array.of(1, 2), pair('cross'), 1))).toEqual([0, 0, 0, 1, 2])
    expect(Array.from(keysOfPart(Float32Array.of(1, 2, 3), pair('cross'), 1))).toEqual([1, 2, 3, 0, 0])
  })

  it('have sizes of their own', () => {
    const encoder = { num_hidden_layers: 3, num_attention_heads: 2, head_size: 8, scale: 0.5, vocab_size: 40 }
    const info = { num_hidden_layers: 1, num_attention_heads: 4, is_decoder: true, encoder } as ModelInfo
    expect(infoOfPart(info, 'decoder')).toBe(info)
    expect(infoOfPart(info, 'cross')).toMatchObject({ num_attention_heads: 4, is_decoder: false })
    expect(infoOfPart(info, 'encoder')).toMatchObject({
      num_hidden_layers: 3,
      num_key_value_heads: 2,
      is_decoder: false,
    })
    const alone = { is_decoder: true } as ModelInfo
    expect(infoOfPart(alone, 'cross')).toBe(alone)
  })
})
