import { describe, expect, it } from 'vitest'
import { loadCalls, deferred, setUp, sizes, settle, source, started } from '../../testing/fakeHost'

describe('starting', () => {
  it('opens the GPU, checks the header before the weights are read, and takes them as they come', async () => {
    const { posted, calls } = await started()
    expect(posted).toContainEqual({
      type: 'started',
      info: { backend: 'gpu', reason: 'hardware-adapter', adapter: 'test adapter' },
    })
    expect(calls.map(({ name }) => name)).toEqual(loadCalls)
    expect(posted).toContainEqual({
      type: 'loaded',
      id: 1,
      model: {
        ...(JSON.parse(sizes) as object),
        name: 'test',
        weights: { format: 'f32', bytes: 1000 },
        eos_token_ids: [1],
      },
      tokenizer: { vocabulary: '[UNK]' },
    })
  })

  it('keeps the weights as they are asked for, and says what they take', async () => {
    const { host, posted, calls } = setUp()
    host.receive({ type: 'start', backend: 'cpu', weights: 'int8' })
    host.receive({ type: 'load', id: 3, source: source() })
    await settle()
    expect(calls.some(({ name }) => name.startsWith('begin ') && name.endsWith(' as int8'))).toBe(true)
    expect(posted.at(-1)).toMatchObject({ type: 'loaded', model: { weights: { format: 'int8', bytes: 280 } } })
  })

  it('takes the tokens that end a text from generation_config.json, where there are any', async () => {
    const { host, posted } = await started()
    const more = new File(['{"eos_token_id":[7,8]}'], 'generation_config.json')
    host.receive({ type: 'load', id: 2, source: source('{}', more) })
    await settle()
    expect(posted.at(-1)).toMatchObject({ type: 'loaded', id: 2, model: { eos_token_ids: [7, 8] } })
  })

  it('goes on with the CPU where the GPU is not to be had, and says so', async () => {
    const { posted, engines } = await started({ refuse: 'device' })
    expect(engines.map(({ backend }) => backend)).toEqual(['cpu'])
    expect(posted.find(({ type }) => type === 'started')).toMatchObject({
      info: { backend: 'cpu', reason: 'device-refused', detail: 'limits too small' },
    })
    expect(posted.at(-1)?.type).toBe('loaded')
  })

  it('answers the mathematics while the model is still on its way', async () => {
    const { host, posted, ask } = setUp()
    host.receive({ type: 'start', backend: 'cpu' })
    ask(9, 'frequencies', { headSize: 4, base: 10000 })
    await settle()
    expect(posted).toContainEqual({
      type: 'result',
      id: 9,
      kind: 'frequencies',
      result: Float64Array.of(1, 0.5),
    })
  })

  it('refuses a table of angles that no memory has room for, in words', async () => {
    const { host, posted, ask } = setUp()
    host.receive({ type: 'start', backend: 'cpu' })
    ask(9, 'angles', { theta: new Float64Array(256), length: 1_000_000 })
    await settle()
    const refused = posted.find(({ type }) => type === 'failed')
    expect(refused).toMatchObject({ id: 9, failure: { code: 'too-many-angles' } })
  })
})

describe('running', () => {
  it('gives a sign of life while a run is under way', async () => {
    const { host, run, posted } = await started()
    run(2)
    await settle()
    host.receive({ type: 'ping' })
    expect(posted.at(-1)).toEqual({ type: 'pong', open: 1, steps: 1 })
  })

  it('keeps only the newest: the one at work stops, those between never start', async () => {
    const { run, posted, log, runs } = await started()
    run(2)
    await settle()
    expect(await runs[0]?.pause()).toBe(true)
    run(3)
    run(4)
    expect(log().at(-1)).toBe('run 3 superseded')
    expect(await runs[0]?.pause()).toBe(false)
    runs[0]?.end.reject({ code: 'cancelled', message: 'cancelled', retryable: true })
    await settle()
    runs[1]?.end.resolve()
    await settle()
    expect(runs.map(({ ids }) => ids)).toEqual([[2], [4]])
    expect(log().slice(-2)).toEqual(['run 2 superseded', 'run 4'])
    expect(posted.at(-1)).toMatchObject({ result: { run: 4, length: 1, report: { dispatches: 34 } } })
  })

  it('drops a finished result that a newer run has overtaken', async () => {
    const { run, log, runs } = await started()
    run(2)
    await settle()
    run(3)
    runs[0]?.end.resolve()
    await settle()
    runs[1]?.end.resolve()
    await settle()
    expect(log().slice(-2)).toEqual(['run 2 superseded', 'run 3'])
  })

  it('reads a head only after the newest run, and never two of them for nothing', async () => {
    const { run, ask, runs, log, posted } = await started()
    run(2)
    ask(3, 'head', { run: 2, layer: 0, head: 1 })
    ask(4, 'head', { run: 2, layer: 0, head: 2 })
    await settle()
    runs[0]?.end.resolve()
    await settle()
    expect(log().slice(-3)).toEqual(['head 3 superseded', 'run 2', 'head 4'])
    expect(posted.at(-1)).toMatchObject({ result: { run: 2, layer: 0, head: 2, length: 1 } })
  })

  it('never gives a head of another run than the one asked for', async () => {
    const { run, ask, runs, log, calls } = await started()
    run(2)
    await settle()
    runs[0]?.end.resolve()
    await settle()
    // Of the next, which ends but is dropped because another waits, and of that one, which is refused.
    run(3, [1, 1])
    await settle()
    run(4, [1, 1, 1])
    runs[1]?.end.resolve()
    await settle()
    runs[2]?.end.reject({ code: 'memory', message: 'its maps do not fit', retryable: false })
    await settle()
    ask(5, 'head', { run: 2, layer: 0, head: 1 })
    ask(6, 'head', { run: 4, layer: 0, head: 1 })
    await settle()
    expect(log().slice(-5)).toEqual(['run 2', 'run 3 superseded', 'failed', 'head 5 superseded', 'head 6 gone'])
    expect(calls.map(({ name }) => name)).not.toContain('head')
  })

  it('drops a run whose tokens belong to another model', async () => {
    const { host, run, log, runs } = await started()
    host.receive({ type: 'load', id: 5, source: source() })
    await settle()
    run(6)
    await settle()
    expect(log().at(-1)).toBe('run 6 gone')
    expect(runs).toEqual([])
  })
})

describe('a model that does not load', () => {
  it('is said in the engine’s words, and the one before goes on', async () => {
    const refuse = async (config: string) => {
      if (config === '{}') return
      throw {
        code: 'heads',
        message: 'heads do not divide the hidden size',
        retryable: false,
        parameters: { heads: 3 },
      }
    }
    const { host, run, posted, runs, calls } = await started({ begin: refuse })
    host.receive({ type: 'load', id: 7, source: source('{"bad":1}') })
    await settle()
    expect(posted.at(-1)).toEqual({
      type: 'failed',
      id: 7,
      failure: {
        code: 'heads',
        message: 'heads do not divide the hidden size',
        retryable: false,
        parameters: { heads: 3 },
      },
    })
    expect(calls.at(-1)?.name).toBe('begin headeigh of 15')
    run(8)
    await settle()
    expect(runs.length).toBe(1)
  })

  it('can be cancelled at once', async () => {
    const { host, posted } = await started()
    host.receive({ type: 'load', id: 7, source: source() })
    host.receive({ type: 'cancelLoad', id: 7 })
    await settle()
    expect(posted.at(-1)).toMatchObject({ type: 'failed', id: 7, failure: { code: 'cancelled' } })
  })

  it('gives back the room it had, cancelled half-way or overtaken by another', async () => {
    for (const event of ['cancelled', 'superseded'] as const) {
      const half = deferred<void>()
      let loads = 0
      const begin = () => (++loads === 2 ? half.promise : Promise.resolve())
      const { host, run, posted, calls, runs } = await started({ begin })
      host.receive({ type: 'load', id: 7, source: source() })
      await settle()
      if (event === 'cancelled') host.receive({ type: 'cancelLoad', id: 7 })
      else host.receive({ type: 'load', id: 8, source: source() })
      half.resolve()
      await settle()
      const names = calls.map(({ name }) => name).slice(loadCalls.length)
      const after = event === 'cancelled' ? [] : loadCalls
      expect(names.filter((name) => name !== 'loading freed')).toEqual(['begin headeigh of 15', ...after])
      expect(names.filter((name) => name === 'loading freed')).toHaveLength(1)
      expect(posted).toContainEqual(expect.objectContaining({ type: 'failed', id: 7 }))
      run(9, [9], event === 'cancelled' ? 1 : 8)
      await settle()
      expect(runs.length).toBe(1)
    }
  })
})

it('how a model turns is told before its tokenizer and weights are there', async () => {
  const { posted } = await started()
  const types = posted.map(({ type }) => type)
  expect(posted).toContainEqual({ type: 'rope', id: 1, rope: { theta: [1, 0.5], context: 128 } })
  expect(types.indexOf('rope')).toBeLessThan(types.indexOf('tokenizer'))
})

describe('a lost device', () => {
  it('in mid-run is replaced, with a new canvas, and the model read again', async () => {
    const { host, run, log, calls, engines } = await started()
    host.receive({ type: 'canvas', canvas: {} as OffscreenCanvas })
    run(2)
    await settle()
    engines[0]?.lose('driver reset')
    await settle()
    const types = log().filter((type) => !['progress', 'rope', 'tokenizer', 'adapterPassed'].includes(type))
    expect(types.slice(-4)).toEqual(['deviceLost', 'failed', 'started', 'loaded'])
    expect(engines.map(({ backend }) => backend)).toEqual(['gpu', 'gpu'])
    expect(calls.filter(({ engine }) => engine === 2).map(({ name }) => name)).toEqual(loadCalls)
    // A canvas gives its context once: the first engine's is not used again.
    host.receive({ type: 'canvas', canvas: {} as OffscreenCanvas })
    await settle()
    expect(calls.at(-1)).toEqual({ name: 'attach', engine: 2 })
    run(3)
    await settle()
    expect(calls.at(-1)).toEqual({ name: 'run', engine: 2 })
  })

  it('gives back what its engine holds: at once where nothing is at work on it, else when that comes back', async () => {
    const { run, runs, calls, engines } = await started()
    const freed = () => calls.filter(({ name }) => name === 'engine freed').map(({ engine }) => engine)
    run(2)
    await settle()
    engines[0]?.lose('in mid-run')
    await settle()
    expect(freed(), 'a run is still at work on it').toEqual([])
    runs[0]?.end.resolve()
    await settle()
    expect(freed()).toEqual([1])
    engines[1]?.lose('at rest')
    await settle()
    expect(freed()).toEqual([1, 2])
  })

  it('that is lost again at once gives way to the CPU, without the canvas of the GPU', async () => {
    const { host, posted, calls, engines } = await started()
    host.receive({ type: 'canvas', canvas: {} as OffscreenCanvas })
    await settle()
    engines[0]?.lose('one')
    await settle()
    engines[1]?.lose('two')
    await settle()
    expect(engines.map(({ backend }) => backend)).toEqual(['gpu', 'gpu', 'cpu'])
    expect(posted.findLast(({ type }) => type === 'started')).toMatchObject({
      info: { backend: 'cpu', reason: 'device-lost' },
    })
    expect(calls.filter(({ engine }) => engine === 3).map(({ name }) => name)).not.toContain('attach')
    expect(posted.at(-1)?.type).toBe('loaded')
  })

  it('while a model loads: that model goes into the new engine', async () => {
    const stuck = deferred<void>()
    let loads = 0
    const begin = () => (++loads === 1 ? stuck.promise : Promise.resolve())
    const { posted, engines, calls } = await started({ begin })
    engines[0]?.lose('in the middle')
    await settle()
    expect(posted.at(-1)).toMatchObject({ type: 'loaded', id: 1 })
    expect(loads).toBe(2)
    // What the lost one gave too late is given back.
    stuck.resolve()
    await settle()
    expect(calls.slice(-2)).toEqual(['loading freed', 'engine freed'].map((name) => ({ name, engine: 1 })))
  })
})

describe('a panic', () => {
  it('asks for another worker', async () => {
    const { host, posted } = await started()
    host.receive({ type: 'panic' })
    await settle()
    expect(posted.at(-1)).toEqual({ type: 'crashed', message: 'unreachable' })
  })
})
