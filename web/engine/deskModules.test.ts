import { describe, expect, it } from 'vitest'
import { bringing, soon, source, started } from './fakeDesk'
import { moduleFor } from './modules'

const llama = source('{"model_type":"llama"}')

describe('the module that runs a model', () => {
  it('is the usual one for RoFormer alone', () => {
    expect(moduleFor('{"model_type":"roformer"}')).toBe('usual')
    expect(moduleFor('{}')).toBe('usual')
    for (const type of ['llama', 'marian', 'roformer_notebook', 7, null])
      expect(moduleFor(JSON.stringify({ model_type: type }))).toBe('families')
  })

  it('takes its place when it is needed, and stays', async () => {
    const { desk, run, posted, calls, engines, runs, said } = await started()
    desk.receive({ type: 'load', id: 2, source: llama })
    await soon()
    expect(engines.map(({ backend, module }) => [backend, module])).toEqual([
      ['gpu', 'usual'],
      ['gpu', 'families'],
    ])
    expect(calls.map(({ engine, name }) => `${engine} ${name}`)).toEqual([
      ...bringing.map((name) => `1 ${name}`),
      '1 engine freed',
      ...bringing.map((name) => `2 ${name}`),
    ])
    expect(posted.at(-1)).toMatchObject({ type: 'loaded', id: 2 })
    // A model of the usual module runs there, too.
    desk.receive({ type: 'load', id: 3, source: source() })
    await soon()
    run(4, [4], 3)
    await soon()
    runs[0]?.end.resolve()
    await soon()
    expect([engines.length, calls.at(-1), said().at(-1)]).toEqual([2, { name: 'run', engine: 2 }, 'run 4'])
  })

  it('is not exchanged for a model that is wrong', async () => {
    const { desk, run, posted, engines, runs, said } = await started()
    desk.receive({ type: 'load', id: 2, source: source('{"model_type":"unheard"}') })
    await soon()
    expect(posted.at(-1)).toMatchObject({ type: 'failed', id: 2, failure: { message: 'unheard of' } })
    expect(engines.length).toBe(1)
    run(3)
    await soon()
    runs[0]?.end.resolve()
    await soon()
    expect(said()).toContain('run 3')
  })

  it('gives the model before back where the new one does not come', async () => {
    const { desk, posted, engines } = await started({
      begin: async (config) => {
        if (config.includes('llama')) throw { code: 'memory', message: 'too large', retryable: false }
      },
    })
    desk.receive({ type: 'load', id: 2, source: llama })
    await soon()
    const told = posted.filter(({ type }) => type === 'failed' || type === 'loaded').map(({ type }) => type)
    expect(told).toEqual(['loaded', 'failed', 'loaded'])
    expect(posted.at(-1)).toMatchObject({ type: 'loaded', id: 1 })
    expect(engines.length).toBe(2)
  })
})
