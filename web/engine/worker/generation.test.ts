import { describe, expect, it } from 'vitest'
import { deferred, loadCalls, settle, source, started } from '../../testing/fakeHost'
import type { Params } from '../protocol/requests'

describe('writing on', () => {
  const settings = { maxNewTokens: 8, temperature: 0 } as Params<'generate'>['settings']
  const token = (id: number, ended: string | null = null) => JSON.stringify({ id, candidates: [], left: 1, ended })
  const write = ({ ask }: Awaited<ReturnType<typeof started>>, id: number) =>
    ask(id, 'generate', { model: 1, ids: Uint32Array.of(5, 6), settings })

  it('tells each token and then why it ended, and gives back what it held', async () => {
    const world = await started()
    const { posted, log, steps, calls } = world
    write(world, 2)
    await settle()
    steps[0]?.resolve(token(7))
    await settle()
    expect(posted.at(-1)).toEqual({
      type: 'chunk',
      id: 2,
      kind: 'generate',
      chunk: { id: 7, candidates: [], left: 1, ended: null },
    })
    steps[1]?.resolve(token(8, 'length'))
    await settle()
    await settle()
    expect(log().slice(-3)).toEqual(['generate 2 part', 'generate 2 part', 'generate 2'])
    expect(posted.at(-1)).toMatchObject({ result: 'length' })
    const names = calls.map(({ name }) => name).slice(loadCalls.length)
    expect(names).toEqual([`generate 5,6 ${JSON.stringify(settings)}`, 'next', 'next', 'freed'])
  })

  it('waits until the page has taken in a token, and can be stopped or overtaken then', async () => {
    const world = await started({ readsChunks: false })
    const { host, log, steps } = world
    write(world, 2)
    await settle()
    steps[0]?.resolve(token(7))
    await settle()
    expect(steps.length).toBe(1)
    host.receive({ type: 'more', id: 2 })
    await settle()
    expect(steps.length).toBe(2)
    steps[1]?.resolve(token(8))
    await settle()
    host.receive({ type: 'stop', id: 2 })
    await settle()
    expect(log().at(-1)).toBe('generate 2 superseded')
    write(world, 3)
    await settle()
    steps[2]?.resolve(token(7))
    await settle()
    write(world, 4)
    host.receive({ type: 'more', id: 3 })
    await settle()
    expect(log().filter((words) => / superseded$/.test(words))).toEqual([
      'generate 2 superseded',
      'generate 3 superseded',
    ])
    expect(steps.length).toBe(4)
  })

  it('lets a run and a read in between two tokens', async () => {
    const world = await started()
    const { ask, run, log, steps, runs } = world
    run(2)
    await settle()
    runs[0]?.end.resolve()
    write(world, 3)
    await settle()
    run(4)
    ask(5, 'head', { run: 4, layer: 0, head: 1 })
    steps[0]?.resolve(token(7))
    await settle()
    runs[1]?.end.resolve()
    await settle()
    steps[1]?.resolve(token(8, 'end'))
    await settle()
    await settle()
    const expected = ['run 2', 'generate 3 part', 'run 4', 'head 5', 'generate 3 part', 'generate 3']
    expect(log().slice(-6)).toEqual(expected)
  })

  it('stops in the middle of a token, and between two', async () => {
    for (const middle of [true, false]) {
      const world = await started()
      const { host, log, steps, calls } = world
      write(world, 2)
      await settle()
      if (middle) {
        host.receive({ type: 'stop', id: 2 })
        expect(await steps[0]?.pause()).toBe(false)
        steps[0]?.reject({ code: 'cancelled', message: '', retryable: true })
      } else {
        expect(await steps[0]?.pause()).toBe(true)
        steps[0]?.resolve(token(7))
        host.receive({ type: 'stop', id: 2 })
      }
      await settle()
      expect(log().at(-1)).toBe('generate 2 superseded')
      expect(log()).not.toContain('generate 2 part')
      expect(calls.at(-1)?.name).toBe('freed')
    }
  })

  it('gives way to a newer one, to another model and to a lost device', async () => {
    for (const event of ['newer', 'model', 'lost'] as const) {
      const world = await started()
      const { host, posted, steps, engines } = world
      write(world, 2)
      await settle()
      if (event === 'newer') write(world, 3)
      if (event === 'model') host.receive({ type: 'load', id: 9, source: source() })
      if (event === 'lost') engines[0]?.lose('gone')
      steps[0]?.resolve(token(7))
      await settle()
      if (event === 'model') steps[1]?.resolve(token(7))
      await settle()
      const ends = {
        newer: { reason: 'superseded' },
        model: { reason: 'gone' },
        lost: { failure: { code: 'restarted' } },
      }
      expect(posted, event).toContainEqual(expect.objectContaining({ id: 2 }))
      expect(
        posted.findLast((message) => 'id' in message && message.id === 2),
        event,
      ).toMatchObject(ends[event])
    }
  })

  it('says what went wrong in the engine’s words', async () => {
    const world = await started()
    write(world, 2)
    await settle()
    world.steps[0]?.reject({ code: 'too-long', message: 'the text is too long', retryable: false })
    await settle()
    expect(world.posted.at(-1)).toMatchObject({ type: 'failed', id: 2, failure: { code: 'too-long' } })
  })
})

describe('what may come next', () => {
  it('is that of the run asked for, or nothing', async () => {
    const { ask, run, runs, log, posted } = await started()
    run(2)
    await settle()
    runs[0]?.end.resolve()
    await settle()
    ask(3, 'candidates', { run: 2, settings: {} as Params<'candidates'>['settings'] })
    await settle()
    expect(posted.at(-1)).toMatchObject({ result: { candidates: [{ id: 7, before: 0.5, after: 0.75 }], left: 1 } })
    ask(4, 'candidates', { run: 1, settings: {} as Params<'candidates'>['settings'] })
    await settle()
    expect(log().at(-1)).toBe('candidates 4 gone')
  })

  it('is not computed to its end where other settings or another run follow', async () => {
    const { ask, run, runs, log, looks } = await started()
    const candidates = (id: number) =>
      ask(id, 'candidates', { run: 2, settings: {} as Params<'candidates'>['settings'] })
    run(2)
    await settle()
    runs[0]?.end.resolve()
    await settle()
    for (const [id, follows] of [
      [3, () => candidates(4)],
      [5, () => run(6)],
    ] as const) {
      const paused = deferred<void>()
      let cancelled = false
      looks.push(async (pause) => {
        expect(await pause()).toBe(true)
        await paused.promise
        cancelled = !(await pause())
        if (cancelled) throw { code: 'cancelled', message: '', retryable: true }
      })
      candidates(id)
      await settle()
      follows()
      paused.resolve()
      await settle()
      expect(cancelled).toBe(true)
      expect(log()).toContain(`candidates ${id} superseded`)
    }
    expect(log()).toContain('candidates 4')
    expect(runs.map(({ ids }) => ids)).toEqual([[2], [6]])
  })
})
