import { afterEach, expect, it, vi } from 'vitest'
import type { ModelSource, WeightBytes } from '../protocol/protocol'
import { fittingFormat, PrefetchedSource } from './loader'

const source = (name: string): ModelSource => ({
  kind: 'url',
  name,
  base: `http://host/models/${name}/`,
  files: ['config.json', 'model.safetensors', 'tokenizer.json'],
})

/** A host that answers everything, and what it was asked for. */
function host() {
  const requests: string[] = []
  const signals: AbortSignal[] = []
  vi.stubGlobal('fetch', async (url: URL, { signal }: { signal: AbortSignal }) => {
    requests.push(url.pathname)
    signals.push(signal)
    return new Response('{}')
  })
  return { requests, signals, gone: () => signals.map(({ aborted }) => aborted) }
}

afterEach(() => vi.unstubAllGlobals())

it('has the files of the model that is loaded then asked for before, once, and tells of them what was missed', async () => {
  const { requests } = host()
  const expected = new PrefetchedSource(source('one'))
  const before = [...requests]
  await vi.waitFor(async () => expect(requests).toHaveLength(3))
  const onProgress = vi.fn()
  const incoming = expected.take(source('one'), onProgress, new AbortController().signal)
  expect(await incoming?.config).toBe('{}')
  expect(await incoming?.tokenizer).toEqual({ tokenizer: '{}' })
  expect(before.sort()).toEqual(
    ['config.json', 'model.safetensors', 'tokenizer.json'].map((file) => `/models/one/${file}`),
  )
  expect(requests).toHaveLength(3)
  await (await incoming?.weights)?.all()
  expect(new Set(onProgress.mock.calls.map(([file]) => file))).toEqual(
    new Set(['config.json', 'model.safetensors', 'tokenizer.json']),
  )
})

it('lets the files go where another model is loaded', () => {
  const { requests, gone } = host()
  const expected = new PrefetchedSource(source('one'))
  expect(expected.take(source('two'), () => {}, new AbortController().signal)).toBeUndefined()
  expect(gone()).toEqual([true, true, true])
  const files: ModelSource = { kind: 'files', name: 'mine', files: [] }
  expect(new PrefetchedSource(source('one')).take(files, () => {}, new AbortController().signal)).toBeUndefined()
  expect(gone().every(Boolean)).toBe(true)
  expect(requests).toHaveLength(6)
})

it('ends with the load that took it', () => {
  const { gone } = host()
  const load = new AbortController()
  expect(new PrefetchedSource(source('one')).take(source('one'), () => {}, load.signal)).toBeDefined()
  expect(gone()).toEqual([false, false, false])
  load.abort()
  expect(gone()).toEqual([true, true, true])
})

/** Of a model with so many parameters, stored as 16 bits. */
const of = (parameters: number): WeightBytes => ({
  f32: 4 * parameters,
  f16: 2 * parameters,
  bf16: 2 * parameters,
  int8: 1.06 * parameters,
  int4: 0.56 * parameters,
  stored: 2 * parameters,
})

it('takes the most exact format that fits', () => {
  expect(fittingFormat(of(5e6), 'cpu', 8)).toBe('f32')
  expect(fittingFormat(of(64e6), 'gpu', 0.5)).toBe('f32')
  expect(fittingFormat(of(135e6), 'cpu', 8)).toBe('stored')
  expect(fittingFormat(of(135e6), 'gpu', undefined)).toBe('stored')
  expect(fittingFormat(of(1.2e9), 'gpu', 8)).toBe('stored')
  expect(fittingFormat(of(1.5e9), 'cpu', 8)).toBe('int8')
  expect(fittingFormat(of(1.5e9), 'gpu', 4)).toBe('int8')
  expect(fittingFormat(of(4e9), 'cpu', 8)).toBe('int4')
})

it('counts a file of f32 as f32', () => {
  expect(fittingFormat({ ...of(1e9), stored: 4e9 }, 'cpu', 8)).toBe('int8')
})
