import { expect, it } from 'vitest'
import { readNumber, writeNumber } from './numberIntervention'

it('a number in a tensor is read and written', () => {
  expect(readNumber('hidden_states.2[4,17]=-0.5')).toEqual({
    tensor: 'hidden_states.N',
    layer: 2,
    index: [4, 17],
    value: -0.5,
  })
  expect(readNumber('layer.*.value[*,3,1]=1e-3')).toEqual({
    tensor: 'layer.N.value',
    layer: '*',
    index: ['*', 3, 1],
    value: 0.001,
  })
  for (const text of [
    'embeddings[0,1]=2',
    'ffn.0[*,*]=0',
    'layer.1.residual[3,2]=0.25',
    'layer.1.query[0,3,2]=1e+30',
    'layer.1.key[0,3,2]=-1e-30',
    'layer.1.head[*,*,2]=1',
  ]) {
    const read = readNumber(text)
    expect(read && writeNumber(read), text).toBe(text)
  }
})

it('anything else is none', () => {
  for (const text of [
    '',
    'ffn.0[1,2]',
    'ffn.0[1,2]=',
    'ffn.0[1,2]=zero',
    'ffn.0[1,2]=NaN',
    'ffn.0[1,2]=Infinity',
    'ffn.0[1,2]=1e39',
    'ffn.0[1,2]=0x10',
    'ffn.0[1]=1',
    'ffn.0[1,2,3]=1',
    'ffn.0[1,]=1',
    'ffn.0[1,p2]=1',
    'ffn.x[1,2]=1',
    'ffn[1,2]=1',
    'ffn.0.inner[1,2]=1',
    'embeddings.0[1,2]=1',
    'logits[1,2]=1',
    'encoder.ffn.0[1,2]=1',
    'ffn.0[1,2]=1;ffn.0[1,3]=1',
    '<b>[1,2]=1',
  ]) {
    expect(readNumber(text), text).toBeUndefined()
  }
})
