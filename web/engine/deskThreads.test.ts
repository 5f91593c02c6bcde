import { describe, expect, it } from 'vitest'
import { held, setUp, soon, source } from './fakeDesk'
import type { Threads } from './threads'

const two: Threads = { count: 2, end: () => {} }

/** A desk with a model on a backend, and how often its threads were asked for. */
async function loaded(backend: 'cpu' | 'gpu', threads: () => Promise<Threads>, alone = false) {
  let asked = 0
  const set = setUp({ threads: () => (asked++, threads()) })
  set.desk.receive({ type: 'start', backend, ...(alone ? { alone } : {}) })
  set.desk.receive({ type: 'load', id: 1, source: source() })
  await soon()
  const run = async (id: number) => {
    set.run(id)
    await soon()
    set.runs.at(-1)?.end.resolve()
    await soon()
  }
  return { ...set, run, asked: () => asked }
}

describe('threads', () => {
  it('are asked for once, behind the first result', async () => {
    const { run, asked, posted } = await loaded('cpu', () => Promise.resolve(two))
    expect(asked()).toBe(0)
    await run(2)
    await run(3)
    expect(asked()).toBe(1)
    const told = posted.map(({ type }) => type)
    expect(posted.filter(({ type }) => type === 'threads')).toEqual([{ type: 'threads', threads: 2 }])
    expect(told.indexOf('threads')).toBeGreaterThan(told.indexOf('answer'))
  })

  it('that cannot be had are one', async () => {
    const { run, posted } = await loaded('cpu', () => Promise.reject(new Error('no worker')))
    await run(2)
    expect(posted.filter(({ type }) => type === 'threads' || type === 'crashed')).toEqual([
      { type: 'threads', threads: 1 },
    ])
  })

  it('are not asked for on a GPU, nor after an engine with them crashed', async () => {
    const gpu = await loaded('gpu', () => Promise.resolve(two))
    await gpu.run(2)
    const alone = await loaded('cpu', () => Promise.resolve(two), true)
    await alone.run(2)
    expect([gpu.asked(), alone.asked()]).toEqual([0, 0])
  })

  it('end with their engine, when another module takes its place', async () => {
    let ended = 0
    const { desk, run } = await loaded('cpu', () => Promise.resolve({ count: 2, end: () => ended++ }))
    await run(2)
    desk.receive({ type: 'load', id: 3, source: source('{"model_type":"llama","of":3}') })
    await soon()
    expect(ended).toBe(1)
  })

  it('that come when their engine is gone are ended, and nobody is told of them', async () => {
    let ended = 0
    const coming = held<Threads>()
    const { desk, run, posted } = await loaded('cpu', () => coming.promise)
    await run(2)
    desk.receive({ type: 'load', id: 3, source: source('{"model_type":"llama","of":3}') })
    await soon()
    coming.resolve({ count: 2, end: () => ended++ })
    await soon()
    expect(ended).toBe(1)
    expect(posted.filter(({ type }) => type === 'threads')).toEqual([])
  })
})
