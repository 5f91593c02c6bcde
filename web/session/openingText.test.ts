import { describe, expect, it, vi } from 'vitest'
import type { ModelSource } from '../engine/protocol/protocol'
import { modelLink } from '../viewstate/codec'
import { examples } from '../viewstate/examples'
import { OpeningText, type OpeningBench, type OpeningLink, type OpeningModel } from './openingText'

const [masks] = examples
const writing = examples.find((example) => example.for === 'writing')!
const { text, layer, head, query, key } = writing

const model = (name: string, over: object = {}, kind: 'url' | 'files' = 'url'): OpeningModel => ({
  source: (kind === 'url' ? { kind, name, base: '', files: [] } : { kind, name, files: [] }) satisfies ModelSource,
  fullInfo: {
    name,
    architecture: 'RoFormerForCausalLM',
    is_decoder: true,
    predicts_tokens: true,
    ...over,
  } as OpeningModel['fullInfo'],
})
const reader = (name: string) => model(name, { architecture: 'RoFormerForMaskedLM', is_decoder: false })

const link = (...named: readonly (keyof typeof writing)[]): OpeningLink => ({ names: (key) => named.includes(key) })

function setUp(start: OpeningLink, choice: Partial<OpeningBench['choice']> = {}, inStory = false) {
  const bench = {
    choice: { text: masks.text, model: 'writer', part: 'cross' as const, ...choice },
    inStory,
    autoSelection: { seekCell: vi.fn(), seekHead: vi.fn() },
    chooseWithoutStep: vi.fn<OpeningBench['chooseWithoutStep']>(),
    show: vi.fn<OpeningBench['show']>(),
  } satisfies OpeningBench
  const openingText = new OpeningText(bench, start)
  /** What has changed the text so far. */
  const changes = () => [bench.chooseWithoutStep.mock.calls.length, bench.show.mock.calls.length]
  return { bench, openingText, changes }
}

describe('a link without a text', () => {
  it('opens on the model’s first example, without a step', () => {
    const { bench, openingText, changes } = setUp(link())
    openingText.chooseFor(model('writer'))
    expect(bench.chooseWithoutStep).toHaveBeenCalledWith({ text, layer, head, query, key })
    openingText.chooseFor(model('writer'))
    expect(changes()).toEqual([1, 0])
    expect(bench.autoSelection.seekHead).not.toHaveBeenCalled()
  })

  it('opens on it after a story that began before its model came', () => {
    const { openingText, bench } = setUp(link())
    bench.inStory = true
    openingText.chooseFor(reader('story'))
    bench.inStory = false
    openingText.awaitModelBeforeStory()
    openingText.chooseFor(model('writer'))
    expect(bench.chooseWithoutStep).toHaveBeenCalledWith({ text, layer, head, query, key })
  })

  it('keeps the places that it names', () => {
    const { bench, openingText } = setUp(link('layer', 'query'))
    openingText.chooseFor(model('writer'))
    expect(bench.chooseWithoutStep).toHaveBeenCalledWith({ text, head, key })
  })

  it('waits for the model that it names', () => {
    const { openingText, changes } = setUp(link())
    openingText.chooseFor(model('another'))
    expect(changes()).toEqual([0, 0])
    openingText.chooseFor(model('writer'))
    expect(changes()).toEqual([1, 0])
  })

  it('keeps what the visitor has typed meanwhile', () => {
    const { openingText, changes } = setUp(link(), { text: 'typed' })
    openingText.chooseFor(model('writer'))
    expect(changes()).toEqual([0, 0])
  })

  it('seeks a head of a model that comes without places', () => {
    const { bench, openingText } = setUp(link(), { model: modelLink(model('mine', {}, 'files').source) })
    openingText.chooseFor(model('mine', {}, 'files'))
    expect(bench.autoSelection.seekHead).toHaveBeenCalledOnce()
  })

  it('seeks a cell of a part that the example has none of', () => {
    const numbers = { architecture: 'MarianMTModel', encoder: {} }
    for (const [part, times] of [
      ['cross', 0],
      ['decoder', 1],
    ] as const) {
      const { bench, openingText } = setUp(link(), { model: 'marian-numbers', part })
      openingText.chooseFor(model('marian-numbers', numbers))
      expect(bench.autoSelection.seekCell).toHaveBeenCalledTimes(times)
    }
  })
})

describe('a link with a text', () => {
  it.each([
    ['no cell', link('text', 'layer', 'head'), 1],
    ['a query', link('text', 'query'), 0],
    ['a key', link('text', 'key'), 0],
  ])('and %s shows its strongest cell or its own', (_, start, times) => {
    const { bench } = setUp(start)
    expect(bench.autoSelection.seekCell).toHaveBeenCalledTimes(times)
  })

  it('keeps it in its own model, whatever it is, and loses it in the next one', () => {
    const { openingText, changes, bench } = setUp(link('text'))
    openingText.chooseFor(reader('reader'))
    openingText.followLink(link('text'))
    openingText.chooseFor(model('another'))
    openingText.chooseFor(model('writer'))
    expect(changes()).toEqual([0, 0])
    bench.choice.text = writing.text
    openingText.chooseFor(reader('reader'))
    expect(bench.show).toHaveBeenCalledWith(masks)
  })
})

describe('a link with a text for a model that it does not name in full', () => {
  const commit = 'c'.repeat(40)
  const hub = {
    ...reader('a/b'),
    source: { kind: 'hub', name: 'a/b', revision: commit, files: [] } satisfies ModelSource,
  }
  const folder = { ...reader('mine'), source: model('mine', {}, 'files').source }

  it.each([
    ['hub:a/b', hub],
    ['hub:a/b@main', hub],
    [`hub:a/b@${commit}`, hub],
    ['own:mine', folder],
    ['own', folder],
  ])('keeps it and its places: %s', (linked, opened) => {
    const { bench, openingText, changes } = setUp(link('text'))
    openingText.chooseFor(model('writer'))
    // An example that suits the model, too, but is not its first one.
    Object.assign(bench.choice, { text: examples.find(({ id }) => id === 'near')!.text, model: linked })
    openingText.followLink(link('text', 'layer', 'query'))
    // The address names the loaded model in full.
    bench.choice.model = modelLink(opened.source)
    openingText.chooseFor(opened)
    expect(changes()).toEqual([0, 0])
    expect(bench.autoSelection.seekHead).not.toHaveBeenCalled()
  })

  it('keeps them where the link opens the page', () => {
    const { openingText, bench, changes } = setUp(link('text', 'layer'), { model: 'hub:a/b', text: writing.text })
    bench.choice.model = modelLink(hub.source)
    openingText.chooseFor(hub)
    expect(changes()).toEqual([0, 0])
  })

  it.each(['hub:a/bc', 'hub:a', 'own:another'])('does not keep it in another one: %s', (linked) => {
    for (const opened of [hub, folder]) {
      const { bench, openingText } = setUp(link('text'))
      openingText.chooseFor(model('writer'))
      Object.assign(bench.choice, { text: writing.text, model: linked })
      openingText.followLink(link('text'))
      bench.choice.model = modelLink(opened.source)
      openingText.chooseFor(opened)
      expect(bench.show).toHaveBeenCalledWith(masks)
    }
  })
})

describe('a link with a text for a model that does not come', () => {
  const followed = () => {
    const world = setUp(link('text'), { model: 'reader', text: writing.text })
    world.openingText.chooseFor(reader('reader'))
    world.bench.choice.model = 'hub:a/b'
    world.openingText.followLink(link('text'))
    return world
  }

  it.each([
    ['that was followed', () => followed()],
    ['that opened the page', () => setUp(link('text'), { model: 'hub:a/b' })],
  ])('%s leaves another one its own example, once the address names that one', (_, opened) => {
    const { bench, openingText, changes } = opened()
    bench.choice.text = masks.text
    openingText.chooseFor(model('writer'))
    expect(changes()).toEqual([0, 0])
    bench.choice.model = 'writer'
    openingText.chooseFor(model('writer'))
    expect(bench.show).toHaveBeenCalledWith(writing)
  })

  it('leaves the former one its own example, too', () => {
    const { bench, openingText } = followed()
    bench.choice.model = 'reader'
    openingText.chooseFor(reader('reader'))
    expect(bench.show).toHaveBeenCalledWith(masks)
  })
})

describe('another model', () => {
  const opened = (named: OpeningLink, choice: Partial<OpeningBench['choice']> = {}) => {
    const world = setUp(named, { model: 'reader', ...choice })
    world.openingText.chooseFor(reader('reader'))
    return world
  }

  it('shows its first example in place of another one, as a step', () => {
    const { bench, openingText, changes } = opened(link('text'))
    openingText.chooseFor(model('writer'))
    expect(bench.show).toHaveBeenCalledWith(writing)
    expect(changes()).toEqual([0, 1])
  })

  it('keeps a text that somebody wrote, and seeks a head in it unless the link names a place', () => {
    for (const [named, times] of [
      [link('text'), 1],
      [link('text', 'layer'), 0],
    ] as const) {
      const { bench, openingText, changes } = opened(named, { text: 'written' })
      openingText.chooseFor(model('writer'))
      expect(changes()).toEqual([0, 0])
      expect(bench.autoSelection.seekHead).toHaveBeenCalledTimes(times)
      // The place was for one model.
      openingText.chooseFor(reader('reader'))
      expect(bench.autoSelection.seekHead).toHaveBeenCalledTimes(times + 1)
    }
  })

  it('is not the same one that is read again', () => {
    const { openingText, changes, bench } = opened(link('text'), { text: writing.text })
    openingText.chooseFor(reader('reader'))
    expect(changes()).toEqual([0, 0])
    expect(bench.autoSelection.seekHead).not.toHaveBeenCalled()
  })

  it('is another folder of the same name', () => {
    const { bench, openingText, changes } = opened(link('text'))
    const folder = model('checkpoint', {}, 'files')
    openingText.chooseFor(folder)
    expect(changes()).toEqual([0, 1])
    bench.choice.text = masks.text
    openingText.chooseFor({ ...folder })
    expect(changes()).toEqual([0, 1])
    openingText.chooseFor(model('checkpoint', {}, 'files'))
    expect(changes()).toEqual([0, 2])
  })

  it('takes no text during a story, nor the one from before it', () => {
    const { bench, openingText, changes } = opened(link('text'))
    bench.choice.model = 'writer'
    bench.inStory = true
    openingText.chooseFor(model('writer'))
    bench.inStory = false
    openingText.awaitModelBeforeStory()
    openingText.chooseFor(model('writer'))
    expect(changes()).toEqual([0, 0])
    openingText.chooseFor(model('another', { architecture: 'RoFormerForMaskedLM', is_decoder: false }))
    expect(changes()).toEqual([0, 0])
    bench.choice.text = writing.text
    openingText.chooseFor(reader('reader'))
    expect(changes()).toEqual([0, 1])
  })
})
