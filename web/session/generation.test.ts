import { describe, expect, it, vi } from 'vitest'
import type { EngineRequest, FromWorker } from '../engine/protocol/messages'
import type { GeneratedToken } from '../engine/protocol/generation'
import { Bench } from './bench.svelte'
import { EngineState } from './engine.svelte'
import { FakeWorker, encoderDecoder, soon } from '../testing/fakeEngine'
import { fakePlace } from '../testing/fakeBench'

async function setUp(text = 'the dog') {
  const worker = new FakeWorker()
  const engine = new EngineState(() => worker)
  const { place } = fakePlace(`#${new URLSearchParams({ text, seed: '7' })}`)
  const bench = new Bench(engine, place)
  engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: [] })
  await soon()
  await worker.loaded({ is_decoder: true, eos_token_ids: [1] })
  await worker.ran()
  const requests = () => worker.requests('generate').at(-1) as EngineRequest<'generate'>
  const id = (word: string) => engine.model?.tokenizer.encode(word).ids[1] ?? -1
  /** The engine's next token. */
  const writes = async (word: string, over: Partial<GeneratedToken> = {}) => {
    const chunk = { id: id(word), candidates: [], left: 1, ended: null, ...over }
    worker.say({ type: 'chunk', id: requests().id, kind: 'generate', chunk } as FromWorker)
    await soon()
  }
  const ends = (why: 'end' | 'length' | 'stop') =>
    why === 'stop' ? worker.refuse(requests(), 'superseded') : worker.answer(requests(), why)
  return {
    worker,
    engine,
    bench,
    generation: bench.generation,
    requests,
    id,
    writes,
    ends,
    text: () => bench.choice.text,
  }
}

describe('a continuation', () => {
  it('asks for tokens after the text, without what the template puts behind it', async () => {
    const { engine, generation, requests } = await setUp()
    void generation.continue()
    const { ids, settings } = requests().params
    expect(Array.from(ids, (id) => engine.model?.tokenizer.token(id))).toEqual(['[CLS]', 'the', 'dog'])
    expect(settings).toMatchObject({ seed: 7, stopIds: [1], beyondLength: false, maxNewTokens: 48 })
  })

  it('reports no run as gone while it writes, and one that is still on show afterwards', async () => {
    const { bench, engine, worker, generation, ends } = await setUp()
    void generation.continue()
    bench.choose({ head: 1 })
    await soon()
    await worker.refuse(worker.requests('head').at(-1)!, 'gone')
    expect([generation.writing, engine.troubles.run]).toEqual([true, undefined])
    await ends('length')
    expect(engine.troubles.run?.()).toMatchObject({ retryable: true })
  })

  it('comes into the text token by token, and says how it ended', async () => {
    const { generation, writes, ends, text } = await setUp()
    void generation.continue()
    expect([generation.writing, generation.ready]).toEqual([true, false])
    await writes('sat')
    expect(text()).toBe('the dog sat')
    await writes('down', { ended: 'length' })
    await ends('length')
    expect(text()).toBe('the dog sat down')
    expect([generation.writing, generation.ended]).toEqual([false, { why: 'length', tokens: 2 }])
  })

  it('has the speed of the model on show, not of the one before it', async () => {
    const { generation, worker, writes, ends } = await setUp()
    void generation.continue()
    for (const word of ['sat', 'down', 'sat']) await writes(word)
    await ends('length')
    expect(generation.speed).toBeGreaterThan(0)
    await worker.loaded({ is_decoder: true }, worker.newestLoad + 1)
    expect(generation.speed).toBeUndefined()
  })

  it('has its speed after another part of its model is selected', async () => {
    const { bench, engine, generation, worker, writes, ends } = await setUp()
    await worker.loaded(encoderDecoder)
    void generation.continue()
    for (const word of ['sat', 'down', 'sat']) await writes(word)
    await ends('length')
    const { speed } = generation
    expect(speed).toBeGreaterThan(0)
    const { model } = engine
    bench.choose({ part: 'encoder' })
    await soon()
    expect(engine.model).not.toBe(model)
    expect(generation.speed).toBe(speed)
  })

  it('writes no token that ends it', async () => {
    const { generation, writes, ends, text } = await setUp()
    void generation.continue()
    await writes('sat', { ended: 'end' })
    await ends('end')
    expect(text()).toBe('the dog')
    expect(generation.ended).toEqual({ why: 'end', tokens: 1 })
  })

  it('stops at once: what is on its way then is not written', async () => {
    const { worker, generation, writes, ends, text } = await setUp()
    void generation.continue()
    await writes('sat')
    generation.stop()
    expect(worker.sent.at(-1)).toMatchObject({ type: 'stop' })
    await writes('down')
    await ends('stop')
    expect(text()).toBe('the dog sat')
    expect(generation.ended).toEqual({ why: 'stop', tokens: 1 })
  })

  it('stops when somebody types, and keeps all that was written and typed', async () => {
    for (const isVisible of [true, false]) {
      const { bench, worker, generation, writes, ends, text } = await setUp()
      void generation.continue()
      await writes('sat')
      bench.choose({ text: `Look, ${text()}` })
      if (isVisible) await soon()
      // A token that was drawn before the worker heard of it.
      await writes('down')
      expect(text()).toBe('Look, the dog sat')
      expect(worker.sent.some(({ type }) => type === 'stop')).toBe(true)
      await ends('stop')
      expect(generation.writing).toBe(false)
    }
  })

  it('goes on from what stands', async () => {
    const { bench, engine, generation, requests, writes, ends, text } = await setUp()
    void generation.continue()
    await writes('sat')
    await ends('length')
    bench.choose({ text: 'the cat sat' })
    void generation.continue()
    expect(Array.from(requests().params.ids, (id) => engine.model?.tokenizer.token(id))).toEqual([
      '[CLS]',
      'the',
      'cat',
      'sat',
    ])
    await writes('down')
    expect(text()).toBe('the cat sat down')
  })

  it('is written anew from where the model began, and one undo brings the former one back', async () => {
    const { bench, engine, generation, requests, writes, ends, text } = await setUp()
    expect([generation.canStart, generation.hasWritten]).toEqual([true, false])
    void generation.continue()
    await writes('sat')
    await ends('length')
    void generation.continue()
    await writes('down')
    await ends('length')
    expect([generation.canStart, generation.hasWritten]).toEqual([true, true])
    void generation.start()
    expect(Array.from(requests().params.ids, (id) => engine.model?.tokenizer.token(id))).toEqual([
      '[CLS]',
      'the',
      'dog',
    ])
    await writes('down')
    await ends('length')
    expect(text()).toBe('the dog down')
    bench.undo()
    expect(text()).toBe('the dog sat down')
  })

  it('says what went wrong, and leaves the text', async () => {
    const { worker, engine, generation, requests, writes, text } = await setUp()
    void generation.continue()
    await writes('sat')
    worker.say({ type: 'failed', id: requests().id, failure: { code: 'memory', message: 'no room', retryable: false } })
    await soon()
    expect(engine.troubles.writing?.().text).toBe('no room')
    expect([text(), generation.writing]).toEqual(['the dog sat', false])
  })

  it('is not begun by a model that does not write, nor in a text that is longer than the model reads', async () => {
    const { bench, worker, generation } = await setUp()
    bench.choose({ text: 'dog '.repeat(600) })
    expect(generation.ready).toBe(false)
    bench.choose({ text: 'the dog' })
    await worker.loaded({ is_decoder: false })
    expect([generation.able, generation.ready]).toEqual([false, false])
  })
})

describe('taking back', () => {
  it('takes the last token, the last continuation, and nothing that was typed', async () => {
    const { bench, generation, writes, ends, text } = await setUp()
    for (const words of [
      ['sat', 'down'],
      ['and', 'ran'],
    ]) {
      void generation.continue()
      for (const word of words) await writes(word)
      await ends('length')
    }
    generation.takeBack('token')
    await soon()
    expect(text()).toBe('the dog sat down and')
    generation.takeBack('continuation')
    await soon()
    expect(text()).toBe('the dog sat down')
    bench.choose({ text: 'the dog sat down here' })
    await soon()
    expect(generation.beginningOfLast('token')).toBeUndefined()
    bench.choose({ text: 'the dog sat down' })
    await soon()
    generation.takeBack('continuation')
    await soon()
    expect([text(), generation.beginningOfLast('token')]).toEqual(['the dog', undefined])
  })
})

describe('what may come next', () => {
  it('is asked of the result shown, and again when the settings change, never by a run', async () => {
    const { bench, worker, generation, id } = await setUp()
    const runs = worker.requests('run').length
    expect(worker.requests('candidates').map(({ params }) => params.run)).toEqual([bench.run?.id])
    const next = { candidates: [{ id: id('sat'), before: 0.25, after: 0.5 }], left: 1 }
    await worker.answer(worker.requests('candidates')[0]!, next)
    expect(generation.next).toEqual(next)
    bench.choose({ query: 1, key: 1 })
    await soon()
    expect(worker.requests('candidates').length).toBe(1)
    bench.choose({ temperature: 0 })
    await soon()
    expect(worker.requests('candidates').at(-1)?.params.settings).toMatchObject({ temperature: 0, seed: 7 })
    expect(worker.requests('run').length).toBe(runs)
  })

  it('is forgotten with its model, whose ids are not those of another', async () => {
    const { worker, generation, id, writes, ends } = await setUp()
    const candidates = [{ id: id('sat'), before: 0.25, after: 0.5 }]
    await worker.answer(worker.requests('candidates')[0]!, { candidates, left: 1 })
    void generation.continue()
    await writes('sat')
    await ends('length')
    expect([generation.next?.left, generation.drawn?.id]).toEqual([1, id('sat')])
    await worker.loaded({ is_decoder: true }, worker.newestLoad + 1)
    expect([generation.next, generation.drawn, generation.canTake]).toEqual([undefined, undefined, false])
  })

  it('can be taken: it is written like a token that was drawn, and can be taken back', async () => {
    const { worker, generation, id, text } = await setUp()
    generation.take(id('sat'))
    expect(text()).toBe('the dog')
    await worker.answer(worker.requests('candidates')[0]!, { candidates: [], left: 0 })
    expect(generation.canTake).toBe(true)
    generation.take(id('sat'))
    expect(generation.canTake).toBe(false)
    await soon()
    expect(text()).toBe('the dog sat')
    generation.takeBack('token')
    expect(text()).toBe('the dog')
  })

  it('tells which tokens stand for no text', async () => {
    const { engine, generation, id } = await setUp()
    expect(generation.writable(id('sat'))).toBe(true)
    expect(generation.writable(engine.model?.tokenizer.encode('').ids[0] ?? -1)).toBe(false)
  })
})

describe('the views', () => {
  it('follow as they can: one run at a time, of the newest text, and the last text at the end', async () => {
    const { bench, worker, generation, writes, ends } = await setUp()
    const lengths = () => worker.requests('run').map(({ params }) => params.request.ids.length)
    expect(lengths()).toEqual([4])
    void generation.continue()
    for (const word of ['sat', 'down', 'and']) await writes(word)
    expect(lengths()).toEqual([4, 5])
    await worker.ran()
    expect(bench.run?.reading.ids.length).toBe(5)
    // The engine is left alone for as long as a run took.
    await vi.waitFor(() => expect(lengths()).toEqual([4, 5, 7]))
    await writes('ran')
    await ends('length')
    await worker.ran(worker.requests('run')[2])
    await vi.waitFor(() => expect(lengths().at(-1)).toBe(8))
    await worker.ran()
    expect([lengths().at(-1), bench.current, bench.pending]).toEqual([8, true, false])
  })
})
