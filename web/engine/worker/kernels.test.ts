import { afterEach, expect, it, vi } from 'vitest'
import { startHelper, waitFunction, type HelperStart, startThreads } from './kernels'
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
  const spawn = () => ({}) as Worker
  const start = startThreads({ memory } as unknown as Surface, 4, { relaxed: 'relaxed', plain: 'plain', spawn })
  await expect(start).rejects.toThrow('no network')
  return { addresses, probe }
}

/** Helpers of an engine on 8 cores: `failing` of them have no code. */
function helpersOf(failing: number[] = [], useKernels: () => number = () => 0) {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  vi.stubGlobal('WebAssembly', {
    validate: () => true,
    compileStreaming: () => Promise.resolve({}),
    Instance: class {
      exports = {}
    },
  })
  const helpers: { ended: boolean; messages: unknown[] }[] = []
  const spawn = () => {
    const helper = {
      ended: false,
      messages: [] as unknown[],
      onmessage: () => {},
      onerror: (_: { message: string }) => {},
      postMessage: (message: unknown) => helper.messages.push(message),
      terminate: () => (helper.ended = true),
    }
    const fails = failing.includes(helpers.push(helper) - 1)
    queueMicrotask(() => (fails ? helper.onerror({ message: 'no code' }) : helper.onmessage()))
    return helper as unknown as Worker
  }
  const surface = { memory: { buffer: new SharedArrayBuffer(64) }, useKernels } as unknown as Surface
  return { helpers, started: startThreads(surface, 8, { relaxed: 'relaxed', plain: 'plain', spawn }) }
}

it('gives each helper its work once, and ends none', async () => {
  const { helpers, started } = helpersOf()
  expect(await started).toBe(4)
  expect(helpers.map(({ ended, messages }) => [ended, messages.length])).toEqual(Array(3).fill([false, 1]))
})

it('leaves no helper behind where one has no code, or the engine refuses them', async () => {
  const oneFails = helpersOf([1])
  await expect(oneFails.started).rejects.toThrow('no code')
  const refused = helpersOf([], () => {
    throw new Error('refused')
  })
  await expect(refused.started).rejects.toThrow('refused')
  for (const { helpers } of [oneFails, refused]) expect(helpers.map(({ ended }) => ended)).toEqual([true, true, true])
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
