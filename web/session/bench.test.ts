import { beforeEach, describe, expect, it } from 'vitest'
import { link, setUp, text } from '../testing/fakeBench'
import { headOf, soon } from '../testing/fakeEngine'

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
    { page: 'read' },
    { headSize: 128 },
    { base: 500 },
    { maxDistance: 64 },
  ] as const

  it.each(choices)('of %o runs nothing and reads nothing', async (choice) => {
    world.bench.choose(choice)
    await soon()
    expect(world.runs().length).toBe(1)
    expect(world.worker().requests('head')).toEqual([])
    expect(world.bench.current).toBe(true)
  })

  it('of a head reads that head of the result shown, once, and runs nothing', async () => {
    const { bench, worker, runs } = world
    const run = bench.run?.id ?? -1
    bench.choose({ layer: 3, head: 1 })
    await soon()
    expect(
      worker()
        .requests('head')
        .map(({ params }) => params),
    ).toMatchObject([{ run, layer: 3, head: 1 }])
    await worker().answer(worker().requests('head')[0]!, headOf(run, 3, 1, 8))
    expect(bench.run?.head).toMatchObject({ layer: 3, head: 1 })
    expect(worker().requests('head').length).toBe(1)
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
    const old = bench.run?.id ?? -1
    bench.choose({ head: 1 })
    await soon()
    bench.choose({ text: 'the cat sat on the floor' })
    await soon()
    await worker().ran()
    await worker().answer(worker().requests('head')[0]!, headOf(old, 0, 1, 8))
    expect(bench.run?.head.run).toBe(bench.run?.id)
  })
})

describe('an engine that no longer holds', () => {
  it('the result on show says so, with another run to be had', async () => {
    const { bench, engine, worker } = await setUp()
    await worker().ran()
    bench.choose({ head: 1 })
    await soon()
    await worker().refuse(worker().requests('head')[0]!, 'gone')
    expect(engine.troubles.run?.()).toMatchObject({ retryable: true })
    bench.runAgain()
    await soon()
    await worker().ran()
    expect(engine.troubles.run).toBeUndefined()
    expect(bench.run?.head.head).toBe(1)
  })

  it('the result on show says so until that is dismissed, and again where more is missing', async () => {
    const { bench, engine, worker } = await setUp()
    await worker().ran()
    bench.choose({ head: 1 })
    await soon()
    await worker().refuse(worker().requests('head')[0]!, 'gone')
    engine.dismiss('run')
    await soon()
    expect(engine.troubles.run).toBeUndefined()
    bench.choose({ head: 2 })
    await soon()
    await worker().refuse(worker().requests('head')[1]!, 'gone')
    expect(engine.troubles.run?.()).toMatchObject({ retryable: true })
  })

  it('a result while a newer one is on its way says nothing', async () => {
    const { bench, engine, worker } = await setUp()
    await worker().ran()
    bench.choose({ head: 1 })
    bench.choose({ text: 'the cat sat' })
    await soon()
    await worker().refuse(worker().requests('head')[0]!, 'gone')
    await worker().ran()
    expect(engine.troubles.run).toBeUndefined()
  })

  it('the model of the newest text says so: the text is not being run for ever', async () => {
    const { bench, engine, worker, runs } = await setUp()
    await worker().refuse(runs()[0]!, 'gone')
    expect(bench.pending).toBe(false)
    expect(engine.troubles.run?.()).toMatchObject({ retryable: true })
  })
})

describe('while a newer result is on its way', () => {
  it('the one shown keeps the cursor on its own tokens', async () => {
    const { bench, worker, tokens, queryToken } = await setUp(link({ query: '2', key: '1' }))
    await worker().ran()
    expect([bench.pending, queryToken()]).toEqual([false, 'dog'])
    bench.choose({ text: `look : ${text}` })
    await soon()
    expect(bench.pending).toBe(true)
    expect(bench.choice.query).toBe(4)
    expect(tokens()).toBe('[CLS] the dog sat on the floor [SEP]')
    expect([bench.cursor.query, bench.cursor.key]).toEqual([2, 1])
    await worker().ran()
    expect([bench.pending, bench.cursor.query, queryToken()]).toEqual([false, 4, 'dog'])
  })

  it('what is chosen in it is chosen in the text as it stands', async () => {
    const { bench, worker, queryToken } = await setUp()
    await worker().ran()
    bench.choose({ text: `look : ${text}` })
    bench.chooseForRun({ query: 3 })
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
    await worker().refuse(runs()[1]!, 'superseded')
    expect(bench.pending).toBe(true)
    await worker().ran()
    expect([bench.pending, bench.current]).toEqual([false, true])
  })
})

describe('an engine that was given up', () => {
  it.each(['text', 'example'] as const)('is started again by another %s, and runs it', async (what) => {
    const { bench, engine, worker, workers } = await setUp()
    for (let crash = 0; crash < 3; crash++) {
      await worker().loaded()
      worker().say({ type: 'crashed', message: 'unreachable' })
      await soon()
    }
    expect([engine.alive, Object.keys(engine.troubles)]).toEqual([false, ['engine']])
    if (what === 'text') bench.choose({ text: 'the cat' })
    else bench.show({ id: 'near', for: 'any', text: 'the cat', layer: 0, head: 0, query: 0, key: 0 })
    expect([workers.length, engine.alive]).toEqual([4, true])
    await worker().loaded()
    expect(worker().requests('run').length).toBe(1)
  })
})

describe('a written text', () => {
  const example = { id: 'near', for: 'any', text: 'the cat', layer: 0, head: 0, query: 0, key: 0 } as const

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

describe('what was chosen and typed', () => {
  it('that Back left comes back by one undo', async () => {
    const { bench, history } = await setUp()
    bench.choose({ text: 'my own words' })
    await soon()
    bench.show({ id: 'near', for: 'any', text: 'the cat', layer: 0, head: 0, query: 0, key: 0 })
    await soon()
    history.go(-1)
    await soon()
    expect(bench.choice.text).toBe('my own words')
    bench.undo()
    expect(bench.choice.text).toBe('the cat')
  })

  it('is undone and done again, and a word is a step', async () => {
    const { bench } = await setUp()
    for (const text of ['the c', 'the ca', 'the cat', 'the cat ', 'the cat s', 'the cat sat']) bench.choose({ text })
    bench.choose({ layer: 3 })
    bench.choose({ query: 1 })
    bench.choose({ query: 2 })
    const values: unknown[] = []
    for (let step = 0; step < 4; step++) {
      bench.undo()
      values.push([bench.choice.text, bench.choice.layer, bench.choice.query])
    }
    expect(values.slice(0, 2)).toEqual([
      ['the cat sat', 3, 4],
      ['the cat sat', 2, 4],
    ])
    expect(values.slice(2)).toEqual([
      ['the cat', 2, 3],
      [text, 2, 9],
    ])
    expect(bench.undoable).toEqual({ undo: false, redo: true })
    for (let step = 0; step < 4; step++) bench.redo()
    expect([bench.choice.text, bench.choice.layer, bench.choice.query]).toEqual(['the cat sat', 3, 2])
  })

  it('is a step a press, and a step a word within the text, too', async () => {
    const { bench } = await setUp()
    for (const query of [1, 2, 3]) {
      bench.beginStep()
      bench.choose({ query })
    }
    // What one press drags belongs together.
    bench.choose({ query: 4 })
    for (const typed of ['o', 'ol', 'old', 'old ', 'old b', 'old bi', 'old big'])
      bench.choose({ text: text.replace('the ', `the ${typed}`) })
    bench.undo()
    expect(bench.choice.text).toBe(text.replace('the ', 'the old'))
    bench.undo()
    expect(bench.choice).toMatchObject({ text })
    const queries: number[] = []
    for (let step = 0; step < 3; step++) {
      bench.undo()
      queries.push(bench.choice.query)
    }
    expect(queries).toEqual([2, 1, 9])
  })

  it('leaves the page, the views that are open and the backend where they are', async () => {
    const { bench } = await setUp()
    bench.choose({ layer: 3 })
    bench.choose({ page: 'models', open: ['score'], gridWidth: 'wide' })
    bench.undo()
    expect(bench.choice).toMatchObject({ layer: 2, page: 'models', open: ['score'], gridWidth: 'wide' })
  })
})

describe('what is shown for a while', () => {
  it('is no step, neither for undo nor for Back, and is run as if chosen', async () => {
    const { bench, worker, runs, history } = await setUp()
    await worker().ran()
    const before = { ...bench.choice }
    const { length } = history.entries
    bench.chooseWithoutStep({ text: 'a cat sat', open: ['distance'] })
    await soon()
    expect(runs().length).toBe(2)
    bench.chooseWithoutStep({ text: before.text, open: before.open })
    await soon()
    expect(bench.choice).toEqual(before)
    expect(history.entries.length).toBe(length)
    expect(bench.undoable).toEqual({ undo: false, redo: false })
    // A choice without a step that changes nothing does not swallow the step after it.
    bench.chooseWithoutStep({ open: before.open })
    bench.choose({ open: ['distance'] })
    await soon()
    expect(history.entries.length).toBe(length + 1)
  })
})

describe('a head that is pointed at', () => {
  it('is read and shown, and nothing is chosen or run', async () => {
    const { bench, worker, runs } = await setUp()
    await worker().ran()
    const run = bench.run?.id ?? -1
    bench.preview = { layer: 3, head: 7 }
    await soon()
    await worker().answer(worker().requests('head')[0]!, headOf(run, 3, 7, 8))
    expect(bench.run?.head).toMatchObject({ layer: 3, head: 7 })
    expect(bench.choice).toMatchObject({ layer: 2, head: 6 })
    bench.preview = undefined
    await soon()
    // It was read with the run, and is there still.
    expect(bench.run?.head).toMatchObject({ run, layer: 2, head: 6 })
    expect([worker().requests('head').length, runs().length]).toEqual([1, 1])
  })
})

describe('a text longer than its model', () => {
  it('is read as far as that reaches, and beyond only where it is asked for', async () => {
    const { bench, engine, worker, runs } = await setUp()
    engine.load({ kind: 'url', base: 'http://host/short/', name: 'short', files: [] })
    await worker().loaded({ max_position_embeddings: 5, stretches: true })
    await soon()
    const requests = () => {
      const request = runs().at(-1)?.params.request
      return [request?.ids.length, request?.beyondLength]
    }
    expect([bench.reading?.truncated, requests()]).toEqual([true, [5, undefined]])
    bench.choose({ beyond: true })
    await soon()
    expect([bench.reading?.truncated, requests()]).toEqual([false, [8, true]])
  })
})
