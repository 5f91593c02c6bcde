import { afterEach, expect, it, vi } from 'vitest'
import { startHelper, waitFunction, type HelperStart } from './kernels'

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
  const team = 8
  // There were more jobs than it knows of: it does not sleep.
  numbers[team / 4 + 1] = 7
  const help = vi.fn().mockReturnValueOnce(5)
  help.mockImplementation(() => {
    throw new Error('unreachable')
  })
  const fail = vi.fn()
  class Instance {
    exports = { help, fail }
  }
  vi.stubGlobal('WebAssembly', { Instance })
  const postMessage = vi.fn()
  vi.stubGlobal('postMessage', postMessage)
  vi.stubGlobal('onmessage', undefined)
  startHelper()
  expect(postMessage).toHaveBeenCalledWith('ready')
  const begin = (globalThis as unknown as { onmessage: (event: { data: HelperStart }) => void }).onmessage
  const memory = { buffer: numbers.buffer } as unknown as WebAssembly.Memory
  expect(() => begin({ data: { module: {} as WebAssembly.Module, memory, team, thread: 2 } })).toThrow('unreachable')
  expect(help.mock.calls).toEqual([
    [team, 2, 0],
    [team, 2, 5],
  ])
  expect(fail.mock.calls).toEqual([[team]])
})
