import { expect, it } from 'vitest'
import { measurements, measuring } from './measurements.svelte'

it('tells of measurements until the last one has ended, well or not', async () => {
  let end = () => {}
  const first = measuring(() => new Promise<void>((resolve) => (end = resolve)))
  const second = measuring(() => Promise.reject(new Error('no memory')))
  expect(measurements.underWay).toBe(2)
  await expect(second).rejects.toThrow('no memory')
  expect(measurements.underWay).toBe(1)
  end()
  await first
  expect(measurements.underWay).toBe(0)
})
