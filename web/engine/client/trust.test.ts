import { describe, expect, it } from 'vitest'
import { heldInMemory } from '../protocol/heldInMemory'
import { Trust } from './trust'

describe('adapters that are trusted', () => {
  it('are remembered, each once, the newest last', () => {
    const storage = heldInMemory()
    const trust = new Trust(() => storage)
    expect(trust.adapters).toEqual([])
    for (const adapter of ['a', 'b', 'a']) trust.add(adapter)
    expect(new Trust(() => storage).adapters).toEqual(['b', 'a'])
  })

  it('are forgotten, the oldest first, where there are too many', () => {
    const trust = new Trust(() => storage)
    const storage = heldInMemory()
    for (let adapter = 0; adapter < 20; adapter++) trust.add(`${adapter}`)
    expect(trust.adapters).toEqual(['12', '13', '14', '15', '16', '17', '18', '19'])
  })

  it.each(['', '{', '7', '{"a":1}', 'null', '[1,null,{}]'])('are none where %j is stored', (text) => {
    expect(new Trust(() => heldInMemory(text)).adapters).toEqual([])
  })

  it('are none in a browser that stores nothing', () => {
    const trust = new Trust(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    trust.add('a')
    expect(trust.adapters).toEqual([])
  })
})
