import { describe, expect, it } from 'vitest'
import { Desk } from './desk'
import type { FromWorker, ToWorker } from './messages'
import type { ModelSource, RunRequest } from './protocol'
import type { Asks, Kind } from './questions'
import type { Surface, WasmEngine, WasmRun } from './surface'

/** A promise that the test settles when it wants to. */
function held<T>() {
  let resolve!: (value: T) => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<T>((yes, no) => ([resolve, reject] = [yes, no]))
  return { promise, resolve, reject }
}

/** Lets everything that is not held go on: by turns of the event loop, for its speed is nobody's promise. */
async function soon(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}

interface Call {
  name: string
  engine: number
}

/** Of the model in the engine. */
const sizes = '{"num_hidden_layers":2,"num_attention_heads":2,"head_size":2,"eos_token_ids":[1]}'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** A desk over an engine whose runs the test ends by hand. */
function setUp(
  over: {
    refuse?: string
    takesIn?: boolean
    begin?: (config: string) => Promise<unknown>
    check?: () => Promise<void>
    adapter?: string
    panic?: boolean
    /** Each run overwrites what the one before left. */
    overwrites?: boolean
  } = {},
) {
  const { takesIn = true } = over
  const posted: FromWorker[] = []
  const calls: Call[] = []
  const runs: { ids: number[]; end: ReturnType<typeof held<void>>; pause: () => Promise<boolean> }[] = []
  /** The tokens that a generation was asked for. */
  const steps: (ReturnType<typeof held<string>> & { pause: () => Promise<boolean> })[] = []
  const engines: { backend: string; lose: (message: string) => void }[] = []
  /** The number of the engine's newest run, and of the last one in which nothing was changed. */
  let newest = 0
  let unchanged = 0
  const there = (number: number) => number === newest || (number === unchanged && !over.overwrites)
  const result = (ids: Uint32Array, number = newest): WasmRun => ({
    number,
    changed: number !== unchanged,
    attention: new Float32Array(ids.length ** 2),
    query: new Float32Array(2),
    key: new Float32Array(2),
    topIds: new Uint32Array(),
    topProbabilities: new Float32Array(),
    logits: new Float32Array(),
    logitsShape: new Uint32Array(),
    losses: Float32Array.of(0.5),
    theta: Float64Array.of(1),
    report: '{"dispatches":34}',
    free() {},
  })
  const surface = {
    Engine: {
      async open(backend: 'gpu' | 'cpu', lose: (message: string) => void): Promise<WasmEngine> {
        if (backend === 'gpu' && over.refuse) throw { code: over.refuse, message: 'limits too small', retryable: false }
        const engine = engines.push({ backend, lose })
        const note = (name: string) => void calls.push({ name, engine })
        return {
          adapter: () => over.adapter ?? '{"adapter":"test adapter"}',
          async check() {
            note('check')
            await over.check?.()
          },
          async begin(config, header, length) {
            note(`begin ${text(header)} of ${length}`)
            await over.begin?.(config)
            return { push: (chunk) => note(`push ${text(chunk)}`), free: () => note('loading freed') }
          },
          adopt() {
            note('adopt')
            return sizes
          },
          async run(ids, _rows, _k, _layer, _head, offset, change, pause) {
            note('run')
            const { change: told } = change as unknown as { change: Parameters<WasmEngine['change']> }
            const number = ++newest
            const end = held<void>()
            runs.push({ ids: Array.from(ids), end, pause })
            await end.promise
            if (offset === 0 && told[0].length === 0) unchanged = number
            return result(ids)
          },
          async head(run) {
            note('head')
            return there(run) ? { ...result(new Uint32Array(1)), query: Float32Array.of(run) } : undefined
          },
          change: (...change) => ({ change, free() {} }),
          async look(run, what, layer, head) {
            note(`look ${run} ${what} ${layer} ${head}`)
            return there(run) ? Float32Array.of(1, 2, 3, 4, 5, 6) : undefined
          },
          async aside(what, ids, batch, rows, topK, offset, change, pause) {
            const [, off, labels] = (change as unknown as { change: unknown[] }).change
            const asked = [what, ids, batch, rows, topK, offset, off, labels, await pause()]
            note(asked.map(String).join(' '))
            // Of 2 tokens, 2 layers, 2 heads.
            const flow = Float64Array.from({ length: 4 + 6 + 4 + 4 }, (_, at) => at)
            return { flow, lens: Float64Array.of(7, 0.5, 8, 0.25, 9, 0.125), loss: Float64Array.of(2.5, 2) }[what]
          },
          async candidates(settings) {
            note(`candidates ${settings}`)
            return '[{"id":7,"before":0.5,"after":0.75}]'
          },
          generate(ids, settings) {
            note(`generate ${ids.join()} ${settings}`)
            return {
              async next(pause) {
                note('next')
                const token = held<string>()
                steps.push({ ...token, pause })
                return token.promise
              },
              free: () => note('freed'),
            }
          },
          attach: () => note('attach'),
          layout: () => note('layout'),
          gridPixels: () => Promise.reject(new Error('not here')),
          device: () => ({ lose() {} }),
          panic() {
            throw new WebAssembly.RuntimeError('unreachable')
          },
          free: () => note('engine freed'),
        }
      },
    },
    // The fake header is eight bytes long.
    headerBytes: (start: Uint8Array) => start.length,
    palette: () => new Uint8Array(768),
    frequencies: () => Float64Array.of(1, 0.5),
  } as unknown as Surface
  const gpu = { requestAdapter: async () => ({ info: { isFallbackAdapter: false } }) as GPUAdapter }
  const desk = new Desk({
    post(message) {
      posted.push(message)
      if (message.type === 'part' && takesIn) setTimeout(() => desk.receive({ type: 'more', id: message.id }))
    },
    surface: async () => surface,
    surroundings: { gpu, secure: true },
    build: 'this one',
    breathe: () => new Promise((resolve) => setTimeout(resolve, 0)),
    now: () => performance.now(),
  })
  /** What was said, in short: answers by their kind, with the question's id; null where it was dropped. */
  const said = () =>
    posted.map((message) => {
      if (message.type === 'part') return `${message.kind} ${message.id} part`
      if (message.type !== 'answer') return message.type
      return `${message.kind} ${message.id}${message.answer === null ? ' dropped' : ''}`
    })
  const ask = <K extends Kind>(id: number, kind: K, asks: Asks<K>) =>
    desk.receive({ type: 'ask', id, kind, asks } as Parameters<Desk['receive']>[0])
  const run = (id: number, ids = [id], model = 1) => ask(id, 'run', { model, request: request(...ids) })
  return { desk, ask, run, posted, said, calls, runs, steps, engines }
}

const source = (config = '{}', ...more: File[]): ModelSource => ({
  kind: 'files',
  name: 'test',
  files: [
    new File([config], 'config.json'),
    new File(['headeigh', 'weights'], 'model.safetensors'),
    new File(['[UNK]'], 'vocab.txt'),
    ...more,
  ],
})
/** What the engine is called for to bring this model in. */
const bringing = ['begin headeigh of 15', 'push weights', 'adopt']
const request = (...ids: number[]): RunRequest => ({
  ids: Uint32Array.from(ids),
  rows: new Uint32Array(),
  topK: 5,
  layer: 0,
  head: 0,
  positionOffset: 0,
})

/** As the worker names the adapter of these tests. */
const known = '["","","","test adapter","this one"]'

/** A desk with a model, on an adapter that the page knows unless told. */
async function started(over: Parameters<typeof setUp>[0] & Partial<Extract<ToWorker, { type: 'start' }>> = {}) {
  const world = setUp(over)
  const { trusted = [known], simulate } = over
  world.desk.receive({ type: 'start', backend: 'auto', trusted, ...(simulate ? { simulate } : {}) })
  world.desk.receive({ type: 'load', id: 1, source: source() })
  await soon()
  return world
}

describe('starting', () => {
  it('opens the GPU, checks the header before the weights are read, and takes them as they come', async () => {
    const { posted, calls } = await started()
    expect(posted).toContainEqual({
      type: 'started',
      info: { backend: 'gpu', reason: 'hardware-adapter', adapter: 'test adapter' },
    })
    expect(calls.map(({ name }) => name)).toEqual(bringing)
    expect(posted).toContainEqual({
      type: 'loaded',
      id: 1,
      model: { ...(JSON.parse(sizes) as object), name: 'test', eos_token_ids: [1] },
      tokenizer: { vocabulary: '[UNK]' },
    })
  })

  it('takes the tokens that end a text from generation_config.json, where there are any', async () => {
    const { desk, posted } = await started()
    const more = new File(['{"eos_token_id":[7,8]}'], 'generation_config.json')
    desk.receive({ type: 'load', id: 2, source: source('{}', more) })
    await soon()
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
    const { desk, posted, ask } = setUp()
    desk.receive({ type: 'start', backend: 'cpu' })
    ask(9, 'frequencies', { headSize: 4, base: 10000 })
    await soon()
    expect(posted).toContainEqual({
      type: 'answer',
      id: 9,
      kind: 'frequencies',
      answer: Float64Array.of(1, 0.5),
    })
  })

  it('refuses a table of angles that no memory has room for, in words', async () => {
    const { desk, posted, ask } = setUp()
    desk.receive({ type: 'start', backend: 'cpu' })
    ask(9, 'angles', { theta: new Float64Array(256), length: 1_000_000 })
    await soon()
    const refused = posted.find(({ type }) => type === 'failed')
    expect(refused).toMatchObject({ id: 9, failure: { code: 'too-many-angles' } })
  })
})

describe('running', () => {
  it('keeps only the newest: the one at work stops, those between never start', async () => {
    const { run, posted, said, runs } = await started()
    run(2)
    await soon()
    expect(await runs[0]?.pause()).toBe(true)
    run(3)
    run(4)
    expect(said().at(-1)).toBe('run 3 dropped')
    expect(await runs[0]?.pause()).toBe(false)
    runs[0]?.end.reject({ code: 'overtaken', message: 'overtaken', retryable: true })
    await soon()
    runs[1]?.end.resolve()
    await soon()
    expect(runs.map(({ ids }) => ids)).toEqual([[2], [4]])
    expect(said().slice(-2)).toEqual(['run 2 dropped', 'run 4'])
    expect(posted.at(-1)).toMatchObject({ answer: { run: 4, length: 1, report: { dispatches: 34 } } })
  })

  it('drops a finished result that a newer run has overtaken', async () => {
    const { run, said, runs } = await started()
    run(2)
    await soon()
    run(3)
    runs[0]?.end.resolve()
    await soon()
    runs[1]?.end.resolve()
    await soon()
    expect(said().slice(-2)).toEqual(['run 2 dropped', 'run 3'])
  })

  it('reads a head only after the newest run, and never two of them for nothing', async () => {
    const { run, ask, runs, said, posted } = await started()
    run(2)
    ask(3, 'head', { run: 2, layer: 0, head: 1 })
    ask(4, 'head', { run: 2, layer: 0, head: 2 })
    await soon()
    runs[0]?.end.resolve()
    await soon()
    expect(said().slice(-3)).toEqual(['head 3 dropped', 'run 2', 'head 4'])
    expect(posted.at(-1)).toMatchObject({ answer: { run: 2, layer: 0, head: 2, length: 1 } })
  })

  it('never gives a head of another run than the one asked for', async () => {
    const { run, ask, runs, said, calls } = await started()
    run(2)
    await soon()
    runs[0]?.end.resolve()
    await soon()
    // Of the next, which ends but is dropped because another waits, and of that one, which is refused.
    run(3, [1, 1])
    await soon()
    run(4, [1, 1, 1])
    runs[1]?.end.resolve()
    await soon()
    runs[2]?.end.reject({ code: 'memory', message: 'its maps do not fit', retryable: false })
    await soon()
    ask(5, 'head', { run: 2, layer: 0, head: 1 })
    ask(6, 'head', { run: 4, layer: 0, head: 1 })
    await soon()
    expect(said().slice(-5)).toEqual(['run 2', 'run 3 dropped', 'failed', 'head 5 dropped', 'head 6 dropped'])
    expect(calls.map(({ name }) => name)).not.toContain('head')
  })

  it('drops a run whose tokens belong to another model', async () => {
    const { desk, run, said, runs } = await started()
    desk.receive({ type: 'load', id: 5, source: source() })
    await soon()
    run(6)
    await soon()
    expect(said().at(-1)).toBe('run 6 dropped')
    expect(runs).toEqual([])
  })
})

describe('writing on', () => {
  const settings = { maxNewTokens: 8, temperature: 0 } as Asks<'generate'>['settings']
  const token = (id: number, ended: string | null = null) => JSON.stringify({ id, candidates: [], ended })
  const write = ({ ask }: Awaited<ReturnType<typeof started>>, id: number) =>
    ask(id, 'generate', { model: 1, ids: Uint32Array.of(5, 6), settings })

  it('tells each token and then why it ended, and gives back what it held', async () => {
    const world = await started()
    const { posted, said, steps, calls } = world
    write(world, 2)
    await soon()
    steps[0]?.resolve(token(7))
    await soon()
    expect(posted.at(-1)).toEqual({
      type: 'part',
      id: 2,
      kind: 'generate',
      part: { id: 7, candidates: [], ended: null },
    })
    steps[1]?.resolve(token(8, 'length'))
    await soon()
    await soon()
    expect(said().slice(-3)).toEqual(['generate 2 part', 'generate 2 part', 'generate 2'])
    expect(posted.at(-1)).toMatchObject({ answer: 'length' })
    const names = calls.map(({ name }) => name).slice(bringing.length)
    expect(names).toEqual([`generate 5,6 ${JSON.stringify(settings)}`, 'next', 'next', 'freed'])
  })

  it('waits until the page has taken in a token, and can be stopped or overtaken then', async () => {
    const world = await started({ takesIn: false })
    const { desk, said, steps } = world
    write(world, 2)
    await soon()
    steps[0]?.resolve(token(7))
    await soon()
    expect(steps.length).toBe(1)
    desk.receive({ type: 'more', id: 2 })
    await soon()
    expect(steps.length).toBe(2)
    steps[1]?.resolve(token(8))
    await soon()
    desk.receive({ type: 'stop', id: 2 })
    await soon()
    expect(said().at(-1)).toBe('generate 2 dropped')
    write(world, 3)
    await soon()
    steps[2]?.resolve(token(7))
    await soon()
    write(world, 4)
    desk.receive({ type: 'more', id: 3 })
    await soon()
    expect(said().filter((words) => words.includes('dropped'))).toEqual(['generate 2 dropped', 'generate 3 dropped'])
    expect(steps.length).toBe(4)
  })

  it('lets a run and a read in between two tokens', async () => {
    const world = await started()
    const { ask, run, said, steps, runs } = world
    run(2)
    await soon()
    runs[0]?.end.resolve()
    write(world, 3)
    await soon()
    run(4)
    ask(5, 'head', { run: 4, layer: 0, head: 1 })
    steps[0]?.resolve(token(7))
    await soon()
    runs[1]?.end.resolve()
    await soon()
    steps[1]?.resolve(token(8, 'end'))
    await soon()
    await soon()
    const expected = ['run 2', 'generate 3 part', 'run 4', 'head 5', 'generate 3 part', 'generate 3']
    expect(said().slice(-6)).toEqual(expected)
  })

  it('stops in the middle of a token, and between two', async () => {
    for (const middle of [true, false]) {
      const world = await started()
      const { desk, said, steps, calls } = world
      write(world, 2)
      await soon()
      if (middle) {
        desk.receive({ type: 'stop', id: 2 })
        expect(await steps[0]?.pause()).toBe(false)
        steps[0]?.reject({ code: 'overtaken', message: '', retryable: true })
      } else {
        expect(await steps[0]?.pause()).toBe(true)
        steps[0]?.resolve(token(7))
        desk.receive({ type: 'stop', id: 2 })
      }
      await soon()
      expect(said().at(-1)).toBe('generate 2 dropped')
      expect(said()).not.toContain('generate 2 part')
      expect(calls.at(-1)?.name).toBe('freed')
    }
  })

  it('gives way to a newer one, to another model and to a lost device', async () => {
    for (const event of ['newer', 'model', 'lost'] as const) {
      const world = await started()
      const { desk, said, steps, engines } = world
      write(world, 2)
      await soon()
      if (event === 'newer') write(world, 3)
      if (event === 'model') desk.receive({ type: 'load', id: 9, source: source() })
      if (event === 'lost') engines[0]?.lose('gone')
      steps[0]?.resolve(token(7))
      await soon()
      if (event === 'model') steps[1]?.resolve(token(7))
      await soon()
      expect(said(), event).toContain('generate 2 dropped')
    }
  })

  it('says what went wrong in the engine’s words', async () => {
    const world = await started()
    write(world, 2)
    await soon()
    world.steps[0]?.reject({ code: 'too-long', message: 'the text is too long', retryable: false })
    await soon()
    expect(world.posted.at(-1)).toMatchObject({ type: 'failed', id: 2, failure: { code: 'too-long' } })
  })
})

describe('what may come next', () => {
  it('is that of the run asked for, or nothing', async () => {
    const { ask, run, runs, said, posted } = await started()
    run(2)
    await soon()
    runs[0]?.end.resolve()
    await soon()
    ask(3, 'candidates', { run: 2, settings: {} as Asks<'candidates'>['settings'] })
    await soon()
    expect(posted.at(-1)).toMatchObject({ answer: [{ id: 7, before: 0.5, after: 0.75 }] })
    ask(4, 'candidates', { run: 1, settings: {} as Asks<'candidates'>['settings'] })
    await soon()
    expect(said().at(-1)).toBe('candidates 4 dropped')
  })
})

describe('looking at a run', () => {
  const ran = async () => {
    const world = await started()
    world.run(2)
    await soon()
    world.runs[0]?.end.resolve()
    await soon()
    return world
  }

  it('shows maps of any kind, what heads do and rows of all heads, several at once', async () => {
    const { ask, posted, calls } = await ran()
    ask(3, 'map', { run: 2, layer: 1, head: 0, kind: 'content' })
    ask(4, 'map', { run: 2, layer: 1, head: 0, kind: 'rotation' })
    ask(5, 'statistics', { run: 2 })
    ask(6, 'headRows', { run: 2, layer: 1 })
    await soon()
    const numbers = Float32Array.of(1, 2, 3, 4, 5, 6)
    const answers = posted
      .filter(({ type }) => type === 'answer')
      .map((message) => (message as { answer: unknown }).answer)
    expect(answers.slice(-4)).toEqual([
      { run: 2, layer: 1, head: 0, kind: 'content', length: 1, numbers },
      { run: 2, layer: 1, head: 0, kind: 'rotation', length: 1, numbers },
      { run: 2, layers: 2, heads: 2, numbers },
      { run: 2, layer: 1, length: 1, queries: numbers.slice(0, 4), keys: numbers.slice(4) },
    ])
    const looks = calls.map(({ name }) => name).filter((name) => name.startsWith('look'))
    expect(looks).toEqual(['look 1 content 1 0', 'look 1 rotation 1 0', 'look 1 statistics 0 0', 'look 1 rows 1 0'])
  })

  it('shows nothing of another run', async () => {
    const { ask, said, calls } = await ran()
    ask(3, 'map', { run: 1, layer: 0, head: 0, kind: 'weight' })
    ask(4, 'statistics', { run: 1 })
    ask(5, 'headRows', { run: 1, layer: 0 })
    await soon()
    expect(said().slice(-3)).toEqual(['map 3 dropped', 'statistics 4 dropped', 'headRows 5 dropped'])
    expect(calls.some(({ name }) => name.startsWith('look'))).toBe(false)
  })

  /** The run 2 of a text as it is, and the run 3 of it with a pair stopped. */
  const ranChanged = async (over: Parameters<typeof started>[0] = {}) => {
    const world = await started(over)
    world.run(2)
    const change = { muted: [{ layer: 0, head: 0, pairs: [1], fate: 'stop' as const }] }
    for (const at of [0, 1]) {
      await soon()
      world.runs[at]?.end.resolve()
      await soon()
      if (at === 0) world.ask(3, 'run', { model: 1, request: { ...request(2), change } })
    }
    return world
  }
  const askAll = ({ ask }: Awaited<ReturnType<typeof started>>, first: number, run: number) => {
    ask(first, 'head', { run, layer: 0, head: 1 })
    ask(first + 1, 'map', { run, layer: 0, head: 1, kind: 'weight' })
    ask(first + 2, 'statistics', { run })
    ask(first + 3, 'headRows', { run, layer: 0 })
  }

  it('shows the last run in which nothing was changed beside the newest, both at once', async () => {
    const world = await ranChanged()
    askAll(world, 4, 2)
    askAll(world, 8, 3)
    await soon()
    const kinds = ['head', 'map', 'statistics', 'headRows']
    const expected = [4, 8].flatMap((first) => kinds.map((kind, at) => `${kind} ${first + at}`))
    expect(world.said().slice(-8).sort()).toEqual(expected.sort())
    const heads = world.posted.flatMap((message) =>
      message.type === 'answer' && message.kind === 'head' && message.answer ? [message.answer] : [],
    )
    expect(heads.map(({ run, query }) => [run, query[0]])).toEqual([
      [2, 1],
      [3, 2],
    ])
    // What comes next is that of the newest.
    world.ask(12, 'candidates', { run: 2, settings: {} as Asks<'candidates'>['settings'] })
    await soon()
    expect(world.said().at(-1)).toBe('candidates 12 dropped')
  })

  it('shows nothing of a run that the engine has overwritten, and of two unchanged ones the later', async () => {
    const world = await ranChanged({ overwrites: true })
    askAll(world, 4, 2)
    await soon()
    const dropped = ['head 4 dropped', 'map 5 dropped', 'statistics 6 dropped', 'headRows 7 dropped']
    expect(world.said().slice(-4)).toEqual(dropped)
    world.run(8)
    await soon()
    world.runs[2]?.end.resolve()
    await soon()
    const before = world.calls.length
    askAll(world, 9, 2)
    await soon()
    expect(
      world
        .said()
        .slice(-4)
        .every((said) => said.endsWith('dropped')),
    ).toBe(true)
    expect(world.calls.length).toBe(before)
  })

  it('measures other texts beside it, and nothing of another model', async () => {
    const { ask, said, posted, calls } = await ran()
    const texts = { ids: Uint32Array.of(5, 6), batch: 1, labels: Int32Array.of(-1, 7) }
    ask(3, 'loss', { model: 1, ...texts })
    await soon()
    expect(posted.at(-1)).toMatchObject({ answer: { mean: 2.5, labels: 2 } })
    expect(calls.at(-1)?.name).toBe('loss 5,6 1  0 0  -1,7 true')
    ask(4, 'head', { run: 2, layer: 0, head: 1 })
    await soon()
    expect(said().at(-1)).toBe('head 4')
    ask(5, 'loss', { model: 9, ...texts })
    await soon()
    expect(said().at(-1)).toBe('loss 5 dropped')
  })

  const textShifted = { ids: Uint32Array.of(5, 6), positionOffset: 3, change: { off: [{ layer: 1, head: 0 }] } }

  it('tell fills of every layer, and leave the last run to be asked about', async () => {
    const { ask, said, posted, calls } = await ran()
    ask(3, 'lens', { model: 1, ...textShifted, rows: Uint32Array.of(1), topK: 1 })
    await soon()
    expect(calls.at(-1)?.name).toBe('lens 5,6 1 1 1 3 1,0  true')
    expect(posted.at(-1)).toMatchObject({
      answer: {
        layers: 2,
        rows: Uint32Array.of(1),
        topIds: Uint32Array.of(7, 8, 9),
        topProbabilities: Float32Array.of(0.5, 0.25, 0.125),
      },
    })
    ask(4, 'head', { run: 2, layer: 0, head: 1 })
    ask(5, 'lens', { model: 9, ...textShifted, rows: Uint32Array.of(1), topK: 1 })
    await soon()
    expect(said().slice(-2)).toEqual(['head 4', 'lens 5 dropped'])
  })

  it('tell what flows through a text, each list by itself', async () => {
    const { ask, said, posted, calls } = await ran()
    ask(3, 'flow', { model: 1, ...textShifted })
    await soon()
    expect(calls.at(-1)?.name).toBe('flow 5,6 1  0 3 1,0  true')
    expect(posted.at(-1)).toMatchObject({
      answer: {
        layers: 2,
        heads: 2,
        length: 2,
        rollout: Float32Array.of(0, 1, 2, 3),
        residual: Float32Array.of(4, 5, 6, 7, 8, 9),
        change: Float32Array.of(10, 11, 12, 13),
        outputs: Float32Array.of(14, 15, 16, 17),
      },
    })
    ask(4, 'flow', { model: 9, ...textShifted })
    await soon()
    expect(said().at(-1)).toBe('flow 4 dropped')
  })
})

describe('a model that does not load', () => {
  it('is said in the engine’s words, and the one before goes on', async () => {
    const refuse = async (config: string) => {
      if (config === '{}') return
      throw { code: 'heads', message: 'heads do not divide the hidden size', retryable: false }
    }
    const { desk, run, posted, runs, calls } = await started({ begin: refuse })
    desk.receive({ type: 'load', id: 7, source: source('{"bad":1}') })
    await soon()
    expect(posted.at(-1)).toEqual({
      type: 'failed',
      id: 7,
      failure: { code: 'heads', message: 'heads do not divide the hidden size', retryable: false },
    })
    expect(calls.at(-1)?.name).toBe('begin headeigh of 15')
    run(8)
    await soon()
    expect(runs.length).toBe(1)
  })

  it('can be cancelled at once', async () => {
    const { desk, posted } = await started()
    desk.receive({ type: 'load', id: 7, source: source() })
    desk.receive({ type: 'cancelLoad', id: 7 })
    await soon()
    expect(posted.at(-1)).toMatchObject({ type: 'failed', id: 7, failure: { code: 'cancelled' } })
  })

  it('gives back the room it had, cancelled half-way or overtaken by another', async () => {
    for (const event of ['cancelled', 'overtaken'] as const) {
      const half = held<void>()
      let loads = 0
      const begin = () => (++loads === 2 ? half.promise : Promise.resolve())
      const { desk, run, posted, calls, runs } = await started({ begin })
      desk.receive({ type: 'load', id: 7, source: source() })
      await soon()
      if (event === 'cancelled') desk.receive({ type: 'cancelLoad', id: 7 })
      else desk.receive({ type: 'load', id: 8, source: source() })
      half.resolve()
      await soon()
      const names = calls.map(({ name }) => name).slice(bringing.length)
      const after = event === 'cancelled' ? [] : bringing
      expect(names.filter((name) => name !== 'loading freed')).toEqual(['begin headeigh of 15', ...after])
      expect(names.filter((name) => name === 'loading freed')).toHaveLength(1)
      expect(posted).toContainEqual(expect.objectContaining({ type: 'failed', id: 7 }))
      run(9, [9], event === 'cancelled' ? 1 : 8)
      await soon()
      expect(runs.length).toBe(1)
    }
  })
})

describe('a lost device', () => {
  it('in mid-run is replaced, its canvas kept and the model read again', async () => {
    const { desk, run, said, calls, engines } = await started()
    const canvas = {} as OffscreenCanvas
    desk.receive({ type: 'canvas', canvas })
    run(2)
    await soon()
    engines[0]?.lose('driver reset')
    await soon()
    const told = said().filter((type) => type !== 'progress' && type !== 'sound')
    expect(told.slice(-4)).toEqual(['deviceLost', 'run 2 dropped', 'started', 'loaded'])
    expect(engines.map(({ backend }) => backend)).toEqual(['gpu', 'gpu'])
    expect(calls.filter(({ engine }) => engine === 2).map(({ name }) => name)).toEqual(['attach', ...bringing])
    run(3)
    await soon()
    expect(calls.at(-1)).toEqual({ name: 'run', engine: 2 })
  })

  it('that is lost again at once gives way to the CPU, without the canvas of the GPU', async () => {
    const { desk, posted, calls, engines } = await started()
    desk.receive({ type: 'canvas', canvas: {} as OffscreenCanvas })
    await soon()
    engines[0]?.lose('one')
    await soon()
    engines[1]?.lose('two')
    await soon()
    expect(engines.map(({ backend }) => backend)).toEqual(['gpu', 'gpu', 'cpu'])
    expect(posted.findLast(({ type }) => type === 'started')).toMatchObject({
      info: { backend: 'cpu', reason: 'device-lost' },
    })
    expect(calls.filter(({ engine }) => engine === 3).map(({ name }) => name)).not.toContain('attach')
    expect(posted.at(-1)?.type).toBe('loaded')
  })

  it('while a model loads: that model goes into the new engine', async () => {
    const stuck = held<void>()
    let loads = 0
    const begin = () => (++loads === 1 ? stuck.promise : Promise.resolve())
    const { posted, engines, calls } = await started({ begin })
    engines[0]?.lose('in the middle')
    await soon()
    expect(posted.at(-1)).toMatchObject({ type: 'loaded', id: 1 })
    expect(loads).toBe(2)
    // What the lost one gave too late is given back.
    stuck.resolve()
    await soon()
    expect(calls.at(-1)).toEqual({ name: 'loading freed', engine: 1 })
  })
})

describe('an adapter that nobody knows', () => {
  const wrong = () => Promise.reject({ code: 'self-check', message: 'other numbers', retryable: false })

  it('is checked once, when its first result is with the page, and told by its name', async () => {
    const { run, runs, posted, said, calls } = await started({ trusted: ['["","","","test adapter","another one"]'] })
    expect(said()).not.toContain('sound')
    run(2)
    await soon()
    expect(calls.at(-1)?.name).toBe('run')
    runs[0]?.end.resolve()
    await soon()
    expect(said().slice(-2)).toEqual(['run 2', 'sound'])
    expect(posted.at(-1)).toEqual({ type: 'sound', adapter: known })
    run(3)
    await soon()
    runs[1]?.end.resolve()
    await soon()
    expect(calls.filter(({ name }) => name === 'check').length).toBe(1)
  })

  it('lets a run that is waiting go before it, and is not checked for one that was dropped', async () => {
    const { run, runs, calls } = await started({ trusted: [] })
    run(2)
    await soon()
    run(3)
    runs[0]?.end.resolve()
    await soon()
    expect(calls.at(-1)?.name).toBe('run')
    run(4)
    runs[1]?.end.resolve()
    await soon()
    expect(calls.filter(({ name }) => name === 'check')).toEqual([])
    runs[2]?.end.resolve()
    await soon()
    expect(calls.at(-1)?.name).toBe('check')
  })

  it('is not remembered where the browser does not name it', async () => {
    const { run, runs, posted } = await started({ adapter: '{}' })
    run(2)
    await soon()
    runs[0]?.end.resolve()
    await soon()
    expect(posted.at(-1)).toEqual({ type: 'sound' })
  })

  it('gives way to the CPU if its numbers are wrong: the model is read again, and nobody remembers it', async () => {
    const { desk, run, runs, posted, said, calls, engines } = await started({ trusted: [], check: wrong })
    desk.receive({ type: 'canvas', canvas: {} as OffscreenCanvas })
    run(2)
    await soon()
    runs[0]?.end.resolve()
    await soon()
    expect(engines.map(({ backend }) => backend)).toEqual(['gpu', 'cpu'])
    const told = said().filter((type) => type !== 'progress')
    expect(told.slice(-3)).toEqual(['run 2', 'started', 'loaded'])
    expect(posted.findLast(({ type }) => type === 'started')).toMatchObject({
      info: { backend: 'cpu', reason: 'wrong-numbers', detail: 'other numbers' },
    })
    expect(calls).toContainEqual({ name: 'engine freed', engine: 1 })
    // The canvas was the GPU's.
    expect(calls.filter(({ engine }) => engine === 2).map(({ name }) => name)).toEqual(bringing)
    run(3)
    await soon()
    runs[1]?.end.resolve()
    await soon()
    expect(said().at(-1)).toBe('run 3')
    expect(said()).not.toContain('sound')
  })

  it('that cannot be checked gives way, too', async () => {
    const check = () => Promise.reject({ code: 'gpu', message: 'no such shader', retryable: false })
    const { run, runs, posted } = await started({ trusted: [], check })
    run(2)
    await soon()
    runs[0]?.end.resolve()
    await soon()
    expect(posted.findLast(({ type }) => type === 'started')).toMatchObject({
      info: { backend: 'cpu', reason: 'device-refused', detail: 'no such shader' },
    })
  })

  it('is checked after a run that failed, and where a model fails to load on it', async () => {
    const broken = { code: 'gpu', message: 'a shader is not valid', retryable: false }
    const { run, runs, said } = await started({ trusted: [], check: wrong })
    run(2)
    await soon()
    runs[0]?.end.reject(broken)
    await soon()
    expect(
      said()
        .filter((type) => type !== 'progress')
        .slice(-3),
    ).toEqual(['failed', 'started', 'loaded'])
    let loads = 0
    const begin = () => (++loads === 1 ? Promise.reject(broken) : Promise.resolve())
    const world = await started({ trusted: [], check: wrong, begin })
    const told = world.said().filter((type) => type !== 'progress')
    expect(told).toEqual(['started', 'started', 'loaded'])
    expect(world.engines.map(({ backend }) => backend)).toEqual(['gpu', 'cpu'])
  })

  it('a sound one that refuses a model is not blamed for it', async () => {
    const begin = () => Promise.reject({ code: 'gpu', message: 'too many bindings', retryable: false })
    for (const trusted of [[], [known]]) {
      const { posted, engines } = await started({ trusted, begin })
      expect(posted.at(-1)).toMatchObject({ type: 'failed', id: 1, failure: { message: 'too many bindings' } })
      expect(engines.length).toBe(1)
    }
  })

  it('a model that waits for its turn when it gives way goes to the CPU', async () => {
    const checking = held<void>()
    const { desk, run, runs, said, engines } = await started({ trusted: [], check: () => checking.promise })
    run(2)
    await soon()
    runs[0]?.end.resolve()
    await soon()
    desk.receive({ type: 'load', id: 7, source: source() })
    await soon()
    checking.reject({ code: 'self-check', message: 'other numbers', retryable: false })
    await soon()
    const told = said().filter((type) => type !== 'progress')
    expect(told.slice(-2)).toEqual(['started', 'loaded'])
    expect(said()).not.toContain('failed')
    expect(engines.map(({ backend }) => backend)).toEqual(['gpu', 'cpu'])
  })

  it('lost while it is checked is replaced by itself', async () => {
    const checking = held<void>()
    const { run, runs, said, engines } = await started({ trusted: [], check: () => checking.promise })
    run(2)
    await soon()
    runs[0]?.end.resolve()
    await soon()
    engines[0]?.lose('driver reset')
    checking.reject({ code: 'device-lost', message: 'gone', retryable: true })
    await soon()
    const told = said().filter((type) => type !== 'progress')
    expect(told.slice(-4)).toEqual(['run 2', 'deviceLost', 'started', 'loaded'])
    expect(engines.map(({ backend }) => backend)).toEqual(['gpu', 'gpu'])
  })

  it('that is found sound stays so in this worker', async () => {
    const { run, runs, said, calls, engines } = await started({ trusted: [] })
    run(2)
    await soon()
    runs[0]?.end.resolve()
    await soon()
    engines[0]?.lose('driver reset')
    await soon()
    expect(said().filter((type) => type === 'sound').length).toBe(2)
    run(3)
    await soon()
    runs[1]?.end.resolve()
    await soon()
    expect(calls.filter(({ name }) => name === 'check').length).toBe(1)
  })

  it('is wrong for a test, whatever is remembered', async () => {
    const { run, runs, posted, said } = await started({ simulate: 'wrong-numbers' })
    expect(posted.find(({ type }) => type === 'started')).toMatchObject({ info: { backend: 'gpu' } })
    run(2)
    await soon()
    runs[0]?.end.resolve()
    await soon()
    expect(posted.findLast(({ type }) => type === 'started')).toMatchObject({
      info: { backend: 'cpu', reason: 'wrong-numbers' },
    })
    expect(said()).not.toContain('sound')
  })
})

describe('a panic', () => {
  it('asks for another worker', async () => {
    const { desk, posted } = await started()
    desk.receive({ type: 'panic' })
    await soon()
    expect(posted.at(-1)).toEqual({ type: 'crashed', message: 'unreachable' })
  })
})
