import { describe, expect, it } from 'vitest'
import { loadCalls, deferred, trustedAdapter, settle, source, started } from '../../testing/fakeHost'

/** What is told of a model before it is there. */
const onTheWay = ['progress', 'rope', 'tokenizer']

describe('an adapter that nobody knows', () => {
  const wrong = () => Promise.reject({ code: 'self-check-failed', message: 'other numbers', retryable: false })

  it('is checked once, when its first result is with the page, and told by its name', async () => {
    const { run, runs, posted, log, calls } = await started({ trusted: ['["","","","test adapter","another one"]'] })
    expect(log()).not.toContain('adapterPassed')
    run(2)
    await settle()
    expect(calls.at(-1)?.name).toBe('run')
    runs[0]?.end.resolve()
    await settle()
    expect(log().slice(-2)).toEqual(['run 2', 'adapterPassed'])
    expect(posted.at(-1)).toEqual({ type: 'adapterPassed', adapter: trustedAdapter })
    run(3)
    await settle()
    runs[1]?.end.resolve()
    await settle()
    expect(calls.filter(({ name }) => name === 'check').length).toBe(1)
  })

  it('lets a run that is waiting go before it, and is not checked for one that was dropped', async () => {
    const { run, runs, calls } = await started({ trusted: [] })
    run(2)
    await settle()
    run(3)
    runs[0]?.end.resolve()
    await settle()
    expect(calls.at(-1)?.name).toBe('run')
    run(4)
    runs[1]?.end.resolve()
    await settle()
    expect(calls.filter(({ name }) => name === 'check')).toEqual([])
    runs[2]?.end.resolve()
    await settle()
    expect(calls.at(-1)?.name).toBe('check')
  })

  it('is not remembered where the browser does not name it', async () => {
    const { run, runs, posted } = await started({ adapter: '{}' })
    run(2)
    await settle()
    runs[0]?.end.resolve()
    await settle()
    expect(posted.at(-1)).toEqual({ type: 'adapterPassed' })
  })

  it('gives way to the CPU if its numbers are wrong: the model is read again, and nobody remembers it', async () => {
    const { host, run, runs, posted, log, calls, engines } = await started({ trusted: [], check: wrong })
    host.receive({ type: 'canvas', canvas: {} as OffscreenCanvas })
    run(2)
    await settle()
    runs[0]?.end.resolve()
    await settle()
    expect(engines.map(({ backend }) => backend)).toEqual(['gpu', 'cpu'])
    const types = log().filter((type) => !onTheWay.includes(type))
    expect(types.slice(-3)).toEqual(['run 2', 'started', 'loaded'])
    expect(posted.findLast(({ type }) => type === 'started')).toMatchObject({
      info: { backend: 'cpu', reason: 'wrong-numbers', detail: 'other numbers' },
    })
    expect(calls).toContainEqual({ name: 'engine freed', engine: 1 })
    // The canvas was the GPU's.
    expect(calls.filter(({ engine }) => engine === 2).map(({ name }) => name)).toEqual(loadCalls)
    run(3)
    await settle()
    runs[1]?.end.resolve()
    await settle()
    expect(log().at(-1)).toBe('run 3')
    expect(log()).not.toContain('adapterPassed')
  })

  it('that cannot be checked gives way, too', async () => {
    const check = () => Promise.reject({ code: 'gpu', message: 'no such shader', retryable: false })
    const { run, runs, posted } = await started({ trusted: [], check })
    run(2)
    await settle()
    runs[0]?.end.resolve()
    await settle()
    expect(posted.findLast(({ type }) => type === 'started')).toMatchObject({
      info: { backend: 'cpu', reason: 'device-refused', detail: 'no such shader' },
    })
  })

  it('is checked after a run that failed, and where a model fails to load on it', async () => {
    const broken = { code: 'gpu', message: 'a shader is not valid', retryable: false }
    const { run, runs, log } = await started({ trusted: [], check: wrong })
    run(2)
    await settle()
    runs[0]?.end.reject(broken)
    await settle()
    expect(
      log()
        .filter((type) => !onTheWay.includes(type))
        .slice(-3),
    ).toEqual(['failed', 'started', 'loaded'])
    let loads = 0
    const begin = () => (++loads === 1 ? Promise.reject(broken) : Promise.resolve())
    const world = await started({ trusted: [], check: wrong, begin })
    const types = world.log().filter((type) => !onTheWay.includes(type))
    expect(types).toEqual(['started', 'started', 'loaded'])
    expect(world.engines.map(({ backend }) => backend)).toEqual(['gpu', 'cpu'])
  })

  it('a sound one that refuses a model is not blamed for it', async () => {
    const begin = () => Promise.reject({ code: 'gpu', message: 'too many bindings', retryable: false })
    for (const trusted of [[], [trustedAdapter]]) {
      const { posted, engines } = await started({ trusted, begin })
      expect(posted.at(-1)).toMatchObject({ type: 'failed', id: 1, failure: { message: 'too many bindings' } })
      expect(engines.length).toBe(1)
    }
  })

  it('a model that waits for its turn when it gives way goes to the CPU', async () => {
    const checking = deferred<void>()
    const { host, run, runs, log, engines } = await started({ trusted: [], check: () => checking.promise })
    run(2)
    await settle()
    runs[0]?.end.resolve()
    await settle()
    host.receive({ type: 'load', id: 7, source: source() })
    await settle()
    checking.reject({ code: 'self-check-failed', message: 'other numbers', retryable: false })
    await settle()
    const types = log().filter((type) => !onTheWay.includes(type))
    expect(types.slice(-2)).toEqual(['started', 'loaded'])
    expect(log()).not.toContain('failed')
    expect(engines.map(({ backend }) => backend)).toEqual(['gpu', 'cpu'])
  })

  it('lost while it is checked is replaced by itself', async () => {
    const checking = deferred<void>()
    const { run, runs, log, engines } = await started({ trusted: [], check: () => checking.promise })
    run(2)
    await settle()
    runs[0]?.end.resolve()
    await settle()
    engines[0]?.lose('driver reset')
    checking.reject({ code: 'device-lost', message: 'gone', retryable: true })
    await settle()
    const types = log().filter((type) => !onTheWay.includes(type))
    expect(types.slice(-4)).toEqual(['run 2', 'deviceLost', 'started', 'loaded'])
    expect(engines.map(({ backend }) => backend)).toEqual(['gpu', 'gpu'])
  })

  it('that is found sound stays so in this worker', async () => {
    const { run, runs, log, calls, engines } = await started({ trusted: [] })
    run(2)
    await settle()
    runs[0]?.end.resolve()
    await settle()
    engines[0]?.lose('driver reset')
    await settle()
    expect(log().filter((type) => type === 'adapterPassed').length).toBe(2)
    run(3)
    await settle()
    runs[1]?.end.resolve()
    await settle()
    expect(calls.filter(({ name }) => name === 'check').length).toBe(1)
  })

  it('is wrong for a test, whatever is remembered', async () => {
    const { run, runs, posted, log } = await started({ simulate: 'wrong-numbers' })
    expect(posted.find(({ type }) => type === 'started')).toMatchObject({ info: { backend: 'gpu' } })
    run(2)
    await settle()
    runs[0]?.end.resolve()
    await settle()
    expect(posted.findLast(({ type }) => type === 'started')).toMatchObject({
      info: { backend: 'cpu', reason: 'wrong-numbers' },
    })
    expect(log()).not.toContain('adapterPassed')
  })
})
