import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { pause } from './pause'

it('a pause that is over leaves nothing at its signal', async () => {
  const stop = new AbortController()
  await pause(0, stop.signal)
  expect(getEventListeners(stop.signal, 'abort')).toEqual([])
})

it('a pause ends with its signal, and does not begin behind it', async () => {
  const stop = new AbortController()
  const waiting = pause(1e9, stop.signal)
  stop.abort()
  await expect(waiting).rejects.toBe(stop.signal.reason)
  await expect(pause(1e9, stop.signal)).rejects.toBe(stop.signal.reason)
})
