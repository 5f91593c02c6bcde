import { expect, it } from 'vitest'
import { sleeping } from './kernels'

it('a helper that does not leave a job in twice the time is given up', () => {
  const numbers = new Int32Array(new SharedArrayBuffer(8))
  const sleep = sleeping(numbers, 5)
  sleep(4, 0)
  // Somebody left meanwhile: it is no longer that number.
  sleep(4, 1)
  sleep(4, 0)
  expect(() => sleep(4, 0)).toThrow('helper-lost')
})
