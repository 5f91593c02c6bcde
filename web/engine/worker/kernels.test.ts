import { afterEach, expect, it, vi } from 'vitest'
import type { HelperStart } from '../protocol/messages'
import { startHelper, startThreads, waitFunction } from './kernels'
import type { Surface } from './handler'

afterEach(() => vi.unstubAllGlobals())

it('a helper that does not leave a job in twice the time is given up', () => {
  const numbers = new Int32Array(new SharedArrayBuffer(8))
  const sleep = waitFunction(numbers, 5)
  sleep(4, 0)
  // Somebody left meanwhile: it is no longer that number.
  sleep(4, 1)
  sleep(4, 0)
  expect(() => sleep(4, 0)).toThrow('helper-lost')
})

it('a helper goes on with the jobs that it has not seen, and says so where it fails in the middle of one', () => {
  const numbers = new Int32Array(new SharedArrayBuffer(64))
  const pool = 8
  // There were more jobs than it knows of: it does not sleep.
  numbers[pool / 4 + 1] = 7
  const work = vi.fn().mockReturnValueOnce(5)
  work.mockImplementation(() => {
    throw new Error('unreachable')
  })
  const fail = vi.fn()
  class Instance {
    exports = { work, fail }
  }
  vi.stubGlobal('WebAssembly', { Instance })
  const postMessage = vi.fn()
  vi.stubGlobal('postMessage', postMessage)
  vi.stubGlobal('onmessage', undefined)
  startHelper()
  expect(postMessage).toHaveBeenCalledWith('ready')
  const begin = (globalThis as unknown as { onmessage: (event: { data: HelperStart }) => void }).onmessage
  const memory = { buffer: numbers.buffer } as unknown as WebAssembly.Memory
  expect(() => begin({ data: { module: {} as WebAssembly.Module, memory, pool, thread: 2 } })).toThrow('unreachable')
  expect(work.mock.calls).toEqual([
    [pool, 2, 0],
    [pool, 2, 5],
  ])
  expect(fail.mock.calls).toEqual([[pool]])
})

afterEach(() => vi.unstubAllGlobals())

/** The addresses that are fetched in a browser with or without relaxed SIMD, and what it is asked to validate. */
async function fetched(relaxedSimd: boolean): Promise<{ addresses: string[]; probe: Uint8Array }> {
  const addresses: string[] = []
  let probe = new Uint8Array()
  vi.stubGlobal('fetch', (address: string) => (addresses.push(address), new Promise(() => {})))
  vi.stubGlobal('WebAssembly', {
    validate: (bytes: Uint8Array<ArrayBuffer>) => ((probe = bytes), relaxedSimd),
    compileStreaming: () => Promise.reject(new Error('no network')),
  })
  const memory = { buffer: new SharedArrayBuffer(64) }
  const helpers = { create: vi.fn(), start: vi.fn(), end: vi.fn() }
  const start = startThreads({ memory } as unknown as Surface, 4, { relaxed: 'relaxed', plain: 'plain' }, helpers)
  await expect(start).rejects.toThrow('no network')
  return { addresses, probe }
}

/** The start of threads of an engine on 8 cores. `created`: whether the page can create helpers. */
function startOnEightCores(created: boolean, useKernels: () => number = () => 0) {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  vi.stubGlobal('WebAssembly', {
    validate: () => true,
    compileStreaming: () => Promise.resolve({}),
    Instance: class {
      exports = {}
    },
  })
  const helpers = { create: vi.fn(async () => created), start: vi.fn(), end: vi.fn() }
  const memory = { buffer: new SharedArrayBuffer(64) }
  const surface = { memory, useKernels } as unknown as Surface
  const started = startThreads(surface, 8, { relaxed: 'relaxed', plain: 'plain' }, helpers)
  return { helpers, started, poolSize: () => new Int32Array(memory.buffer)[0] }
}

it('gives each helper its thread once, and ends none', async () => {
  const { helpers, started, poolSize } = startOnEightCores(true)
  expect(await started).toBe(4)
  expect(helpers.create.mock.calls).toEqual([[3]])
  expect(helpers.start.mock.calls).toEqual([
    [[1, 2, 3].map((thread) => expect.objectContaining({ thread, pool: 0 }) as HelperStart)],
  ])
  expect(poolSize()).toBe(3)
  expect(helpers.end).not.toHaveBeenCalled()
})

it('computes on one thread where the page has no helpers', async () => {
  const useKernels = vi.fn(() => 0)
  const { helpers, started, poolSize } = startOnEightCores(false, useKernels)
  expect(await started).toBe(1)
  expect(useKernels).not.toHaveBeenCalled()
  expect(helpers.start).not.toHaveBeenCalled()
  expect(poolSize()).toBe(0)
})

it('ends the helpers where the engine refuses them', async () => {
  const { helpers, started } = startOnEightCores(true, () => {
    throw new Error('refused')
  })
  await expect(started).rejects.toThrow('refused')
  expect(helpers.end).toHaveBeenCalledOnce()
})

it('fetches one module of kernels, by what the browser knows', async () => {
  const { addresses, probe } = await fetched(true)
  expect(addresses).toEqual(['relaxed'])
  expect((await fetched(false)).addresses).toEqual(['plain'])
  vi.unstubAllGlobals()
  // With an instruction in its place that takes three vectors, too, and is a byte shorter, every SIMD browser knows the module.
  expect([...probe.subarray(-4)]).toEqual([253, 133, 2, 11])
  const bitselect = Uint8Array.of(...probe.subarray(0, -4), 253, 82, 11)
  for (const length of [20, 22]) bitselect[length] = (bitselect[length] ?? 0) - 1
  expect(WebAssembly.validate(bitselect)).toBe(true)
})
