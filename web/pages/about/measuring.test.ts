import { expect, it, vi } from 'vitest'
import type { ModelInfo } from '../../engine/protocol/protocol'
import { writeMachineReport } from './machineReport'
import { measure, type Asker, type Measure, type Step } from './measuring'

const model = {
  architecture: 'LlamaForCausalLM',
  num_hidden_layers: 2,
  num_attention_heads: 4,
  hidden_size: 64,
  parameters: 1000,
  vocab_size: 50,
  max_position_embeddings: 64,
  is_decoder: true,
  predicts_tokens: true,
  weights: { kept: 'f16', bytes: 1 },
} as ModelInfo

function setUp(over: Partial<ModelInfo> = {}) {
  const asked: { kind: string; asks: object }[] = []
  const [steps, measures]: [Step[], Measure[]] = [[], []]
  const stop = new AbortController()
  let clock = 0
  const asker = {
    ask: (kind: string, asks: object, _: AbortSignal, hearing?: { part?: (part: never) => void }) => {
      asked.push({ kind, asks })
      if (kind === 'generate') {
        for (let token = 0; token < 24; token++) {
          clock += 20
          hearing?.part?.({} as never)
        }
      }
      const answers: Record<string, object | string> = {
        trial: { milliseconds: 2 },
        run: { report: { milliseconds: asked.length } },
        generate: 'length',
      }
      return Promise.resolve(answers[kind])
    },
  } as unknown as Asker
  const observer = {
    signal: stop.signal,
    begins: (step: Step) => void steps.push(step),
    tell: (one: Measure) => void measures.push(one),
    now: () => clock,
  }
  const run = (threads?: Promise<unknown>) =>
    measure(asker, { ...model, ...over }, threads ? { ...observer, threads } : observer)
  return { asked, steps, measures, run, stop }
}

it('measures products, runs that fit, and writing; no run begins as the one before did', async () => {
  const { asked, steps, measures, run } = setUp()
  await run()
  expect(steps).toEqual([
    { kind: 'product', rows: 16 },
    { kind: 'product', rows: 128 },
    { kind: 'run', tokens: 16 },
    { kind: 'writing' },
  ])
  expect(measures[0]).toEqual({
    kind: 'product',
    rows: 16,
    inner: 512,
    columns: 512,
    gigaflops: (2 * 16 * 512 ** 2) / 2e6,
  })
  // The first run is none that counts.
  expect(measures[2]).toEqual({ kind: 'run', tokens: 16, runs: [4, 5, 6, 7, 8, 9, 10] })
  expect(measures[3]).toEqual({ kind: 'writing', tokens: 24, perSecond: 50 })
  const firsts = asked
    .filter(({ kind }) => kind === 'run')
    .map(({ asks }) => (asks as { request: { ids: Uint32Array } }).request.ids[0])
  expect(new Set(firsts).size).toBe(firsts.length)
})

it('measures nothing before helpers are there, which come behind a result, and can be stopped meanwhile', async () => {
  const { asked, run } = setUp()
  let come = () => {}
  const measured = run(new Promise<void>((resolve) => (come = resolve)))
  await vi.waitFor(() => expect(asked.map(({ kind }) => kind)).toEqual(['run']))
  come()
  await measured
  expect(asked.slice(1, 3).map(({ kind }) => kind)).toEqual(['trial', 'trial'])
  const stopped = setUp()
  const never = stopped.run(new Promise(() => {}))
  stopped.stop.abort()
  await expect(never).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
})

it('has an encoder–decoder’s encoder read', async () => {
  const pair = setUp({ encoder: {} as never, decoder_start_token_id: 3 })
  await pair.run()
  expect(pair.asked.find(({ kind }) => kind === 'run')?.asks).toMatchObject({
    request: { pair: { part: 'encoder', text: Uint32Array.of(3) } },
  })
  expect(pair.asked.some(({ kind }) => kind === 'generate')).toBe(false)
})

it('writes a report of what is there, what is missing, and what ended early', () => {
  const around = { model, cores: 8, isolated: false, browser: 'A browser', date: '2026-11-22' }
  const report = writeMachineReport(
    [
      {
        backend: 'cpu',
        info: { backend: 'cpu', reason: 'asked' },
        threads: 2,
        measures: [{ kind: 'run', tokens: 16, runs: [3, 1, 2] }],
        failed: 'no memory',
      },
      { backend: 'gpu', info: { backend: 'cpu', reason: 'no-webgpu' }, threads: 1, measures: [] },
    ],
    around,
  )
  expect(report.split('\n')).toEqual([
    'ropescope, measured on this machine',
    'model: LlamaForCausalLM, 2 layers × 4 heads, hidden size 64, 1000 parameters, matrices kept as f16',
    'processors offered to the page: 8; cross-origin isolated: no',
    'browser: A browser',
    'date: 2026-11-22',
    'CPU: 2 threads',
    '  run of 16 tokens: median 2.00 ms, least 1.00 ms of 3 runs',
    'CPU: ended early (no memory)',
    expect.stringMatching(/^GPU: not there \(.+\)$/),
  ])
})
