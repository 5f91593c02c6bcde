import { afterEach, expect, it, vi } from 'vitest'
import type { Surface } from './surface'
import { startThreads } from './threads'

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
