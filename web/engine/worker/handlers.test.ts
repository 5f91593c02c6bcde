import { describe, expect, it } from 'vitest'
import { deferred, ran, request, setUp, settle, started } from '../../testing/fakeHost'
import type { HeadByDistance } from '../protocol/protocol'
import type { Params } from '../protocol/requests'

describe('looking at a run', () => {
  it('shows maps of any kind, what heads do and rows of all heads, several at once', async () => {
    const { ask, posted, calls } = await ran()
    ask(3, 'map', { run: 2, kind: 'content', heads: [{ layer: 1, head: 0 }] })
    const layer = [0, 1].map((head) => ({ layer: 1, head }))
    ask(4, 'map', { run: 2, kind: 'output', heads: layer })
    ask(5, 'statistics', { run: 2 })
    ask(6, 'headRows', { run: 2, layer: 1 })
    await settle()
    const numbers = Float32Array.of(1, 2, 3, 4, 5, 6)
    const answers = posted
      .filter(({ type }) => type === 'result')
      .map((message) => (message as { result: unknown }).result)
    expect(answers.slice(-4)).toEqual([
      { run: 2, kind: 'content', length: 1, numbers },
      { run: 2, kind: 'output', length: 1, numbers },
      { run: 2, layer: 1, length: 1, queries: numbers.slice(0, 4), keys: numbers.slice(4) },
      // Of one layer after the other.
      { run: 2, layers: 2, heads: 2, numbers: Float32Array.of(...numbers, ...numbers) },
    ])
    const looks = calls.map(({ name }) => name).filter((name) => name.startsWith('look'))
    expect(looks).toEqual([
      'look 1 map decoder content 1 0 undefined',
      'look 1 meanMap decoder output 1,0,1,1',
      'look 1 headRows decoder 1',
      'look 1 statistics decoder 0 2',
      'look 1 statistics decoder 1 2',
    ])
  })

  it('walks all heads a layer a part, and others get in between', async () => {
    const world = await started({ readsChunks: false })
    const { host, ask, log, posted, calls, predictions } = world
    world.run(2)
    await settle()
    world.runs[0]?.end.resolve()
    await settle()
    ask(3, 'everyHead', { run: 2 })
    await settle()
    ask(4, 'head', { run: 2, layer: 0, head: 1 })
    await settle()
    for (let layer = 0; layer < 2; layer++) {
      host.receive({ type: 'more', id: 3 })
      await settle()
    }
    expect(log().slice(-4)).toEqual(['everyHead 3 part', 'head 4', 'everyHead 3 part', 'everyHead 3'])
    const parts = posted.flatMap((message) =>
      message.type === 'chunk' ? [message.chunk as readonly HeadByDistance[]] : [],
    )
    expect(parts.flat().map(({ layer, head }) => `${layer}.${head}`)).toEqual(['0.0', '0.1', '1.0', '1.1'])
    expect(parts[0]?.[0]).toMatchObject({
      reach: 0,
      correlation: 0.5,
      measured: Float64Array.of(0),
      predicted: Float64Array.of(0.25),
      strength: Float64Array.of(4),
      constancy: Float64Array.of(0.75),
    })
    const [, , size, offset, theta, , counted] = predictions[0] ?? []
    expect([size, offset, theta, counted]).toEqual([2, 0, Float64Array.of(1), Uint8Array.of(1)])
    expect(calls.filter(({ name }) => name === 'head')).toHaveLength(5)
  })

  it('begins a layer of statistics anew where another question goes first', async () => {
    const world = await ran()
    const { ask, log, calls, looks } = world
    const first = deferred<void>()
    looks.push(async (pause) => {
      await first.promise
      if (!(await pause())) throw { code: 'cancelled', message: '', retryable: true }
    })
    ask(3, 'statistics', { run: 2 })
    await settle()
    ask(4, 'head', { run: 2, layer: 0, head: 1 })
    first.resolve()
    await settle()
    expect(log().slice(-3)).toEqual(['statistics 3 part', 'head 4', 'statistics 3'])
    const layers = calls.map(({ name }) => name).filter((name) => name.startsWith('look'))
    expect(layers.map((name) => name.split(' ')[4])).toEqual(['0', '0', '1'])
  })

  it('compares the maps of all heads with one', async () => {
    const { ask, log, posted, calls } = await ran()
    ask(3, 'similarHeads', { run: 2, layer: 1, head: 0 })
    for (let turn = 0; turn < 8; turn++) await settle()
    expect(log().filter((one) => one === 'similarHeads 3 part')).toHaveLength(4)
    // A map of one token is the same everywhere.
    expect(posted.at(-1)).toMatchObject({ result: { run: 2, correlations: Float64Array.of(NaN, NaN, NaN, NaN) } })
    const looks = calls.map(({ name }) => name).filter((name) => name.startsWith('look'))
    expect(looks.slice(0, 2)).toEqual([
      'look 1 map decoder weight 1 0 undefined',
      'look 1 map decoder weight 0 0 undefined',
    ])
    ask(4, 'similarHeads', { run: 1, layer: 0, head: 0 })
    ask(5, 'everyHead', { run: 1 })
    await settle()
    expect(log().slice(-2)).toEqual(['similarHeads 4 gone', 'everyHead 5 gone'])
  })

  it('counts no token that stands for no word', async () => {
    const { ask, posted, calls, runs } = await started()
    ask(2, 'run', { model: 1, request: { ...request(5, 6, 7), special: Uint32Array.of(0, 2) } })
    await settle()
    runs[0]?.end.resolve()
    await settle()
    ask(3, 'statistics', { run: 2 })
    await settle()
    expect(calls.at(-1)?.name).toBe('look 1 statistics decoder 1 -1,6,-1')
    expect(posted.at(-1)).toMatchObject({ kind: 'statistics' })
  })

  it('is answered for each of two requesters, and for each one only the newest', async () => {
    const { ask, log } = await ran()
    const head = (id: number, head: number, slot: number) => ask(id, 'head', { run: 2, layer: 0, head }, slot)
    head(3, 0, 1)
    head(4, 1, 2)
    head(5, 1, 1)
    head(6, 0, 2)
    await settle()
    expect(log().slice(-4).sort()).toEqual(['head 3 superseded', 'head 4 superseded', 'head 5', 'head 6'])
    ask(7, 'contacts', { run: 2 }, 1)
    ask(8, 'contacts', { run: 2 }, 2)
    await settle()
    expect(log().slice(-2)).toEqual(['contacts 7 gone', 'contacts 8 gone'])
    const write = (id: number, slot: number) => ask(id, 'everyHead', { run: 2 }, slot)
    write(9, 1)
    write(10, 2)
    write(11, 2)
    await settle()
    expect(
      log()
        .filter((words) => /everyHead \d+( [a-z]+)?$/.test(words) && !words.endsWith('part'))
        .sort(),
    ).toEqual(['everyHead 10 superseded', 'everyHead 11', 'everyHead 9'])
  })

  it('shows nothing of another run', async () => {
    const { ask, log, calls } = await ran()
    ask(3, 'map', { run: 1, kind: 'weight', heads: [{ layer: 0, head: 0 }] })
    ask(4, 'statistics', { run: 1 })
    ask(5, 'headRows', { run: 1, layer: 0 })
    await settle()
    expect(log().slice(-3)).toEqual(['map 3 gone', 'headRows 5 gone', 'statistics 4 gone'])
    expect(calls.some(({ name }) => name.startsWith('look'))).toBe(false)
  })

  /** The run 2 of a text as it is, and the run 3 of it with a pair stopped. */
  const ranChanged = async (over: Parameters<typeof started>[0] = {}) => {
    const world = await started(over)
    world.run(2)
    const change = { muted: [{ layer: 0, head: 0, pairs: [1], kind: 'frozen' as const }] }
    for (const at of [0, 1]) {
      await settle()
      world.runs[at]?.end.resolve()
      await settle()
      if (at === 0) world.ask(3, 'run', { model: 1, request: { ...request(2), change } })
    }
    return world
  }
  const askAll = ({ ask }: Awaited<ReturnType<typeof started>>, first: number, run: number) => {
    ask(first, 'head', { run, layer: 0, head: 1 }, run)
    ask(first + 1, 'map', { run, kind: 'weight', heads: [{ layer: 0, head: 1 }] })
    ask(first + 2, 'statistics', { run })
    ask(first + 3, 'headRows', { run, layer: 0 })
  }

  it('shows the last run in which nothing was changed beside the newest, both at once', async () => {
    const world = await ranChanged()
    askAll(world, 4, 2)
    askAll(world, 8, 3)
    await settle()
    const kinds = ['head', 'map', 'statistics', 'headRows']
    const expected = [4, 8].flatMap((first) => kinds.map((kind, at) => `${kind} ${first + at}`))
    expect(world.log().slice(-8).sort()).toEqual(expected.sort())
    const heads = world.posted.flatMap((message) =>
      message.type === 'result' && message.kind === 'head' && message.result ? [message.result] : [],
    )
    expect(heads.map(({ run, query }) => [run, query[0]])).toEqual([
      [2, 1],
      [3, 2],
    ])
    // What comes next is that of the newest.
    world.ask(12, 'candidates', { run: 2, settings: {} as Params<'candidates'>['settings'] })
    await settle()
    expect(world.log().at(-1)).toBe('candidates 12 gone')
  })

  it('shows nothing of a run that the engine has overwritten, and of two unchanged ones the later', async () => {
    const world = await ranChanged({ overwrites: true })
    askAll(world, 4, 2)
    await settle()
    const gone = ['head 4 gone', 'map 5 gone', 'headRows 7 gone', 'statistics 6 gone']
    expect(world.log().slice(-4)).toEqual(gone)
    world.run(8)
    await settle()
    world.runs[2]?.end.resolve()
    await settle()
    const before = world.calls.length
    askAll(world, 9, 2)
    await settle()
    expect(
      world
        .log()
        .slice(-4)
        .every((line) => line.endsWith('gone')),
    ).toBe(true)
    expect(world.calls.length).toBe(before)
  })

  it('measures other texts beside it, and nothing of another model', async () => {
    const { ask, log, posted, calls } = await ran()
    const texts = { ids: Uint32Array.of(5, 6), batch: 1, labels: Int32Array.of(-1, 7) }
    ask(3, 'loss', { model: 1, ...texts })
    await settle()
    expect(posted.at(-1)).toMatchObject({ result: { mean: 2.5, labels: 2 } })
    expect(calls.at(-1)?.name).toBe('loss 5,6 1  -1,7 true')
    ask(4, 'head', { run: 2, layer: 0, head: 1 })
    await settle()
    expect(log().at(-1)).toBe('head 4')
    ask(5, 'loss', { model: 9, ...texts })
    await settle()
    expect(log().at(-1)).toBe('loss 5 gone')
  })

  it('runs a text for comparison once for all of its heads, and again where another took its place', async () => {
    const { ask, log, posted, calls } = await ran()
    const texts = () => calls.map(({ name }) => name).filter((name) => name.startsWith('secondText'))
    const compare = (id: number, ids: number[], head: number, slot = 1, positionOffset = 3) =>
      ask(id, 'comparisonHead', { model: 1, ids: Uint32Array.from(ids), layer: 0, head, positionOffset }, slot)
    // A newer head of the same text does not break the run off.
    compare(3, [5, 6], 0)
    compare(4, [5, 6], 1)
    await settle()
    expect(log().slice(-2)).toEqual(['comparisonHead 3', 'comparisonHead 4'])
    expect(posted.at(-1)).toMatchObject({ result: { run: 3, layer: 0, head: 1 } })
    expect(texts()).toEqual(['secondText 5,6 3   true'])
    compare(5, [9], 0, 2)
    await settle()
    compare(6, [5, 6], 0)
    await settle()
    expect(posted.at(-1)).toMatchObject({ result: { run: 6, layer: 0, head: 0 } })
    expect(texts()).toHaveLength(3)
    // What the newest run already holds.
    compare(7, [2], 1, 1, 0)
    await settle()
    expect(posted.at(-1)).toMatchObject({ result: { run: 2, layer: 0, head: 1 } })
    expect(texts()).toHaveLength(3)
  })

  it('runs a text beside it and then reads its heads and maps, until another is run beside', async () => {
    const { ask, log, posted, calls } = await ran()
    const compare = (id: number, ids: Uint32Array, model = 1) =>
      ask(id, 'comparisonHead', {
        model,
        ids,
        layer: 0,
        head: 1,
        positionOffset: 3,
        change: { ablatedHeads: [{ layer: 1, head: 0 }] },
      })
    compare(3, Uint32Array.of(5, 6, 7))
    await settle()
    expect(calls.slice(-2).map(({ name }) => name)).toEqual([
      'secondText 5,6,7 3 layer.1.head[0,*,*]=zero  true',
      'head',
    ])
    expect(posted.at(-1)).toMatchObject({
      result: { run: 3, layer: 0, head: 1, length: 3, query: Float32Array.of(900) },
    })
    const runs = calls.filter(({ name }) => name.startsWith('secondText')).length
    ask(4, 'head', { run: 3, layer: 1, head: 0 })
    ask(5, 'map', { run: 3, kind: 'score', heads: [{ layer: 1, head: 0 }] })
    ask(6, 'head', { run: 2, layer: 1, head: 0 }, 2)
    // Its rope may be another one: rows before they turned are not told.
    ask(7, 'headRows', { run: 3, layer: 0 })
    await settle()
    expect(log().slice(-4).sort()).toEqual(['head 4', 'head 6', 'headRows 7 gone', 'map 5'])
    expect(calls.filter(({ name }) => name.startsWith('secondText')).length).toBe(runs)
    compare(8, Uint32Array.of(9), 9)
    await settle()
    ask(9, 'head', { run: 3, layer: 0, head: 0 })
    await settle()
    expect(log().slice(-2)).toEqual(['comparisonHead 8 gone', 'head 9'])
    compare(10, Uint32Array.of(9))
    compare(11, Uint32Array.of(8))
    await settle()
    ask(12, 'head', { run: 3, layer: 0, head: 0 })
    ask(13, 'head', { run: 2, layer: 0, head: 0 }, 2)
    ask(14, 'head', { run: 11, layer: 0, head: 0 }, 3)
    await settle()
    expect(log().slice(-5)).toEqual([
      'comparisonHead 10 superseded',
      'comparisonHead 11',
      'head 12 gone',
      'head 13',
      'head 14',
    ])
  })
})

it('mathematics fails where the WASM did not start, and leaves nobody waiting', async () => {
  const { host, ask, posted } = setUp({ noSurface: new Error('blocked') })
  host.receive({ type: 'start', backend: 'cpu' })
  ask(7, 'palette', { stops: new Uint8Array() })
  await settle()
  expect(posted).toContainEqual({ type: 'failed', id: 7, failure: expect.objectContaining({ code: 'no-engine' }) })
})
