import { describe, expect, it } from 'vitest'
import { Trust } from './trust'

/** Storage that holds this text. */
function storageOf(text: string | null = null) {
  const storage = {
    text,
    getItem: () => storage.text,
    setItem: (_: string, value: string) => void (storage.text = value),
  }
  return storage
}

describe('adapters that are trusted', () => {
  it('are remembered, each once, the newest last', () => {
    const storage = storageOf()
    const trust = new Trust(() => storage)
    expect(trust.adapters).toEqual([])
    for (const adapter of ['a', 'b', 'a']) trust.add(adapter)
    expect(new Trust(() => storage).adapters).toEqual(['b', 'a'])
  })

  it('are forgotten, the oldest first, where there are too many', () => {
    const trust = new Trust(() => storage)
    const storage = storageOf()
    for (let adapter = 0; adapter < 20; adapter++) trust.add(`${adapter}`)
    expect(trust.adapters).toEqual(['12', '13', '14', '15', '16', '17', '18', '19'])
  })

  it.each(['', '{', '7', '{"a":1}', 'null', '[1,null,{}]'])('are none where %j is stored', (text) => {
    expect(new Trust(() => storageOf(text)).adapters).toEqual([])
  })

  it('are none in a browser that stores nothing', () => {
    const trust = new Trust(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    trust.add('a')
    expect(trust.adapters).toEqual([])
  })
})
