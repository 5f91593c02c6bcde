import { expect, it, vi } from 'vitest'
import { addressIn, fetchCode } from './fetchCode'

it('finds the address in the messages of browsers', () => {
  const address = 'https://example.org/app/assets/FigureSheet-caKhVnLF.js'
  expect(addressIn(`Failed to fetch dynamically imported module: ${address}`)).toBe(address)
  expect(addressIn(`error loading dynamically imported module: ${address}`)).toBe(address)
  expect(addressIn(`Failed to fetch dynamically imported module: ${address}?again=1`)).toBe(address)
  expect(addressIn('Importing a module script failed.')).toBeUndefined()
})

it('passes on what is no failed fetch, and asks no other origin', async () => {
  vi.stubGlobal('location', new URL('https://example.org/'))
  const failing = (message: string) => () => Promise.reject(new Error(message))
  expect(await fetchCode(() => Promise.resolve(7))).toBe(7)
  await expect(fetchCode(failing('no code'))).rejects.toThrow('no code')
  const foreign = 'Failed to fetch dynamically imported module: https://example.com/evil.js'
  await expect(fetchCode(failing(foreign))).rejects.toThrow(foreign)
  vi.unstubAllGlobals()
})
