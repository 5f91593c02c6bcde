import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { EngineClient, newSlot, type EngineEvent, type WorkerLike } from './client'
import type { FromWorker, ToWorker } from '../protocol/messages'
import type { GenerationSettings } from '../protocol/generation'
import type { ModelSource, RunResult } from '../protocol/protocol'
import type { Result, Params, RequestKind, RunRequest } from '../protocol/requests'
import { Trust } from './trust'

class FakeWorker implements WorkerLike {
  sent: ToWorker[] = []
  ended = false
  onmessage: WorkerLike['onmessage'] = null
  onerror: WorkerLike['onerror'] = null
  postMessage(message: ToWorker): void {
    this.sent.push(message)
  }
  terminate(): void {
    this.ended = true
  }
  say(message: FromWorker): void {
    this.onmessage?.({ data: message } as MessageEvent<FromWorker>)
  }
  idOf(what: 'load' | RequestKind): number {
    const message = this.sent.findLast((sent) => (sent.type === 'request' ? sent.kind : sent.type) === what)
    return message && 'id' in message ? message.id : -1
  }
  /** Answers the newest request of a kind. */
  answer<K extends RequestKind>(kind: K, result: Result<K>): void {
    this.say({ type: 'result', id: this.idOf(kind), kind, result } as FromWorker)
  }
}

function setUp() {
  const workers: FakeWorker[] = []
  const events: EngineEvent[] = []
  let stored: string | null = null
  const storage = { getItem: () => stored, setItem: (_: string, value: string) => void (stored = value) }
  let tick: (() => void) | undefined
  const client = new EngineClient(
    () => {
      const worker = new FakeWorker()
      workers.push(worker)
      return worker
    },
    (event) => events.push(event),
    undefined,
    new Trust(() => storage),
    { everySecond: (call) => ((tick = call), () => (tick = undefined)) },
  )
  client.start('auto')
  const latest = () => workers.at(-1) as FakeWorker
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second++) tick?.()
  }
  return { client, workers, events, latest, pass, types: () => events.map(({ type }) => type) }
}

const source: ModelSource = { kind: 'url', base: 'http://host/m/', name: 'm', files: [] }
const other: ModelSource = { kind: 'url', base: 'http://host/n/', name: 'n', files: [] }
const run = { model: 1, request: {} as RunRequest }
const palette = { stops: new Uint8Array() }
const model = {} as Extract<FromWorker, { type: 'loaded' }>['model']

describe('a worker that says nothing', () => {
  it.each(['start', 'load', 'question'] as const)('while a %s is on its way is asked, then reported', async (what) => {
    const { client, latest, events, pass } = setUp()
    if (what !== 'start') latest().say({ type: 'started', info: { backend: 'cpu', reason: 'choice' } })
    if (what === 'load') client.load(source)
    const reply = what === 'question' ? client.ask('palette', palette) : undefined
    pass(20)
    expect(latest().sent.at(-1)).toEqual({ type: 'ping' })
    pass(20)
    expect(events.at(-1)).toEqual({ type: 'silent', seconds: 40, loading: what === 'load' })
    expect(latest().ended).toBe(false)
    latest().say({ type: 'pong', open: 1, steps: 1 })
    expect(events.at(-1)).toEqual({ type: 'answering' })
    pass(19)
    if (what === 'load') latest().say({ type: 'progress', id: latest().idOf('load'), file: 'm', loaded: 1, total: 2 })
    if (what === 'question') latest().answer('palette', Uint8Array.of(1))
    if (what === 'start') latest().say({ type: 'started', info: { backend: 'cpu', reason: 'choice' } })
    pass(30)
    expect(events.filter(({ type }) => type === 'silent').length).toBe(1)
    await reply
  })

  const pings = [
    ['goes on with the question is not silent', { open: 1, steps: 2 }, ['answering']],
    ['does not know the question is silent', { open: 0, steps: 2 }, ['silent']],
    ['makes no step is silent', { open: 1, steps: 1 }, ['silent']],
  ] as const
  it.each(pings)('and pings: an engine that %s', async (_, pong, expected) => {
    const { client, latest, events, pass } = setUp()
    latest().say({ type: 'started', info: { backend: 'cpu', reason: 'choice' } })
    const reply = client.ask('palette', palette)
    latest().say({ type: 'pong', open: 1, steps: 1 })
    pass(40)
    expect(events.at(-1)?.type).toBe('silent')
    latest().say({ type: 'pong', ...pong })
    expect(events.slice(-1).map(({ type }) => type)).toEqual(expected)
    latest().answer('palette', Uint8Array.of(1))
    expect(events.at(-1)?.type).toBe('answering')
    await reply
  })

  it('and pings: a load without new bytes is silent, one that goes on is not', () => {
    const { client, latest, events, pass } = setUp()
    latest().say({ type: 'started', info: { backend: 'cpu', reason: 'choice' } })
    client.load(source)
    latest().say({ type: 'pong', open: 0, steps: 1 })
    pass(40)
    latest().say({ type: 'pong', open: 0, steps: 1 })
    expect(events.at(-1)?.type).toBe('silent')
    latest().say({ type: 'pong', open: 0, steps: 2 })
    expect(events.at(-1)?.type).toBe('answering')
  })

  it('is not asked while nothing is on its way, and one that is replaced is silent no more', () => {
    const { client, latest, events, pass } = setUp()
    latest().say({ type: 'started', info: { backend: 'cpu', reason: 'choice' } })
    pass(100)
    expect(latest().sent.some(({ type }) => type === 'ping')).toBe(false)
    client.load(source)
    pass(40)
    client.start('cpu')
    expect(events.map(({ type }) => type).slice(-4)).toEqual(['silent', 'answering', 'starting', 'loading'])
  })
})

describe('asking', () => {
  it('answers each question with its own answer', async () => {
    const { client, latest } = setUp()
    const bound = client.ask('decay', { theta: Float64Array.of(1, 0.1), maxDistance: 8 })
    const table = client.ask('palette', palette)
    expect(latest().sent.at(-2)).toMatchObject({ type: 'request', kind: 'decay', params: { maxDistance: 8 } })
    latest().answer('palette', Uint8Array.of(1))
    latest().answer('decay', Float64Array.of(2))
    expect(await bound).toEqual({ status: 'ok', result: Float64Array.of(2) })
    expect(await table).toEqual({ status: 'ok', result: Uint8Array.of(1) })
  })

  it('says why a run has no answer', async () => {
    const { client, latest } = setUp()
    const first = client.ask('run', run)
    latest().say({ type: 'dropped', id: latest().idOf('run'), kind: 'run', reason: 'superseded' })
    expect(await first).toEqual({ status: 'superseded' })
    const second = client.ask('run', run)
    const failure = { code: 'too-long', message: 'too long', retryable: false }
    latest().say({ type: 'failed', id: latest().idOf('run'), failure })
    expect(await second).toEqual({ status: 'failed', failure })
  })
})

describe('an answer that streams', () => {
  const asks = { model: 1, ids: Uint32Array.of(1), settings: {} as GenerationSettings }
  const part = { id: 7, candidates: [], left: 1, ended: null }

  it('tells its parts before its answer, and can be stopped', async () => {
    const { client, latest } = setUp()
    const heard: unknown[] = []
    const stop = new AbortController()
    const listener = { onChunk: (token: unknown) => heard.push(token), signal: stop.signal }
    const reply = client.ask('generate', asks, listener)
    const id = latest().idOf('generate')
    latest().say({ type: 'chunk', id, kind: 'generate', chunk: part })
    expect(heard).toEqual([part])
    stop.abort()
    expect(latest().sent.at(-1)).toEqual({ type: 'stop', id })
    latest().say({ type: 'dropped', id, kind: 'generate', reason: 'superseded' })
    expect(await reply).toEqual({ status: 'superseded' })
  })

  it('that has ended is not stopped any more', async () => {
    const { client, latest } = setUp()
    const stop = new AbortController()
    const reply = client.ask('generate', asks, { onChunk: () => {}, signal: stop.signal })
    latest().answer('generate', 'end')
    expect(await reply).toEqual({ status: 'ok', result: 'end' })
    stop.abort()
    expect(latest().sent.at(-1)?.type).toBe('request')
  })
})

describe('a signal to stop', () => {
  const listenerOf = (stop: AbortController) => ({ onChunk: () => {}, signal: stop.signal })
  const flow: Params<'flow'> = { model: 1, ids: Uint32Array.of(1), positionOffset: 0 }

  it('that was given already lets nothing be asked', async () => {
    const { client, latest } = setUp()
    const before = latest().sent.length
    expect(await client.ask('flow', flow, listenerOf(abortedController()))).toEqual({ status: 'superseded' })
    expect(latest().sent).toHaveLength(before)
  })

  it('is no longer heard once the question has its answer, has failed, or the worker has ended', async () => {
    const { client, latest } = setUp()
    const stop = new AbortController()
    const reply = () => client.ask('flow', flow, listenerOf(stop))
    const listeners = () => getEventListeners(stop.signal, 'abort').length
    const answered = reply()
    expect(listeners()).toBe(1)
    latest().say({ type: 'dropped', id: latest().idOf('flow'), kind: 'flow', reason: 'superseded' })
    await answered
    expect(listeners()).toBe(0)
    const failed = reply()
    latest().say({ type: 'failed', id: latest().idOf('flow'), failure: { code: 'a', message: 'b', retryable: false } })
    expect(await failed).toMatchObject({ failure: { code: 'a' } })
    const ended = reply()
    client.end()
    for (const failed of [ended, reply()]) expect(await failed).toMatchObject({ failure: { code: 'no-engine' } })
    expect(listeners()).toBe(0)
  })
})

/** A controller whose signal has been given. */
function abortedController(): AbortController {
  const controller = new AbortController()
  controller.abort()
  return controller
}

describe('loading', () => {
  it('tells of the newest load only', () => {
    const { client, latest, types } = setUp()
    client.load(source)
    const first = latest().idOf('load')
    client.load(other)
    latest().say({ type: 'failed', id: first, failure: { code: 'cancelled', message: '', retryable: true } })
    expect(types()).not.toContain('loadFailed')
    latest().say({
      type: 'failed',
      id: latest().idOf('load'),
      failure: { code: 'heads', message: '', retryable: false },
    })
    expect(types().at(-1)).toBe('loadFailed')
  })
})

it('a restart lets go of the files of loads that a newer one took the place of', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { client, workers, events } = setUp()
  /** In a call of its own, so that nothing here refers to it. */
  const load = () => {
    const files = [new File(['weights'], 'model.safetensors')]
    client.load({ kind: 'files', name: 'm', files })
    return new WeakRef(files)
  }
  const former = load()
  client.load(other)
  client.start('cpu')
  for (const worker of workers) worker.sent.length = 0
  events.length = 0
  await vi.waitFor(() => {
    collect()
    expect(former.deref() === undefined).toBe(true)
  })
})

describe('an engine that did not start', () => {
  it('loads the model after a new start', () => {
    const { client, latest, types } = setUp()
    client.load(source)
    const id = latest().idOf('load')
    latest().say({ type: 'failed', failure: { code: 'wasm', message: '404', retryable: true } })
    latest().say({ type: 'failed', id, failure: { code: 'no-engine', message: 'no engine', retryable: true } })
    expect(types().slice(-2)).toEqual(['failed', 'loadFailed'])
    client.start('auto')
    expect(latest().sent).toMatchObject([{ type: 'start' }, { type: 'load', id, source }])
  })

  it('is not called silent as well, for the load that waits for the new start', () => {
    const { client, latest, pass, types } = setUp()
    client.load(source)
    const id = latest().idOf('load')
    latest().say({ type: 'failed', failure: { code: 'wasm', message: '404', retryable: true } })
    latest().say({ type: 'failed', id, failure: { code: 'no-engine', message: 'no engine', retryable: true } })
    for (let second = 0; second < 100; second++) {
      pass(1)
      latest().say({ type: 'pong', open: 0, steps: 0 })
    }
    expect(types()).not.toContain('silent')
  })
})

describe('an adapter that computes what the CPU computes', () => {
  it('is named to the next worker, if it has a name', () => {
    const { client, latest } = setUp()
    expect(latest().sent[0]).toEqual({ type: 'start', backend: 'auto' })
    latest().say({ type: 'adapterPassed' })
    client.start('gpu')
    expect(latest().sent[0]).toEqual({ type: 'start', backend: 'gpu' })
    latest().say({ type: 'adapterPassed', adapter: 'one' })
    latest().say({ type: 'adapterPassed', adapter: 'two' })
    client.start('auto')
    expect(latest().sent[0]).toEqual({ type: 'start', backend: 'auto', trusted: ['one', 'two'] })
  })
})

describe('a crash', () => {
  it('of an engine of several threads brings engines of one, until it is started anew', () => {
    const { client, latest, events } = setUp()
    const start = () => latest().sent.find(({ type }) => type === 'start')
    latest().say({ type: 'crashed', message: 'unreachable' })
    expect(start()).not.toHaveProperty('singleThread')
    latest().say({ type: 'threads', threads: 2 })
    expect(events.at(-1)).toEqual({ type: 'threads', threads: 2 })
    latest().say({ type: 'crashed', message: 'unreachable' })
    expect(start()).toHaveProperty('singleThread', true)
    client.start('auto')
    expect(start()).not.toHaveProperty('singleThread')
  })

  it('replaces the worker, reads the loaded model again and fails what was asked', async () => {
    const { client, workers, latest, events } = setUp()
    client.load(source)
    latest().say({ type: 'loaded', id: latest().idOf('load'), model, tokenizer: {} })
    const reply = client.ask('run', run)
    latest().say({ type: 'crashed', message: 'unreachable' })
    expect(await reply).toMatchObject({ status: 'failed', failure: { code: 'restarted', retryable: true } })
    expect(workers.map(({ ended }) => ended)).toEqual([true, false])
    expect(latest().sent).toMatchObject([
      { type: 'start', backend: 'auto' },
      { type: 'load', source },
    ])
    expect(events).toContainEqual({ type: 'crashed', message: 'unreachable', restarting: true })
    expect(events).toContainEqual({ type: 'starting', generation: 2 })
    // The old worker is not listened to any more.
    workers[0]?.say({ type: 'deviceLost', message: 'late' })
    expect(events.at(-1)?.type).not.toBe('deviceLost')
  })

  it('by another backend, twice in a row, leaves no request without an answer', async () => {
    const { client, latest } = setUp()
    client.load(source)
    latest().say({ type: 'loaded', id: latest().idOf('load'), model, tokenizer: {} })
    const replies = [client.ask('run', run), client.ask('run', run, { slot: newSlot() })]
    client.start('cpu')
    replies.push(client.ask('run', run, { signal: new AbortController().signal }))
    client.start('cpu')
    for (const reply of await Promise.all(replies))
      expect(reply).toMatchObject({ status: 'failed', failure: { code: 'restarted' } })
  })

  it('goes on with a load that was on its way', () => {
    const { client, latest } = setUp()
    client.load(source)
    const id = latest().idOf('load')
    latest().onerror?.({ message: 'script error' } as ErrorEvent)
    expect(latest().idOf('load')).toBe(id)
  })

  it('again and again stops, until the visitor restarts', async () => {
    const { client, workers, latest, events } = setUp()
    for (let crash = 0; crash < 2; crash++) latest().say({ type: 'crashed', message: 'unreachable' })
    const last = client.ask('palette', palette)
    latest().say({ type: 'crashed', message: 'unreachable' })
    expect(workers.length).toBe(3)
    expect(events.at(-1)).toEqual({ type: 'crashed', message: 'unreachable', restarting: false })
    for (const reply of [last, client.ask('palette', palette)])
      expect(await reply).toMatchObject({ status: 'failed', failure: { code: 'no-engine', retryable: true } })
    client.start('cpu')
    expect(latest().sent[0]).toEqual({ type: 'start', backend: 'cpu' })
  })

  it('again and again stops, until a model is to be loaded', () => {
    const { client, workers, latest, events } = setUp()
    for (let crash = 0; crash < 3; crash++) latest().say({ type: 'crashed', message: 'unreachable' })
    expect(client.running).toBe(false)
    client.load(source)
    expect(client.running).toBe(true)
    expect(workers.length).toBe(4)
    expect(latest().sent).toMatchObject([{ type: 'start' }, { type: 'load', source }])
    expect(events.slice(-2)).toMatchObject([{ type: 'starting' }, { type: 'loading', source }])
  })

  it('is not forgotten for an answer of the mathematics', async () => {
    const { client, workers, latest } = setUp()
    for (let crash = 0; crash < 5 && client.running; crash++) {
      const reply = client.ask('palette', palette)
      latest().answer('palette', new Uint8Array())
      await reply
      latest().say({ type: 'crashed', message: 'unreachable' })
    }
    expect(workers.length).toBe(3)
  })

  it('after a result does not count with those before', async () => {
    const { client, workers, latest } = setUp()
    for (let crash = 0; crash < 5; crash++) {
      const reply = client.ask('run', run)
      latest().answer('run', {} as RunResult)
      await reply
      latest().say({ type: 'crashed', message: 'unreachable' })
    }
    expect(workers.length).toBe(6)
  })
})
