import { describe, expect, it } from 'vitest'
import type { ModelInfo, TuningStep } from '../engine/protocol'
import { TunedAdapters } from '../engine/tuned'
import { sizesOf, Tuning, type Tunable } from './tuning.svelte'

const gains = [{ tokens: 32, before: 2, after: 1, changed: 1 }]

function model(hidden_size: number, version = 1): NonNullable<Tunable['model']> {
  const info: Partial<ModelInfo> = { architecture: 'Test', hidden_size, weights: { kept: 'f32', bytes: 1 } }
  return { version, info } as NonNullable<Tunable['model']>
}

interface Asked {
  asks: { model: number; anew: boolean }
  part(step: TuningStep): void
  signal: AbortSignal
  answer(step: TuningStep): void
}

function setUp(over: Partial<Tunable> = {}) {
  let text: string | null = null
  const adapters = new TunedAdapters(() => ({ getItem: () => text, setItem: (_, value) => void (text = value) }))
  const asked: Asked[] = []
  const engine = {
    info: { backend: 'gpu', reason: 'asked' },
    adapter: 'this one',
    model: model(64),
    client: {
      ask: (_: string, asks: Asked['asks'], { part, signal }: Pick<Asked, 'part' | 'signal'>) =>
        new Promise((resolve) => {
          asked.push({ asks, part, signal, answer: (answer) => resolve({ status: 'ok', answer }) })
          signal.addEventListener('abort', () => resolve({ status: 'stopped' }))
        }),
    },
    ...over,
  } as unknown as Tunable
  return { adapters, asked, engine, tuning: new Tuning(engine, adapters) }
}

const step = (left: number, forms: string): TuningStep => ({ left, texts: 0, forms, gains })
const settled = () => new Promise((resolve) => setTimeout(resolve))

describe('tuning', () => {
  it('remembers forms as they are found, and the model when all are tried', async () => {
    const { adapters, asked, tuning } = setUp()
    expect(tuning.recall()).toBe(false)
    const run = tuning.run()
    await settled()
    expect(asked[0]?.asks).toEqual({ model: 1, anew: false })
    asked[0]?.part(step(1, 'a'))
    expect([tuning.running, tuning.step?.left]).toEqual([true, 1])
    expect(adapters.of('this one')).toEqual({ adapter: 'this one', forms: 'a', models: [] })
    expect(tuning.recall()).toBe(false)
    asked[0]?.answer(step(0, 'b'))
    await run
    expect([tuning.running, tuning.step, tuning.gains]).toEqual([false, undefined, gains])
    expect(adapters.of('this one')?.forms).toBe('b')
    expect(tuning.recall()).toBe(true)
  })

  it('knows one model from another by its sizes', async () => {
    const { asked, engine, tuning } = setUp()
    const run = tuning.run()
    await settled()
    asked[0]?.answer(step(0, 'a'))
    await run
    Object.assign(engine, { model: model(128, 2) })
    expect([tuning.recall(), tuning.gains]).toEqual([false, undefined])
    Object.assign(engine, { model: model(64, 3) })
    expect(tuning.recall()).toBe(true)
    expect(sizesOf(model(64).info)).not.toBe(sizesOf(model(128).info))
  })

  it('goes on after a stop, one question at a time', async () => {
    const { asked, tuning } = setUp()
    void tuning.run()
    void tuning.run()
    await settled()
    expect(asked.length).toBe(1)
    tuning.stop()
    const again = tuning.run()
    await settled()
    expect([asked.length, asked[0]?.signal.aborted, tuning.running]).toEqual([2, true, true])
    asked[1]?.answer(step(0, 'a'))
    await again
    expect(tuning.running).toBe(false)
  })

  it('forgets what is known where it is done anew', async () => {
    const { adapters, asked, tuning } = setUp()
    adapters.put({ adapter: 'this one', forms: 'old', models: [{ sizes: sizesOf(model(64).info), gains }] })
    expect(tuning.recall()).toBe(true)
    void tuning.run(true)
    await settled()
    expect(asked[0]?.asks.anew).toBe(true)
    expect(tuning.recall()).toBe(false)
  })

  it('tries nothing on the CPU, and remembers nothing of an adapter without a name', async () => {
    const cpu = setUp({ info: { backend: 'cpu', reason: 'asked' } })
    await cpu.tuning.run()
    expect(cpu.asked).toEqual([])
    const nameless = setUp({ adapter: undefined })
    const run = nameless.tuning.run()
    await settled()
    nameless.asked[0]?.answer(step(0, 'a'))
    await run
    expect(nameless.adapters.all).toEqual([])
    expect(nameless.tuning.gains).toEqual(gains)
  })
})
