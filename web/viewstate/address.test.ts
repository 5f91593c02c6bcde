import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Address } from './address'
import type { Choice } from './choice'
import { defaults, encode } from './codec'
import { fakePlace } from '../testing/fakeBench'

const link = (change: Partial<Choice>) => `#${encode({ ...defaults, ...change })}`

function setUp(hash = '') {
  const { place, ...window } = fakePlace(hash)
  const restored: Choice[] = []
  const address = new Address(place, (choice) => restored.push(choice))
  return { address, restored, ...window }
}

describe('the address', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('follows typing after a while, without a step for each letter', () => {
    const { address, entries } = setUp()
    for (const text of ['a', 'ab', 'abc']) address.show({ ...defaults, text })
    expect(entries[0]?.hash).toBe('')
    vi.advanceTimersByTime(300)
    expect(entries.map(({ hash }) => hash)).toEqual([link({ text: 'abc' })])
  })

  it('makes another page a step, and keeps what the old one showed', () => {
    const { address, entries, restored, go } = setUp()
    address.show({ ...defaults, layer: 1 })
    address.show({ ...defaults, layer: 1, page: 'about' })
    expect(entries.map(({ hash }) => hash)).toEqual([link({ layer: 1 }), link({ layer: 1, page: 'about' })])
    go(-1)
    expect(restored).toEqual([{ ...defaults, layer: 1 }])
  })

  it('makes another model, another view beside and another grid width a step', () => {
    const { address, entries, restored, go } = setUp()
    address.show({ ...defaults, model: 'other' })
    address.show({ ...defaults, model: 'other', open: ['map', 'score', 'lines'] })
    address.show({ ...defaults, model: 'other', open: ['map', 'score', 'lines'], gridWidth: 'wide' })
    expect(entries.length).toBe(4)
    go(-1)
    go(-1)
    expect(restored.map(({ open, gridWidth }) => [open.length, gridWidth])).toEqual([
      [3, 'auto'],
      [2, 'auto'],
    ])
  })

  it('leaves the backend to the visitor, unless a link asks for one', () => {
    const { address, restored, follow } = setUp()
    address.show({ ...defaults, backend: 'cpu' })
    follow(link({ layer: 1 }))
    expect(restored.at(-1)?.backend).toBe('cpu')
    follow('#backend=gpu')
    expect(restored.at(-1)?.backend).toBe('gpu')
  })

  it('makes none of what is shown for a while, and keeps the link true to it', () => {
    const { address, entries } = setUp()
    address.show({ ...defaults, open: ['distance'] }, 'never')
    vi.runAllTimers()
    expect(entries.map(({ hash }) => hash)).toEqual([link({ open: ['distance'] })])
    address.show(defaults, 'never')
    vi.runAllTimers()
    expect(entries.map(({ hash }) => hash)).toEqual([link({})])
  })

  it('makes a step of what is asked to be one, and keeps what was waiting', () => {
    const { address, entries } = setUp()
    address.show({ ...defaults, text: 'my own' })
    address.show({ ...defaults, text: 'an example' }, 'step')
    expect(entries.map(({ hash }) => hash)).toEqual([link({ text: 'my own' }), link({ text: 'an example' })])
  })

  it('writes later what the browser refuses to write now, steps as steps', () => {
    const { address, entries, refuse, go, restored } = setUp()
    refuse(true)
    address.show({ ...defaults, layer: 1 })
    vi.advanceTimersByTime(300)
    address.show({ ...defaults, layer: 2, page: 'about' })
    expect(entries.map(({ hash }) => hash)).toEqual([''])
    address.show({ ...defaults, layer: 3, page: 'about' })
    vi.advanceTimersByTime(1000)
    refuse(false)
    vi.advanceTimersByTime(60_000)
    expect(entries.map(({ hash }) => hash)).toEqual(['', link({ layer: 3, page: 'about' })])
    // A step back leaves nothing to be written.
    refuse(true)
    address.show({ ...defaults, layer: 4, page: 'models' })
    refuse(false)
    go(-1)
    vi.advanceTimersByTime(60_000)
    expect(entries.map(({ hash }) => hash)).toEqual(['', link({ layer: 3, page: 'about' })])
    expect(restored).toHaveLength(1)
  })

  it('takes an anchor within the page for no state', () => {
    const { restored, follow } = setUp('#text=my+own')
    follow('#main')
    expect(restored).toEqual([])
    follow('#layer=1')
    expect(restored.at(-1)).toEqual({ ...defaults, layer: 1 })
  })

  it('keeps a text that is too long for a link with the entry', () => {
    const text = 'long '.repeat(5000)
    const { address, entries, restored, go } = setUp()
    address.show({ ...defaults, text })
    address.show({ ...defaults, text, page: 'about' })
    expect(entries.every(({ hash }) => hash.length < 200)).toBe(true)
    go(-1)
    expect(restored.at(-1)?.text).toBe(text)
  })

  it('writes what waits when the page is left', () => {
    const { address, entries, leave } = setUp('#layer=1')
    address.show({ ...defaults, layer: 3 })
    leave()
    expect(entries[0]?.hash).toBe(link({ layer: 3 }))
  })
})
