import { expect, it } from 'vitest'
import type { Reading } from '../text/reading'
import { changeKey } from './change'
import type { LoadedModel } from './engine.svelte'
import { runOf } from './request'

const model = {
  info: { max_position_embeddings: 4, num_hidden_layers: 2, num_attention_heads: 2, head_size: 4 },
} as LoadedModel
const reading = (length: number) => ({ ids: new Uint32Array(length) }) as Reading

it('a text that is longer than its model is made for is let through, whoever asks', () => {
  const changed = ''
  expect(runOf({ model, reading: reading(5), changed })).toMatchObject({ beyondLength: true, positionOffset: 0 })
  expect(runOf({ model, reading: reading(4), changed })).toEqual({ ids: new Uint32Array(4), positionOffset: 0 })
})

it('what is changed comes with it', () => {
  const changed = changeKey({ offset: 3, ablatedHeads: [{ layer: 1, head: 0 }] })
  expect(runOf({ model, reading: reading(4), changed })).toMatchObject({
    positionOffset: 3,
    change: { ablatedHeads: [{ layer: 1, head: 0 }] },
  })
})
