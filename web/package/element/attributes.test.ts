import { describe, expect, it } from 'vitest'
import { said } from '../../i18n/ropeAttention'
import { names, readAttributes, type Attributes } from './attributes'

const none = Object.fromEntries(names.map((name) => [name, null])) as Attributes
const whole = { ...none, model: 'models/a/', text: 'A text.' }

describe('attributes', () => {
  it('ask for the first head where they name none', () => {
    expect(readAttributes(whole)).toEqual({
      model: { source: 'models/a/', backend: 'auto', worker: undefined },
      text: 'A text.',
      layer: 0,
      head: 0,
      part: 'cross',
      seen: {},
    })
  })

  it('name a head, a cell, a backend and a model of the hub', () => {
    const asked = {
      ...whole,
      model: 'hub:owner/name@main',
      layer: '2',
      head: '6',
      key: '4',
      part: 'encoder',
      backend: 'cpu',
      worker: '/w.js',
    }
    expect(readAttributes(asked)).toMatchObject({
      part: 'encoder',
      model: { source: { hub: 'owner/name@main' }, backend: 'cpu', worker: '/w.js' },
      layer: 2,
      head: 6,
      seen: { key: 4 },
    })
  })

  it('are refused in words', () => {
    expect(readAttributes({ ...whole, model: null })).toBe(said.noModel)
    expect(readAttributes({ ...whole, text: '' })).toBe(said.noText)
    for (const layer of ['two', '-1', '1.5', '', '1e3'])
      expect(readAttributes({ ...whole, layer })).toBe(said.noNumber('layer', layer))
    expect(readAttributes({ ...whole, query: 'last' })).toBe(said.noNumber('query', 'last'))
    expect(readAttributes({ ...whole, backend: 'tpu' })).toBe(said.noBackend('tpu', 'auto, gpu, cpu'))
  })
})
