import { expect, expectTypeOf, it } from 'vitest'
import { isOf, site, type Site, type TensorOf } from './site'

it('a site has its layer, and an index for each axis where one is given', () => {
  expect(site('layer.N.value', '*')).toBe('layer.*.value')
  expect(site('layer.N.head', 2, 6)).toBe('layer.2.head[6,*,*]')
  expect(site('layer.N.query.rotated', 2, '*', '*', 'p3')).toBe('layer.2.query.rotated[*,*,p3]')
})

it('names of an activation file are told by tensor, whatever their layer and part', () => {
  for (const name of ['attentions.0', 'encoder_attentions.11', 'cross_attentions.3']) {
    expect(isOf('attentions.N', name)).toBe(true)
    expect(isOf('hidden_states.N', name)).toBe(false)
  }
  expect(isOf('layer.N.query', 'decoder.layer.4.query')).toBe(true)
  expect(isOf('layer.N.norm.K.mean', 'layer.1.norm.0.mean')).toBe(true)
  for (const name of [
    'layer.4.query.rotated',
    'layer.query',
    'layer.x.query',
    'other.layer.4.query',
    'layer.*.query',
  ]) {
    expect(isOf('layer.N.query', name)).toBe(false)
  }
})

it('a misspelt name does not compile', () => {
  expectTypeOf<'attentions.2'>().toExtend<TensorOf<'attentions.N'>>()
  expectTypeOf<'cross_attentions.2'>().toExtend<TensorOf<'attentions.N'>>()
  expectTypeOf<'attention.2'>().not.toExtend<TensorOf<'attentions.N'>>()
  expectTypeOf<'layer.*.score'>().toExtend<Site>()
  expectTypeOf<'layer.1.scores'>().not.toExtend<Site>()
})
