import { describe, expect, it } from 'vitest'
import { modelLink } from '../viewstate/codec'
import { examples } from '../viewstate/examples'
import { link, setUp } from '../testing/fakeBench'
import { soon } from '../testing/fakeEngine'

describe('another model', () => {
  async function switched(to: string) {
    const world = await setUp(link({ model: 'm', text: to }))
    await world.worker().ran()
    world.engine.load({ kind: 'url', base: 'http://host/causal/', name: 'causal', files: [] })
    await soon()
    await world.worker().loaded({ is_decoder: true })
    return world
  }

  it('of another kind takes an example of its own in place of one for masks, which can be had back', async () => {
    const { bench, runs } = await switched(examples[0].text)
    expect(bench.choice.text).toBe(examples.find((example) => example.for === 'writing')?.text)
    expect(runs()).toHaveLength(2)
    bench.undo()
    expect(bench.choice.text).toBe(examples[0].text)
  })

  it.each([
    ['that is an example for it, too', 'near', true],
    ['whose model never ran it', 'oneBack', false],
  ])('takes its first example in place of one %s', async (_, id, ran) => {
    const { text } = examples.find((example) => example.id === id)!
    const { bench, engine, worker } = await setUp(link({ model: 'm', text }))
    if (ran) await worker().ran()
    engine.load({ kind: 'url', base: 'http://host/causal/', name: 'causal', files: [] })
    await soon()
    await worker().loaded({ is_decoder: true })
    expect(bench.choice.text).toBe(examples.find((example) => example.for === 'writing')?.text)
  })

  it('leaves the example of the link that was followed to it, as by Back', async () => {
    const text = examples.find((example) => example.id === 'near')!.text
    const { bench, engine, worker, history } = await setUp(link({ model: 'm' }))
    await worker().ran()
    history.follow(link({ model: 'causal', text }))
    engine.load({ kind: 'url', base: 'http://host/causal/', name: 'causal', files: [] })
    await soon()
    await worker().loaded({ is_decoder: true })
    expect(bench.choice.text).toBe(text)
    engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: [] })
    await soon()
    await worker().loaded()
    // As the page does with a model that no link named.
    bench.choose({ model: modelLink(engine.model!.source) })
    await soon()
    expect(bench.choice.text).toBe(examples[0].text)
  })

  it('leaves the text of a link to its model, which comes after another one was kept', async () => {
    const text = examples.find((example) => example.id === 'near')!.text
    const { bench, engine, worker, history } = await setUp(link({ model: 'm' }))
    await worker().ran()
    history.follow(link({ model: 'causal', text }))
    // As where the visitor is asked before the model is fetched.
    bench.linkedModel.release()
    await soon()
    engine.load({ kind: 'url', base: 'http://host/causal/', name: 'causal', files: [] })
    await soon()
    await worker().loaded({ is_decoder: true })
    expect(bench.choice.text).toBe(text)
  })

  it('that is opened in place of the one of a link takes its own example', async () => {
    const { bench, engine, worker, history } = await setUp(link({ model: 'm' }))
    await worker().ran()
    history.follow(link({ model: 'hub:a/b', text: examples[0].text }))
    // As where the visitor is asked before the model is fetched.
    bench.linkedModel.release()
    await soon()
    engine.load({ kind: 'url', base: 'http://host/causal/', name: 'causal', files: [] })
    await soon()
    await worker().loaded({ is_decoder: true })
    expect(bench.choice.text).toBe(examples[0].text)
    bench.choose({ model: modelLink(engine.model!.source) })
    await soon()
    expect(bench.choice.text).toBe(examples.find((example) => example.for === 'writing')?.text)
  })

  it('takes its first example after a story that began before any model was loaded', async () => {
    const { bench, engine, worker } = await setUp(link({ model: 'm', text: examples[0].text }), {}, (bench) =>
      bench.showStory({ head: 1 }),
    )
    bench.endStory()
    await soon()
    engine.load({ kind: 'url', base: 'http://host/causal/', name: 'causal', files: [] })
    await soon()
    await worker().loaded({ is_decoder: true })
    expect(bench.choice.text).toBe(examples.find((example) => example.for === 'writing')?.text)
  })

  it('leaves a text that somebody wrote', async () => {
    const { bench } = await switched('the [MASK] sat on the floor')
    expect(bench.choice.text).toBe('the [MASK] sat on the floor')
  })

  it('opens on its own example where the link names no text', async () => {
    const { bench, worker, runs, history } = await setUp('#/explorer?model=m', { is_decoder: true })
    const { text, layer, head, query, key } = examples.find((example) => example.for === 'writing')!
    expect(bench.choice).toMatchObject({ text, layer, head, query, key })
    expect([runs().length, bench.undoable.undo, history.entries.length]).toEqual([1, false, 1])
    await worker().ran()
    expect(bench.current).toBe(true)
  })

  it('looks where such a link says', async () => {
    const { bench } = await setUp('#/explorer?model=m&layer=1&query=2', { is_decoder: true })
    const { text, head, key } = examples.find((example) => example.for === 'writing')!
    expect(bench.choice).toMatchObject({ text, layer: 1, head, query: 2, key })
  })

  it('opens on its own example by a link without a text that is followed later', async () => {
    const { bench, worker, history } = await setUp(link({ model: 'm' }), { is_decoder: true })
    await worker().ran()
    history.follow('#/explorer?model=m')
    await soon()
    expect(bench.choice.text).toBe(examples.find((example) => example.for === 'writing')?.text)
  })

  it('that a link names runs its text, and the former model does not', async () => {
    const { bench, engine, worker, runs, history } = await setUp(link({ model: 'm' }))
    await worker().ran()
    history.follow(link({ model: 'causal', text: 'the cat' }))
    engine.load({ kind: 'url', base: 'http://host/causal/', name: 'causal', files: [] })
    await soon()
    expect([runs().length, bench.choice.text, bench.current]).toEqual([1, 'the cat', false])
    await worker().loaded({ is_decoder: true })
    expect(runs()).toHaveLength(2)
  })

  it('that a newer link no longer names does not run its text', async () => {
    const { engine, worker, runs, history } = await setUp(link({ model: 'm' }))
    await worker().ran()
    history.follow(link({ model: 'causal', text: 'the cat' }))
    engine.load({ kind: 'url', base: 'http://host/causal/', name: 'causal', files: [] })
    const superseded = worker().newestLoad
    history.follow(link({ model: 'other', text: 'the dog' }))
    engine.load({ kind: 'url', base: 'http://host/other/', name: 'other', files: [] })
    const newest = worker().newestLoad
    await worker().loaded({ is_decoder: true }, superseded)
    expect(runs()).toHaveLength(1)
    await worker().loaded({ is_decoder: true }, newest)
    expect(runs()).toHaveLength(2)
  })

  it.each([
    ['is not had', (world: Awaited<ReturnType<typeof setUp>>) => world.bench.linkedModel.release()],
    [
      'does not load',
      ({ engine, worker }: Awaited<ReturnType<typeof setUp>>) => {
        engine.load({ kind: 'url', base: 'http://host/causal/', name: 'causal', files: [] })
        worker().say({
          type: 'failed',
          id: worker().newestLoad,
          failure: { code: 'cancelled', message: '', retryable: true },
        })
      },
    ],
  ])('that a link names and that %s leaves its text to the former model', async (_, end) => {
    const world = await setUp(link({ model: 'm' }))
    const { bench, worker, runs, history } = world
    await worker().ran()
    history.follow(link({ model: 'causal', text: 'the cat' }))
    await soon()
    expect(runs()).toHaveLength(1)
    end(world)
    await soon()
    expect(runs()).toHaveLength(2)
    bench.engine.dismiss('load')
    bench.choose({ text: 'the dog' })
    await soon()
    expect(runs()).toHaveLength(3)
  })

  it('leaves a text that was typed before it came', async () => {
    const { bench } = await setUp('#/explorer?model=causal', { is_decoder: true }, (bench) =>
      bench.choose({ text: 'the dog' }),
    )
    expect(bench.choice.text).toBe('the dog')
  })

  it('leaves the text of a link, whatever it is', async () => {
    const world = await setUp(link({ text: examples[0].text }))
    await world.worker().loaded({ is_decoder: true })
    expect(world.bench.choice.text).toBe(examples[0].text)
  })
})
