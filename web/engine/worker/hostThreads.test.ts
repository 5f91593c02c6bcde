import { describe, expect, it } from 'vitest'
import { setUp, settle, source } from '../../testing/fakeHost'

/** A host with a model on a backend, and how often its threads were asked for. */
async function loaded(backend: 'cpu' | 'gpu', threads: () => Promise<number>, singleThread = false) {
  let calls = 0
  const set = setUp({ threads: () => (calls++, threads()) })
  set.host.receive({ type: 'start', backend, ...(singleThread ? { singleThread } : {}) })
  set.host.receive({ type: 'load', id: 1, source: source() })
  await settle()
  const run = async (id: number) => {
    set.run(id)
    await settle()
    set.runs.at(-1)?.end.resolve()
    await settle()
  }
  return { ...set, run, calls: () => calls }
}

describe('threads', () => {
  it('are asked for once, behind the first result', async () => {
    const { run, calls, posted } = await loaded('cpu', () => Promise.resolve(2))
    expect(calls()).toBe(0)
    await run(2)
    await run(3)
    expect(calls()).toBe(1)
    const types = posted.map(({ type }) => type)
    expect(posted.filter(({ type }) => type === 'threads')).toEqual([{ type: 'threads', threads: 2 }])
    expect(types.indexOf('threads')).toBeGreaterThan(types.indexOf('result'))
  })

  it('that cannot be had are one', async () => {
    const { run, posted } = await loaded('cpu', () => Promise.reject(new Error('no worker')))
    await run(2)
    expect(posted.filter(({ type }) => type === 'threads' || type === 'crashed')).toEqual([
      { type: 'threads', threads: 1 },
    ])
  })

  it('are not asked for on a GPU, nor after an engine with them crashed', async () => {
    const gpu = await loaded('gpu', () => Promise.resolve(2))
    await gpu.run(2)
    const single = await loaded('cpu', () => Promise.resolve(2), true)
    await single.run(2)
    expect([gpu.calls(), single.calls()]).toEqual([0, 0])
  })
})
