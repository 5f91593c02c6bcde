import { beforeEach, describe, expect, it } from 'vitest'
import { Bench } from './bench.svelte'
import { EngineState } from './engine.svelte'
import { FakeWorker, headOf, soon } from './fakeEngine'
import { fakePlace } from './fakePlace'

const text = 'the dog sat on the floor'
const link = (values: Record<string, string> = {}) => `#${new URLSearchParams({ text, ...values })}`

async function setUp(hash = link()) {
  const workers: FakeWorker[] = []
  const engine = new EngineState(() => {
    workers.push(new FakeWorker())
    return workers.at(-1) as FakeWorker
  })
  const history = fakePlace(hash)
  const bench = new Bench(engine, history.place)
  engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: [] })
  await soon()
  const worker = () => workers.at(-1) as FakeWorker
  await worker().loaded()
  const runs = () => worker().asked('run')
  const tokens = () => bench.shown?.reading.tokens.join(' ')
  const queryToken = () => bench.shown?.reading.tokens[bench.seen.query]
  return { bench, engine, worker, workers, runs, history, tokens, queryToken }
}

type World = Awaited<ReturnType<typeof setUp>>

describe('a choice', () => {
  let world: World

  beforeEach(async () => {
    world = await setUp()
    await world.worker().ran()
  })

  const choices = [
    { query: 3 },
    { key: 2 },
    { pair: 0 },
    { room: 'laboratory' },
    { headSize: 128 },
    { base: 500 },
    { maxDistance: 64 },
  ] as const

  it.each(choices)('of %o runs nothing and reads nothing', async (choice) => {
    world.bench.choose(choice)
    await soon()
    expect(world.runs().length).toBe(1)
    expect(world.worker().asked('head')).toEqual([])
    expect(world.bench.current).toBe(true)
  })

  it('of a head reads that head of the result shown, once, and runs nothing', async () => {
    const { bench, worker, runs } = world
    const run = bench.shown?.result.run ?? -1
    bench.choose({ layer: 3, head: 1 })
    await soon()
    expect(
      worker()
        .asked('head')
        .map(({ asks }) => asks),
    ).toEqual([{ run, layer: 3, head: 1 }])
    await worker().answer(worker().asked('head')[0]!, headOf(run, 3, 1, 8))
    expect(bench.shown?.head).toMatchObject({ layer: 3, head: 1 })
    expect(worker().asked('head').length).toBe(1)
    expect(runs().length).toBe(1)
  })

  it('of a text runs it, once', async () => {
    world.bench.choose({ text: `${text} .` })
    await soon()
    expect(world.runs().length).toBe(2)
  })
})

describe('a head that was asked of an older result', () => {
  it('is not shown with a newer one', async () => {
    const { bench, worker } = await setUp()
    await worker().ran()
    const old = bench.shown?.result.run ?? -1
    bench.choose({ head: 1 })
    await soon()
    bench.choose({ text: 'the cat sat on the floor' })
    await soon()
    await worker().ran()
    await worker().answer(worker().asked('head')[0]!, headOf(old, 0, 1, 8))
    expect(bench.shown?.head.run).toBe(bench.shown?.result.run)
  })
})

describe('while a newer result is on its way', () => {
  it('the one shown keeps the cursor on its own tokens', async () => {
    const { bench, worker, tokens, queryToken } = await setUp(link({ query: '2', key: '1' }))
    await worker().ran()
    expect([bench.coming, queryToken()]).toEqual([false, 'dog'])
    bench.choose({ text: `look : ${text}` })
    await soon()
    expect(bench.coming).toBe(true)
    expect(bench.choice.query).toBe(4)
    expect(tokens()).toBe('[CLS] the dog sat on the floor [SEP]')
    expect([bench.seen.query, bench.seen.key]).toEqual([2, 1])
    await worker().ran()
    expect([bench.coming, bench.seen.query, queryToken()]).toEqual([false, 4, 'dog'])
  })

  it('what is chosen in it is chosen in the text as it stands', async () => {
    const { bench, worker, queryToken } = await setUp()
    await worker().ran()
    bench.choose({ text: `look : ${text}` })
    bench.chooseSeen({ query: 3 })
    await soon()
    expect([bench.choice.query, queryToken()]).toEqual([5, 'sat'])
    await worker().ran()
    expect(queryToken()).toBe('sat')
  })

  it('a run that was overtaken leaves the newer one coming', async () => {
    const { bench, worker, runs } = await setUp()
    await worker().ran()
    for (const word of ['cat', 'rose']) {
      bench.choose({ text: `the ${word}` })
      await soon()
    }
    await worker().answer(runs()[1]!, null)
    expect(bench.coming).toBe(true)
    await worker().ran()
    expect([bench.coming, bench.current]).toEqual([false, true])
  })
})

describe('an engine that was given up', () => {
  it.each(['text', 'example'] as const)('is started again by another %s, and runs it', async (what) => {
    const { bench, engine, worker, workers } = await setUp()
    for (let crash = 0; crash < 3; crash++) worker().say({ type: 'crashed', message: 'unreachable' })
    await soon()
    expect(engine.alive).toBe(false)
    if (what === 'text') bench.choose({ text: 'the cat' })
    else bench.show({ name: '', look: '', for: 'any', text: 'the cat', layer: 0, head: 0, query: 0, key: 0 })
    expect([workers.length, engine.alive]).toEqual([4, true])
    await worker().loaded()
    expect(worker().asked('run').length).toBe(1)
  })
})

describe('a written text', () => {
  const example = { name: '', look: '', for: 'any', text: 'the cat', layer: 0, head: 0, query: 0, key: 0 } as const

  it('comes back by Back when an example took its place', async () => {
    const { bench, history } = await setUp()
    bench.choose({ text: 'my own words' })
    await soon()
    bench.show(example)
    await soon()
    history.go(-1)
    expect(bench.choice.text).toBe('my own words')
  })

  it('comes back with the words that its masks hide', async () => {
    const { bench, history } = await setUp()
    bench.toggleMask(2)
    await soon()
    bench.show(example)
    await soon()
    history.go(-1)
    await soon()
    expect(bench.choice.text).toBe('the [MASK] sat on the floor')
    expect(bench.toggleMask(2)).toBe(true)
    expect(bench.choice.text).toBe(text)
  })

  it('makes one step however much is typed, so that Back goes to what was there before', async () => {
    const { bench, history } = await setUp()
    for (const typed of ['m', 'my', 'my own']) {
      bench.choose({ text: typed })
      await soon()
    }
    expect(history.entries.length).toBe(2)
    history.go(-1)
    expect(bench.choice.text).toBe(text)
  })
})
