import { describe, expect, it } from 'vitest'
import { heldInMemory } from './heldInMemory'
import { TunedAdapters, type Tuned } from './tuned'

const gain = { tokens: 32, before: 2, after: 1, changed: 3 }
// Of a text that goes on; an earlier build knew of none.
const later = { tokens: 1, past: 511, before: 2, after: 1, changed: 1 }
const tuned = (adapter: string, forms = '32.64.64.f32:16.1,16.512.64.attention:0.4'): Tuned => ({
  adapter,
  forms,
  models: [{ sizes: 'small', gains: [gain, later] }],
})

describe('forms found on adapters', () => {
  it('are remembered by their adapter, the newest in place of the one before', () => {
    const storage = heldInMemory()
    const adapters = new TunedAdapters(() => storage)
    expect(adapters.of('a')).toBeUndefined()
    for (const one of [tuned('a', 'old'), tuned('b'), tuned('a', 'new')]) adapters.put(one)
    expect(new TunedAdapters(() => storage).of('a')).toEqual(tuned('a', 'new'))
    expect(adapters.all.map(({ adapter }) => adapter)).toEqual(['b', 'a'])
  })

  it('are forgotten, the oldest first, where there are too many', () => {
    const storage = heldInMemory()
    const adapters = new TunedAdapters(() => storage)
    for (let adapter = 0; adapter < 20; adapter++) adapters.put(tuned(`${adapter}`))
    expect(adapters.all.map(({ adapter }) => adapter)).toEqual(['12', '13', '14', '15', '16', '17', '18', '19'])
    adapters.put({ ...tuned('a'), models: Array.from({ length: 40 }, (_, at) => ({ sizes: `${at}`, gains: [] })) })
    expect(adapters.of('a')?.models.map(({ sizes }) => sizes)).toEqual(
      Array.from({ length: 32 }, (_, at) => `${at + 8}`),
    )
  })

  it.each([
    '',
    '{',
    '7',
    'null',
    '[null,7]',
    '[{"adapter":"a"}]',
    '[{"adapter":"a","forms":7,"models":[]}]',
    '[{"adapter":"a","forms":"","models":[null]}]',
    '[{"adapter":"a","forms":"","models":[{"sizes":"s","gains":[{"tokens":1}]}]}]',
    '[{"adapter":"a","forms":"","models":[{"sizes":"s","gains":[{"tokens":1,"past":"no","before":2,"after":1,"changed":1}]}]}]',
  ])('are none where %j is stored', (text) => {
    expect(new TunedAdapters(() => heldInMemory(text)).all).toEqual([])
  })

  it('are none in a browser that stores nothing', () => {
    const adapters = new TunedAdapters(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    adapters.put(tuned('a'))
    expect(adapters.all).toEqual([])
  })
})
