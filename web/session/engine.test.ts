import { expect, it, onTestFinished } from 'vitest'
import { engineFailure } from '../engine/protocol/failure'
import { switchLanguage } from '../i18n/messages.svelte'
import { EngineState } from './engine.svelte'
import { FakeWorker, files, soon } from '../testing/fakeEngine'

function setUp() {
  const workers: FakeWorker[] = []
  const engine = new EngineState(() => {
    workers.push(new FakeWorker())
    return workers.at(-1) as FakeWorker
  })
  engine.start('auto', 'auto')
  return { engine, workers, worker: () => workers.at(-1) as FakeWorker }
}

const source = (name: string) => ({ kind: 'url', base: `http://host/${name}/`, name, files: [] }) as const

it('a model that is there does not end another’s way, nor do its bytes count for that', async () => {
  const { engine, worker } = setUp()
  engine.load(source('A'))
  const first = worker().newestLoad
  engine.load(source('B'))
  await worker().loaded({ name: 'A' }, first)
  expect(engine.model?.info.name).toBe('A')
  expect(engine.loading?.source.name).toBe('B')
  worker().say({ type: 'progress', id: first, file: 'config.json', loaded: 7, total: 7 })
  expect(engine.loading?.files.size).toBe(0)
  worker().say({ type: 'progress', id: worker().newestLoad, file: 'config.json', loaded: 1, total: 9 })
  expect(engine.loading?.files.get('config.json')).toEqual({ loaded: 1, total: 9 })
  await worker().loaded({ name: 'B' })
  expect(engine.loading).toBeUndefined()
})

it('a trouble follows the language of the page', async () => {
  onTestFinished(() => switchLanguage('en'))
  const { engine, worker } = setUp()
  engine.load(source('A'))
  const failure = engineFailure('missing-file', { name: 'config.json', path: '/A/config.json' })
  worker().say({ type: 'failed', id: worker().newestLoad, failure })
  worker().say({ type: 'deviceLost', message: '' })
  const texts = () => {
    const { load, engine: lost } = engine.troubles
    return [load?.().title, load?.().text, lost?.().title]
  }
  const english = ['This model could not be loaded', expect.stringContaining('was not found'), 'The GPU was lost']
  expect(texts()).toEqual(english)
  await switchLanguage('hu')
  for (const [at, text] of texts().entries()) expect(text).not.toEqual(english[at])
  expect(texts()[1]).toContain('nem található')
  await switchLanguage('en')
  expect(texts()).toEqual(english)
})

it('a model that is read again after a lost device shows its bytes', async () => {
  const { engine, worker } = setUp()
  engine.load(source('A'))
  await worker().loaded({ name: 'A' })
  const id = engine.model?.version ?? -1
  worker().say({ type: 'progress', id, file: 'config.json', loaded: 3, total: 9 })
  expect(engine.loading).toMatchObject({ id, source: { name: 'A' } })
})

it('what was measured of a model stays while the model does', async () => {
  const { engine, worker } = setUp()
  engine.load(source('A'))
  await worker().loaded()
  engine.answers.ofModel.set('losses', 1)
  await worker().loaded()
  expect(engine.answers.ofModel.get('losses'), 'read again after a lost device').toBe(1)
  engine.load(source('B'))
  expect(engine.answers.ofModel.get('losses')).toBe(1)
  await worker().loaded()
  expect(engine.answers.ofModel.get('losses')).toBeUndefined()
})

it('an engine that was given up is alive again when a model is to be loaded', async () => {
  const { engine, workers, worker } = setUp()
  for (let crash = 0; crash < 3; crash++) worker().say({ type: 'crashed', message: 'unreachable' })
  expect(engine.alive).toBe(false)
  engine.load(source('A'))
  await soon()
  expect([engine.alive, workers.length, engine.loading?.source.name]).toEqual([true, 4, 'A'])
  expect(worker().sent).toMatchObject([{ type: 'start' }, { type: 'load' }])
})

it('a tokenizer is opened while its model’s weights are on their way; one that cannot be is told of with the model', async () => {
  const { engine, worker } = setUp()
  engine.load(source('A'))
  const id = worker().newestLoad
  worker().say({ type: 'tokenizer', id: id - 1, tokenizer: { tokenizer: 'of another' } })
  worker().say({ type: 'tokenizer', id, tokenizer: files })
  const broken = { tokenizer: 'no JSON' }
  const loaded = async (id: number) => {
    await worker().loaded({ name: 'A' }, id, broken)
    return [engine.model?.version, engine.troubles.load !== undefined]
  }
  expect(await loaded(id), 'the one that was told of before').toEqual([id, false])
  engine.load(source('B'))
  worker().say({ type: 'tokenizer', id: worker().newestLoad, tokenizer: broken })
  expect(engine.troubles.load).toBeUndefined()
  expect(await loaded(worker().newestLoad), 'the model before stays').toEqual([id, true])
})
